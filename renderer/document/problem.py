"""A problem of the input: where, what, why, how to fix.

Positions count lines and columns from 1. Problems are values: whoever finds one returns or raises it,
the command line alone prints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in an input file; line 0 means the file as a whole."""

    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Give `file:line:column`, as editors and terminals make it clickable."""
        if not self.line:
            return self.file or "<input>"
        return f"{self.file or '<input>'}:{self.line}:{self.column}"


class Severity(StrEnum):
    """How much a problem weighs: an error stops the render, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something about the user's files that the user should know.

    `what` names the object, `why` is what would go wrong, `fix` is something to type. `rule` is the id
    under which it is documented (`KR…`); `excerpt` is the source line the position points at.
    """

    where: Position
    what: str
    why: str = ""
    fix: str = ""
    rule: str = ""
    severity: Severity = Severity.ERROR
    excerpt: str = ""

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order of reports: by place, then rule, then text."""
        return (self.where.file, self.where.line, self.where.column, self.rule, self.what)


class InputError(Exception):
    """All the problems one run found in the user's files, sorted."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems, each once, in the order of a report."""
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key))
        super().__init__("; ".join(f"{problem.where}: {problem.what}" for problem in self.problems))
