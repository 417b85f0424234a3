"""What keeps a plan from being written: templates that have no result, and clusters that lack one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from renderer.check.errors import UNDECIDED
from renderer.check.finding import some
from renderer.check.fitness import remedy
from renderer.check.rules import all_findings, findings
from renderer.check.strict import refused
from renderer.document.problem import Position, Problem, Severity
from renderer.document.source import Document
from renderer.interpret.misfits import Misfit, misfits
from renderer.model.plan import Plan, Rendering, Stage
from renderer.model.variants import alike

# stage: why it matters, how to fix it
_WORDS = {
    Stage.CLAIM: (
        "nothing is placed until they exist, and no other policy gets a chance",
        "add the override policies, or take them out of dependentOverrides",
    ),
    Stage.INTERPRET: ("without its replicas there is nothing to place", "correct the field in the template"),
    Stage.DEPENDENCIES: (
        "what it needs does not follow it to its clusters",
        "correct the reference in the template, or set propagateDeps to false",
    ),
}
# Of kinds whose questions scripts answer.
_SCRIPTED = {
    Stage.INTERPRET: "correct the script, or the field in the template that it reads",
    Stage.DEPENDENCIES: "correct the script, or set propagateDeps to false",
}
_PRIORITY = (
    "nothing is placed until it exists",
    "add the PriorityClass to the workspace, or correct priorityClassName",
)


def failures(plan: Plan) -> tuple[Problem, ...]:
    """Every error of the plan, sorted as a report is; one that many clusters share is told once.

    Findings are among them where the workspace is strict about them.
    """
    strict = plan.workspace.config.strict
    found = [*undecided(plan), *(refused(findings(plan), strict) if strict else ())]
    return tuple(sorted(dict.fromkeys(found), key=lambda problem: problem.sort_key))


def every_problem(plan: Plan) -> tuple[Problem, ...]:
    """All that `check` tells, where nothing is left out because there is much like it."""
    loaded = plan.workspace.problems
    # What was left out for an error makes others look lonely: first things first.
    is_whole = not any(problem.severity is Severity.ERROR for problem in loaded)
    return tuple(dict.fromkeys((*undecided(plan), *(all_findings(plan) if is_whole else loaded))))


def undecided(plan: Plan) -> tuple[Problem, ...]:
    """What has no result: templates, and single clusters of them."""
    found = [*plan.problems]
    shared: dict[tuple[Position, str], tuple[Problem, dict[str, None]]] = {}
    scripted = {(item.api_version, item.kind) for item in plan.workspace.customizations}
    for rendering in plan.renderings:
        identity = rendering.template.identity
        found += _of_rendering(rendering, scripted=(identity.api_version, identity.kind) in scripted)
        for manifest in alike(rendering.manifests):
            problem = manifest.problem
            if problem is not None:
                clusters = shared.setdefault((problem.where, problem.what), (problem, {}))[1]
                clusters.update(dict.fromkeys(manifest.clusters))
    return (*found, *(_on(clusters, problem) for problem, clusters in shared.values()))


def _of_rendering(rendering: Rendering, *, scripted: bool) -> Iterator[Problem]:
    if rendering.error and rendering.stage is not None:
        document, pointer = _place(rendering, rendering.stage)
        where = document.where(pointer) if document else Position()
        why, fix = _WORDS.get(rendering.stage, ("", ""))
        if scripted:
            fix = _SCRIPTED.get(rendering.stage, fix)
        if pointer == _PRIORITY_CLASS:
            why, fix = _PRIORITY
        misfit = _misfit(rendering)
        yield Problem(
            where=where,
            what=f"{rendering.template.identity}: {rendering.error}",
            why=why,
            rule=UNDECIDED.id,
            fix=remedy(misfit) if misfit else fix,
            excerpt=document.excerpt(where) if document and pointer else "",
        )


_PRIORITY_CLASS = "/spec/schedulePriority/priorityClassName"


def _place(rendering: Rendering, stage: Stage) -> tuple[Document | None, str]:
    """The document and the pointer at which the fault is: the template's, or its policy's."""
    policy, misfit = rendering.claim.chosen, _misfit(rendering)
    if misfit is not None:
        return rendering.template.document, misfit.pointer
    if policy is not None and stage is Stage.CLAIM:
        return policy.document, "/spec/dependentOverrides"
    if policy is not None and stage is Stage.INTERPRET and not rendering.interpretation.error:
        return policy.document, _PRIORITY_CLASS
    return rendering.template.document, ""


def _misfit(rendering: Rendering) -> Misfit | None:
    """The value that kept a template from being interpreted, where its kind is known."""
    if rendering.stage is not Stage.INTERPRET or not rendering.interpretation.error:
        return None
    return next((misfit for misfit in misfits(rendering.template.body) if misfit.wanted), None)


def _on(clusters: Iterable[str], problem: Problem) -> Problem:
    """The problem with the clusters it concerns."""
    return replace(problem, why=f"{problem.why} ({some(sorted(clusters))})".strip())
