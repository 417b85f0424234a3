"""Findings that a workspace declares to be errors, in `strict` of its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from renderer.check.delivered import DELIVERED
from renderer.check.facts import NOT_READY, OLD, UNKNOWN
from renderer.check.makers import MADE
from renderer.check.overlaps import OVERLAP
from renderer.check.overrides import DIGEST_LOST
from renderer.check.placement import NOT_ENFORCED
from renderer.check.raw import RAW
from renderer.check.replicas import TOO_FEW
from renderer.check.tenants import FOREIGN, OUTSIDE
from renderer.check.tracking import TRACKED
from renderer.check.weights import WITHOUT_CLUSTER
from renderer.document.problem import Problem, Severity
from renderer.document.rule import Rule
from renderer.model.config import Strict

RULES_OF: Final[Mapping[Strict, tuple[Rule, ...]]] = {
    Strict.SPREAD: (NOT_ENFORCED, TOO_FEW),
    Strict.WEIGHTS: (WITHOUT_CLUSTER,),
    Strict.READINESS: (NOT_READY,),
    Strict.CAPACITY: (UNKNOWN, OLD),
    Strict.DIGEST: (DIGEST_LOST,),
    Strict.WRITERS: (TRACKED, MADE, RAW, OVERLAP, DELIVERED),
    Strict.TENANTS: (OUTSIDE, FOREIGN),
}


def strictly(found: Iterable[Problem], strict: Iterable[Strict]) -> tuple[Problem, ...]:
    """The findings, those that must not be with the weight of an error."""
    errors = {rule.id: item for item in strict for rule in RULES_OF[item]}
    return tuple(
        replace(problem, severity=Severity.ERROR) if problem.rule in errors else problem for problem in found
    )


def refused(found: Iterable[Problem], strict: Iterable[Strict]) -> tuple[Problem, ...]:
    """Those of the findings that a workspace declares to be errors."""
    errors = {rule.id: item for item in strict for rule in RULES_OF[item]}
    return tuple(problem for problem in found if problem.rule in errors)
