"""All findings of a plan, from every family of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from renderer.document.problem import Problem
from renderer.model.plan import Plan

Family = Callable[[Plan], Iterable[Problem]]

FAMILIES: Final[tuple[Family, ...]] = ()


def findings(plan: Plan) -> tuple[Problem, ...]:
    """Everything worth knowing about the user's files, sorted as a report is."""
    found = [problem for family in FAMILIES for problem in family(plan)]
    return tuple(sorted(dict.fromkeys(found), key=lambda problem: problem.sort_key))
