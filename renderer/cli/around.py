"""Findings that need more than a plan: what lies around the workspace, and a second render."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from renderer.check.fixed_point import fixed_point_findings
from renderer.check.readers import readers
from renderer.check.rules import findings_around
from renderer.document.problem import Problem
from renderer.model.plan import Plan
from renderer.model.variants import alike
from renderer.pipeline import render
from renderer.schedule.previous import read_previous

# A larger fleet's result is not rendered again: it would take as long as the first time.
MOST_MANIFESTS: Final = 1_000_000


def problems_around(plan: Plan, workspace: Path, *, whole: bool) -> tuple[Problem, ...]:
    """Both, for a plan of a workspace that was loaded without errors; a `whole` one is rendered again."""
    found = _found(plan, workspace)
    return (*found, *_restless(plan)) if whole else found


def reading_problems(plan: Plan, workspace: Path) -> tuple[Problem, ...]:
    """The findings about reconcilers of the workspace; where it has none, nobody looks around."""
    return _found(plan, workspace) if readers(plan) else ()


def _found(plan: Plan, workspace: Path) -> tuple[Problem, ...]:
    from renderer.edge.surroundings import surroundings  # who does not look around does without git

    return findings_around(plan, surroundings(workspace))


def _restless(plan: Plan) -> tuple[Problem, ...]:
    """What would change if the result was published and rendered on."""
    number = sum(len(manifest.clusters) for one in plan.renderings for manifest in alike(one.manifests))
    if number > MOST_MANIFESTS:
        return ()
    return tuple(fixed_point_findings(plan, _again))


def _again(plan: Plan) -> Plan:
    return render(plan.workspace, read_previous(plan.tree), plan.now, known=plan)
