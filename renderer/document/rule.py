"""A rule: what a family of problems has in common, by the id under which docs/rules.md explains it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from renderer.document.problem import Position, Problem, Severity

if TYPE_CHECKING:
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

    def marked(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """The problems with the rule's id; those that belong to another rule already stay as they are."""
        return tuple(problem if problem.rule else replace(problem, rule=self.id) for problem in problems)


UNREADABLE: Final = Rule(id="KR001", title="A file cannot be read", severity=Severity.ERROR)
