"""What lies on the rendered branch, and the commit a render was made from."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.model.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """The commit a rendered branch points at: its id, its tree (read as needed), its message and its date.

    `date` is the committer's, in seconds since 1970.
    """

    commit: str
    tree: Tree
    message: str = ""
    date: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The commit the workspace was read from; `dirty` when its files differed from that commit.

    `author` is `Name <mail>`. `date` is the committer's, in seconds since 1970; `folder` is where in the
    repository the workspace lies (empty: at its top).
    """

    commit: str
    message: str = ""
    date: int = 0
    author: str = ""
    dirty: bool = False
    folder: str = ""

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.split("\n", 1)[0]
