"""A finding: a problem with a rule id, told at a place in one of the user's objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderer.document.problem import Position, Problem, Severity
from renderer.document.source import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule with its id, as docs/rules.md lists it, and how much it weighs."""

    id: str
    title: str
    severity: Severity = Severity.WARNING

    def at(
        self,
        document: Document | None,
        pointer: str = "",
        *,
        what: str,
        why: str = "",
        fix: str = "",
        severity: Severity | None = None,
    ) -> Problem:
        """The finding at a pointer of a document."""
        where = document.where(pointer) if document else Position()
        return Problem(
            where=where,
            what=what,
            why=why,
            fix=fix,
            rule=self.id,
            severity=severity or self.severity,
            excerpt=document.excerpt(where) if document and pointer else "",
        )


def some(names: Sequence[object], most: int = 3) -> str:
    """The first few of many, and how many more there are."""
    shown = ", ".join(str(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
