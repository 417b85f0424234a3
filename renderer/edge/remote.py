"""The rendered branch of a remote: fetched before a plan, pushed after it, never by force.

Remotes, their settings and credentials are GitPython's part. The rest of `edge` runs git itself, because
GitPython cannot take variables out of the environment, and reads refs and configuration in its own way.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from renderer.edge.command import Git, refusal
from renderer.edge.environment import REDIRECTING
from renderer.edge.errors import OutsideError
from renderer.edge.git import DEFAULT_BRANCH, GitRepository
from renderer.edge.progress import clear
from renderer.model.published import Tip

if TYPE_CHECKING:
    from git import Repo

# Reasons for which a push is refused when somebody else was quicker.
_OVERTAKEN = re.compile(
    r"\((fetch first|non-fast-forward|stale info|failed to update ref|reference already exists"
    r"|cannot lock ref .*|incorrect old value provided|remote ref updated since checkout)\)"
)
_REFUSED = re.compile(r"^!\t[^\t]*\t(?P<reason>.*)$", re.MULTILINE)


class RemoteBranch:
    """One branch of one remote of a repository."""

    def __init__(self, git: Git, remote: str, branch: str) -> None:
        """Know the remote by its name. Raises OutsideError where the repository has none of that name."""
        self._git = git
        self._remote = remote
        self._ref = f"refs/heads/{branch}"
        self._tracking = f"refs/remotes/{remote}/{branch}"
        with _opened(git.directory) as repository:
            names = [each.name for each in repository.remotes]
        if remote not in names:
            raise OutsideError(
                f"the repository at {git.directory} has no remote {remote!r}",
                f"it has: {', '.join(names) or 'none'}",
                "add it with `git remote add`, or name another one",
            )

    def fetch(self, *, depth: int = 0) -> str | None:
        """The commit the remote's branch is at, and all that it needs; None where it has no such branch.

        With a depth, only so many commits are fetched, and the repository becomes a shallow one.
        """
        limit = [f"--depth={depth}"] if depth else []
        flags = ["--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", *limit]
        arguments = ["fetch", *flags, self._remote, f"+{self._ref}:{self._tracking}"]
        code, _, said = self._run(arguments)
        if "couldn't find remote ref" in said:
            return None
        if code:
            raise refusal(self._git.directory, arguments, said)
        return self._git.ask("rev-parse", "--verify", self._tracking)

    def push(self, commit: str, there: str | None) -> bool:
        """Move the remote's branch from `there` (None: it has none) to a commit that descends from it.

        False where it is not there any more. The lease forces nothing: without it, a branch that was
        reset or deleted at the remote would be brought back. Raises OutsideError where the remote cannot
        be reached or does not want it.
        """
        lease = f"--force-with-lease={self._ref}:{there or ''}"
        flags = ["--porcelain", "--no-follow-tags", "--recurse-submodules=no", lease]
        arguments = ["push", *flags, self._remote, f"{commit}:{self._ref}"]
        code, printed, said = self._run(arguments)
        if not code:
            return True
        refused = _REFUSED.search(printed)
        if refused is None:
            raise refusal(self._git.directory, arguments, said)
        if _OVERTAKEN.search(refused["reason"]):
            return False
        raise OutsideError(
            f"the remote {self._remote} refused the push to {self._ref.removeprefix('refs/heads/')}",
            f"it said: {' '.join([refused['reason'], *said.split()])[:500]}",
            "check the rules and hooks of the branch there",
        )

    def _run(self, arguments: Sequence[str]) -> tuple[int, str, str]:
        """Run git with the user's credentials; returns its exit code, what it printed and what it said."""
        clear()  # it may ask for a password
        with _opened(self._git.directory) as repository:
            code, printed, said = repository.git.execute(
                ["git", *arguments], with_extended_output=True, with_exceptions=False
            )
        return int(code), str(printed), str(said)


class PushedRepository(GitRepository):
    """A rendered branch that is a remote's: fetched before each plan, and pushed before it moves here.

    The remote's word is final, so the branch moves there first. A run that is killed between the two moves
    leaves the branch here behind, which the next run makes good.
    """

    def __init__(
        self, path: Path, branch: str = DEFAULT_BRANCH, remote: str = "origin", *, to_write: bool = True
    ) -> None:
        """Find the repository, its remote and its branch. Raises OutsideError and StoppedError."""
        super().__init__(path, branch, to_write=to_write)
        self._remote = RemoteBranch(self._git, remote, branch)
        self._there: str | None = None  # where the remote's branch was when it was last fetched

    def _start(self) -> str | None:
        """What the remote has, or what lies here on top of that."""
        here = self._branch_commit()
        shallow = self._git.ask("rev-parse", "--is-shallow-repository") == "true"
        self._there = there = self._remote.fetch(depth=1 if shallow and here is None else 0)
        if here is None or there is None or here == there:
            return there or here
        if self._contains(here, there):
            return here
        if self._contains(there, here):
            return there
        raise OutsideError(
            f"the branch {self.branch} here and at the remote have parted",
            "one of them has commits that the other lacks, and krender forces nothing",
            f"give up what is here (`git branch -f {self.branch} {there[:12]}`), or merge the two",
        )

    def _move(self, onto: Tip | None, made: str) -> bool:
        """Move the branch at the remote, then here; whether the remote let it."""
        there = self._there
        if there and not (onto and self._contains(onto.commit, there)):
            return False  # it was fetched again since that plan was made
        if not self._remote.push(made, there):
            return False
        here = self._branch_commit()
        if here is None or self._contains(made, here):
            none = "0" * len(made)
            self._git.attempt(
                "update-ref", "--no-deref", "-m", "krender: publish", self._ref, made, here or none
            )
        return True

    def _contains(self, newer: str, older: str) -> bool:
        """Whether one commit is among the ancestors of another."""
        return newer == older or not self._git.attempt("merge-base", "--is-ancestor", older, newer)[0]


def clone(url: str, directory: Path) -> None:
    """Make a bare repository at `directory` whose remote `origin` is `url`. Raises OutsideError."""
    clear()
    Git(directory.parent).ask("clone", "--quiet", "--bare", "--depth=1", "--", url, str(directory))


@contextlib.contextmanager
def _opened(directory: Path) -> Iterator[Repo]:
    """A repository as GitPython knows it, in an environment that leads nowhere else."""
    from git import Repo

    taken = {name: os.environ.pop(name) for name in REDIRECTING if name in os.environ}
    try:
        with Repo(directory, search_parent_directories=True) as repository:
            yield repository
    finally:
        os.environ.update(taken)
