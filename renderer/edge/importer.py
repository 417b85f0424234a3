"""Making one commit with `git fast-import`: objects only, no worktree, no index, no ref.

fast-import writes commits to branches, but a branch that is reset before the end is never written. So a
run that is killed leaves nothing but objects that nobody refers to, which Git clears away in time.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from renderer.edge import stream
from renderer.edge.command import Git
from renderer.edge.errors import OutsideError
from renderer.edge.leftovers import clear_unfinished
from renderer.edge.progress import counted, step
from renderer.model.tree import EMPTY_TREE, Tree

_BRANCH = "refs/krender/import"  # exists inside fast-import only
# Keeps glibc from giving memory back after every object and asking for it again: 2.4 seconds for a million
# files are otherwise spent on page faults.
_ENVIRONMENT = {"MALLOC_TOP_PAD_": "67108864"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A commit to be made: author and committer as `Name <mail>`, date in seconds since 1970, in UTC."""

    author: str
    committer: str
    date: int
    message: str
    parent: str | None = None

    def text(self, mark: str) -> bytes:
        """The head of the `commit` command."""
        message = self.message.encode("utf-8", "replace").replace(b"\0", b"")
        lines = [
            f"commit {_BRANCH}",
            mark,
            f"author {self.author} {self.date} +0000",
            f"committer {self.committer} {self.date} +0000",
            f"data {len(message)}\n",
        ]
        start = f"from {self.parent}\n" if self.parent else ""
        return "\n".join(lines).encode() + message + b"\n" + start.encode()


def import_commit(
    git: Git, git_directory: Path, draft: Draft, old: Tree | None, new: Tree, algorithm: str
) -> str:
    """Store the tree and a commit of it; returns the commit's id. Raises OutsideError.

    `old` is the parent's tree. Nothing refers to the commit yet.
    """
    began = time.time() - 1  # which file systems may count differently
    child = git.start(
        *("-c", f"core.hooksPath={os.devnull}"),  # no ref moves, so no hook has anything to say
        *("fast-import", "--quiet", "--date-format=raw"),
        extra=_ENVIRONMENT,
        collect=True,
    )
    before = old or EMPTY_TREE
    try:
        with contextlib.suppress(BrokenPipeError):  # it ended before it read everything; its code says why
            # From here on an early end of the stream is an error; and a crash report will name the branch.
            child.feed.write(f"feature done\nreset {_BRANCH}\n\n".encode())
            child.feed.flush()
            step("writing files to the repository")
            child.feed.writelines(counted(stream.files(before, new, algorithm)))
            step("writing directories to the repository")
            child.feed.write(draft.text("mark :1"))
            child.feed.writelines(stream.edits(before, new, algorithm))
            child.feed.write(f"\nget-mark :1\nreset {_BRANCH}\n\ndone\n".encode())
        if child.end():
            _clear_up(git, child.complaint(), began)
            raise child.refusal()
        child.answers.seek(0)
        commit = child.answers.read().split()[-1].decode()
    finally:
        child.close()
        _clear_reports(git_directory, child.number)
    _verify(git, commit, new.object_id(algorithm).hex())
    return commit


def _verify(git: Git, commit: str, wanted: str) -> None:
    """See that Git built the tree that was meant, before anybody can see it."""
    built = git.ask("rev-parse", "--verify", f"{commit}^{{tree}}")
    if built != wanted:
        raise OutsideError(
            f"git built the tree {built} instead of {wanted}",
            "the branch would not hold what was rendered, so it was not moved",
            "report this with your version of git",
        )


def _clear_up(git: Git, said: str, began: float) -> None:
    """Remove what fast-import leaves when the disk is full: it would keep it full."""
    objects = git.directory / git.ask("rev-parse", "--git-path", "objects")
    for name in re.findall(r"tmp_pack_\w+", said):  # whatever it names is its own
        with contextlib.suppress(OSError):
            (objects / "pack" / name).unlink()
    if "space" in said:
        clear_unfinished(objects, began)


def _clear_reports(git_directory: Path, number: int) -> None:
    """Remove what fast-import leaves in the Git directory when it, or an earlier krender, is killed."""
    for report in git_directory.glob("fast_import_crash_*"):
        with contextlib.suppress(OSError):
            if report.name.endswith(f"_{number}") or _BRANCH in report.read_text(errors="replace"):
                report.unlink()
