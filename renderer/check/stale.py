"""Whether what was rendered into a directory is what the workspace gives now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.problem import Position, Problem, Severity
from renderer.document.rule import Rule
from renderer.model.touched import Touched

STALE: Final = Rule(
    id="KR021", title="What is rendered is not what the workspace gives", severity=Severity.ERROR
)

_LISTED = 50


def stale_findings(target: str, due: Touched, untracked: Sequence[str], fix: str) -> Iterator[Problem]:
    """One problem, if there is any, with the files it is about."""
    parts = (
        ("missing", due.added),
        ("outdated", due.changed),
        ("left over", due.removed),
        ("not in Git", untracked),
    )
    told = ", ".join(f"{len(paths)} {word}" for word, paths in parts if paths)
    if told:
        lines = [f"{word:<10} {path}" for word, paths in parts for path in paths]
        more = [f"and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
        yield Problem(
            where=Position(target),
            what=f"the rendered files are not what the workspace gives: {told}",
            why="\n".join(["clusters would get what it said before", *lines[:_LISTED], *more]),
            fix=fix,
            rule=STALE.id,
        )
