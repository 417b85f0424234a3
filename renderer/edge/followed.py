"""A rendered branch that somebody else publishes to, looked at again and again."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from renderer.edge.address import cloned, is_address
from renderer.edge.git import GitRepository
from renderer.edge.remote import RemoteBranch
from renderer.model.published import Tip

# Nobody is there to answer questions, and a connection that has died must not be waited for.
_UNATTENDED: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
    "GIT_HTTP_LOW_SPEED_TIME": "30",
}


class FollowedRepository(GitRepository):
    """A branch that is only read: a repository's own, or as a remote has it. Use it in a with statement."""

    def __init__(self, path: Path, branch: str, remote: str | None = None) -> None:
        """Find the repository, and the remote in it. Raises OutsideError."""
        super().__init__(path, branch, to_write=False)
        self._remote = RemoteBranch(self._git, remote, branch) if remote else None

    def before(self, tip: Tip) -> Tip | None:
        """The commit that a tip was made on; None where there is none, or it is not here."""
        name = self._git.attempt("rev-parse", "--verify", "--quiet", f"{tip.commit}^1^{{commit}}")[1]
        return self._read(name) if name else None

    def _start(self) -> str | None:
        if self._remote is None:
            return super()._start()
        shallow = self._git.ask("rev-parse", "--is-shallow-repository") == "true"
        return self._remote.fetch(depth=2 if shallow else 0)  # a tip, and what it was made on


class Followed:
    """Where the branch is: a repository by its path or address, opened anew for each look."""

    def __init__(self, place: str, branch: str, remote: str | None = None) -> None:
        """Look at nothing yet."""
        self._place = place
        self._branch = branch
        self._remote = "origin" if is_address(place) else remote
        self._kept = contextlib.ExitStack()
        self._path: Path | None = None if is_address(place) else Path(place)

    def open(self) -> FollowedRepository:
        """The repository, to be used in a with statement. Raises OutsideError."""
        if self._remote:
            for name, value in _UNATTENDED.items():
                os.environ.setdefault(name, value)
        if self._path is None:
            self._path = self._kept.enter_context(cloned(self._place, self._branch))
        return FollowedRepository(self._path, self._branch, self._remote)

    def close(self) -> None:
        """Let go of what was kept for the address."""
        self._kept.close()
