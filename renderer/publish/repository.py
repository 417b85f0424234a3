"""What publishing needs of a repository."""

from __future__ import annotations

from typing import Protocol

from renderer.model.published import Tip
from renderer.model.tree import Tree


class Repository(Protocol):
    """One branch of a repository."""

    @property
    def branch(self) -> str:
        """The branch's name, for messages."""

    @property
    def algorithm(self) -> str:
        """How the repository names objects: `sha1` or `sha256`."""

    def tip(self) -> Tip | None:
        """What lies on the branch now; None where there is no such branch yet."""

    def stems_from(self, tip: Tip, commit: str) -> bool:
        """Whether a commit is the tip, or one of its ancestors."""

    def commit(self, onto: Tip | None, tree: Tree, message: str, date: int, author: str = "") -> str | None:
        """Make one commit on that tip and move the branch to it; None where the branch has moved away."""

    def pause(self, attempt: int) -> None:
        """Wait before the next try."""
