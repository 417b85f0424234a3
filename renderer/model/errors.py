"""Why a run ends although the user's files are fine: the outside world failed, or a guard stopped it.

Like a `Problem`, each says what happened, why it matters and how to fix it. The command line alone prints
them and turns them into exit codes (3 and 4).
"""

from __future__ import annotations


class ToldError(Exception):
    """An end of the run that the user is told about: what, why, and something to type."""

    def __init__(self, what: str, why: str = "", fix: str = "") -> None:
        """Keep the parts of the message."""
        self.what = what
        self.why = why
        self.fix = fix
        super().__init__(what, why, fix)

    def __str__(self) -> str:
        """Give the message on one line a part."""
        lines = [self.what]
        lines += [f"  why: {self.why}"] if self.why else []
        lines += [f"  fix: {self.fix}"] if self.fix else []
        return "\n".join(lines)


class OutsideError(ToldError):
    """Git, the disk or another process did not do what was asked; nothing is half done. Exit 3."""


class StoppedError(ToldError):
    """A guard stopped a write before it began; `objects` are the paths concerned, in order. Exit 4."""

    def __init__(self, what: str, why: str = "", fix: str = "", objects: tuple[str, ...] = ()) -> None:
        """Keep the parts of the message and what it is about."""
        super().__init__(what, why, fix)
        self.objects = objects
