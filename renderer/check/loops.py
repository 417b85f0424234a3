"""Findings about reconcilers in the workspace: what they read, against what krender reads and writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check import beside, delivered, overlaps, raw, substitution
from renderer.check.readers import readers
from renderer.document.problem import Problem
from renderer.model.plan import Plan
from renderer.model.surroundings import Surroundings

RULES: Final = (*substitution.RULES, *raw.RULES, *overlaps.RULES, *delivered.RULES, *beside.RULES)


def loop_findings(plan: Plan, around: Surroundings) -> Iterator[Problem]:
    """All findings of these families."""
    yield from beside.beside_findings(plan)
    found = readers(plan)
    yield from substitution.substitution_findings(plan, found, around)
    yield from raw.raw_findings(plan, found, around)
    yield from overlaps.overlap_findings(found)
    yield from delivered.delivered_findings(plan, found, around)
