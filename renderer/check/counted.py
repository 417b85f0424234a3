"""What is told so often that nobody would read it is told a few times, with the count of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Final

from renderer.document.problem import Problem

_MOST: Final = 20  # findings with one cause that are told one by one


def counted(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """The findings in their order; of those with one cause the first, the last of which counts the rest."""
    problems = tuple(found)
    totals = Counter(map(_cause, problems))
    told: Counter[Hashable] = Counter()
    kept: list[Problem] = []
    for problem in problems:
        cause = _cause(problem)
        told[cause] += 1
        if told[cause] == _MOST < totals[cause]:
            problem = replace(problem, what=f"{problem.what} (and {totals[cause] - _MOST} more like it)")
        if told[cause] <= _MOST:
            kept.append(problem)
    return tuple(kept)


def _cause(problem: Problem) -> Hashable:
    """What is the same about findings that differ in their place and subject alone."""
    return problem.rule, problem.severity, problem.why, problem.fix
