"""What stands in the way of a delivery; docs/rules.md explains it."""

from __future__ import annotations

from typing import Final

from renderer.document.problem import Position, Problem, Severity
from renderer.document.rule import Rule

UNDELIVERED: Final = Rule(id="KR017", title="A delivery engine cannot be given this", severity=Severity.ERROR)


def of_settings(what: str, why: str, fix: str) -> Problem:
    """The problem with a setting."""
    where = Position(file="krender.yaml")
    return Problem(where=where, what=what, why=why, fix=fix, rule=UNDELIVERED.id)
