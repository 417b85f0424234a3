"""A rendered branch in a Git repository: what lies on it, and one commit more.

Only objects and that one branch are ever written: never the user's worktree, index, HEAD or any other
branch. The branch moves from the commit a plan was made on, or not at all.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from renderer.edge.branch import check_branch, check_free, is_signing, people, remote_commit, signed
from renderer.edge.command import refusal
from renderer.edge.errors import OutsideError
from renderer.edge.history import last_changes
from renderer.edge.importer import Draft, import_commit
from renderer.edge.place import find, parsed
from renderer.edge.stored import Objects
from renderer.model.published import Tip
from renderer.model.tree import Tree

DEFAULT_BRANCH = "rendered"


class GitRepository:
    """The repository a plan is published to, and its rendered branch. Use it in a with statement."""

    def __init__(self, path: Path, branch: str = DEFAULT_BRANCH, *, to_write: bool = True) -> None:
        """Find the repository that `path` is or lies in, and see that the branch may be published to.

        Whoever only reads from it says so with `to_write`. Raises OutsideError where the repository cannot
        be used, StoppedError where the branch must not be.
        """
        place = find(path)
        self.branch = branch
        self.algorithm = place.algorithm  # how the repository names objects: `sha1` or `sha256`
        self._git = place.git
        self._directory = place.directory
        self._objects = Objects(place.git, place.algorithm)
        self._ref = check_branch(place.git, branch)
        if to_write:
            check_free(place.git, self._ref)

    def __enter__(self) -> Self:
        """Use it in a with statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process that reads from it."""
        self._objects.close()

    def tip(self) -> Tip | None:
        """What lies on the branch now; None where there is no such branch yet.

        A branch that only a remote has is taken as last fetched from there: to begin anew beside it would
        lose the memory that lies on it.
        """
        name = self._start()
        return None if name is None else self._read(name)

    def at(self, revision: str) -> Tip:
        """What any revision holds, named as Git names them. Raises OutsideError where there is none such."""
        arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        name = self._git.attempt(*arguments)[1]
        if not name:
            raise OutsideError(
                f"the repository at {self._git.directory} has no revision {revision!r}",
                "there is nothing to compare with",
                "name a branch, a tag or a commit; fetch it first if only a remote has it",
            )
        return self._read(name)

    def _read(self, name: str) -> Tip:
        commit = parsed(self._objects.read(name))
        return Tip(
            commit=name, tree=self._objects.tree(commit.tree), message=commit.message, date=commit.date
        )

    def stems_from(self, tip: Tip, commit: str) -> bool:
        """Whether a commit is the tip, or one of its ancestors; False for one that is not known here."""
        return (
            tip.commit == commit
            or not self._git.attempt("merge-base", "--is-ancestor", commit, tip.commit)[0]
        )

    def changed_at(self, tip: Tip, path: str, names: Iterable[str]) -> Mapping[str, int]:
        """The date of the last commit that changed each directory below a path, as far as that is known."""
        return last_changes(self._git, tip.commit, path, names)

    def commit(self, onto: Tip | None, tree: Tree, message: str, date: int, author: str = "") -> str | None:
        """Make one commit of `tree` on that tip and move the branch to it; returns its id.

        None where the branch is not at that tip any more, and nothing has changed. `date` is in seconds
        since 1970; `author` is `Name <mail>`, and the user if not given. Raises OutsideError where Git
        refuses, StoppedError where the branch is checked out.
        """
        signing = is_signing(self._git)
        author, committer = people(self._git, author, signing=signing)
        draft = Draft(
            author=author,
            committer=committer,
            date=date,
            message=message,
            parent=onto.commit if onto else None,
        )
        old = onto.tree if onto else None
        made = import_commit(self._git, self._directory, draft, old, tree, self.algorithm)
        if signing:
            made = signed(self._git, made, draft)
        check_free(self._git, self._ref)
        return made if self._move(onto, made) else None

    def pause(self, attempt: int) -> None:
        """Wait before the next try, longer each time, and not as long as others who wait."""
        time.sleep(random.uniform(0.3, 1.0) * min(0.02 * 2**attempt, 2.0))  # noqa: S311 - no secret

    def _start(self) -> str | None:
        """The commit to go on from; None where there is none."""
        return self._branch_commit() or remote_commit(self._git, self.branch)

    def _branch_commit(self) -> str | None:
        """The commit the branch points at; None where there is no such branch."""
        return self._git.attempt("rev-parse", "--verify", "--quiet", self._ref)[1] or None

    def _move(self, onto: Tip | None, made: str) -> bool:
        """Move the branch from the tip to the new commit; whether it still was there."""
        here = self._branch_commit()
        start = onto.commit if onto else None
        if here != start and (here or start != remote_commit(self._git, self.branch)):
            return False
        none = "0" * len(made)
        arguments = ("update-ref", "--no-deref", "-m", "krender: publish", self._ref, made, here or none)
        code, _, said = self._git.attempt("-c", "core.filesRefLockTimeout=1000", *arguments)
        if code and self._branch_commit() == here:
            raise refusal(self._git.directory, arguments, said)
        return not code
