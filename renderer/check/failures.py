"""What keeps a plan from being written: templates that have no result, and clusters that lack one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from renderer.check.errors import UNDECIDED
from renderer.check.finding import some
from renderer.check.fitness import remedy
from renderer.document.problem import Position, Problem
from renderer.interpret.misfits import Misfit, misfits
from renderer.model.plan import Plan, Rendering, Stage

_WHY = {
    Stage.CLAIM: "nothing is placed until they exist, and no other policy gets a chance",
    Stage.INTERPRET: "without its replicas there is nothing to place",
    Stage.DEPENDENCIES: "what it needs does not follow it to its clusters",
}
_FIX = {
    Stage.CLAIM: "add the override policies, or take them out of dependentOverrides",
    Stage.INTERPRET: "correct the field in the template",
    Stage.DEPENDENCIES: "correct the reference in the template, or set propagateDeps to false",
}


def failures(plan: Plan) -> tuple[Problem, ...]:
    """Every error of the plan, sorted as a report is; one that many clusters share is told once."""
    found = [*plan.problems]
    shared: dict[tuple[Position, str], tuple[Problem, dict[str, None]]] = {}
    for rendering in plan.renderings:
        found += _of_rendering(rendering)
        for manifest in rendering.manifests:
            problem = manifest.problem
            if problem is not None:
                clusters = shared.setdefault((problem.where, problem.what), (problem, {}))[1]
                clusters.update(dict.fromkeys(manifest.clusters))
    found += [_on(clusters, problem) for problem, clusters in shared.values()]
    return tuple(sorted(dict.fromkeys(found), key=lambda problem: problem.sort_key))


def _of_rendering(rendering: Rendering) -> Iterator[Problem]:
    if rendering.error and rendering.stage is not None:
        document = rendering.template.document
        misfit = _misfit(rendering)
        where = document.where(misfit.pointer if misfit else "") if document else Position()
        yield Problem(
            where=where,
            what=f"{rendering.template.identity}: {rendering.error}",
            why=_WHY.get(rendering.stage, ""),
            rule=UNDECIDED.id,
            fix=remedy(misfit) if misfit else _FIX.get(rendering.stage, ""),
            excerpt=document.excerpt(where) if document and misfit else "",
        )


def _misfit(rendering: Rendering) -> Misfit | None:
    """The value that kept a template from being interpreted, where its kind is known."""
    if rendering.stage is not Stage.INTERPRET:
        return None
    return next((misfit for misfit in misfits(rendering.template.body) if misfit.wanted), None)


def _on(clusters: Iterable[str], problem: Problem) -> Problem:
    """The problem with the clusters it concerns."""
    return replace(problem, why=f"{problem.why} ({some(sorted(clusters))})".strip())
