"""Finding a repository, and the commit a workspace was read from."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from renderer.edge.command import Git, refusal
from renderer.edge.errors import OutsideError
from renderer.model.published import Source

_OLDEST = (2, 30)  # of git: what this is tested with, and what knows SHA-256 repositories


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A repository: where commands run, its own Git directory, and how it names objects."""

    git: Git
    directory: Path
    algorithm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What a commit object says: the author as `Name <mail>`, the committer's date, in seconds since 1970."""

    tree: str
    date: int
    message: str
    author: str = ""


def find(path: Path) -> Place:
    """The repository that `path` is or lies in, whatever the environment points at. Raises OutsideError."""
    if not path.exists():
        raise OutsideError(f"{path} does not exist", "", "check the path")
    git = Git(path if path.is_dir() else path.parent)
    _check_version(git.ask("version"))
    answer = git.ask("rev-parse", "--show-object-format", "--absolute-git-dir")
    algorithm, _, directory = answer.partition("\n")
    if algorithm not in ("sha1", "sha256"):
        raise OutsideError(
            f"the repository at {path} names objects by {algorithm}, which krender does not know"
        )
    return Place(git=git, directory=Path(directory), algorithm=algorithm)


def source_of(workspace: Path) -> Source | None:
    """The commit a workspace was read from; None outside a repository, or where nothing is committed yet.

    Raises OutsideError where there is a repository that cannot be read.
    """
    directory = workspace if workspace.is_dir() else workspace.parent
    if not _below_a_repository(directory):
        return None  # without asking git, which need not be there then
    git = Git(directory)
    arguments = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    code, name, said = git.attempt(*arguments)
    if code == 1 or "not a git repository" in said:
        return None
    if code:
        raise refusal(git.directory, arguments, said)
    commit = parsed(git.ask("cat-file", "commit", name).encode("utf-8", "surrogateescape"))
    changes = git.ask("status", "--porcelain", "--untracked-files=normal", "--", ".")
    return Source(
        commit=name, message=commit.message, date=commit.date, author=commit.author, dirty=bool(changes)
    )


def is_in_repository(path: Path) -> bool:
    """Whether a directory lies in a repository, be it one without any commit, or one that Git refuses."""
    directory = path if path.is_dir() else path.parent
    if not _below_a_repository(directory):
        return False
    return "not a git repository" not in Git(directory).attempt("rev-parse", "--git-dir")[2]


def _below_a_repository(directory: Path) -> bool:
    """Whether git would find something to look at, there or above."""
    real = directory.resolve()
    return any(os.path.lexists(place / ".git") for place in (real, *real.parents))


def folder_of(workspace: Path) -> str:
    """Where in its repository's worktree a directory lies: `apps/shop`, empty for the top.

    Empty outside of a worktree, too.
    """
    git = Git(workspace if workspace.is_dir() else workspace.parent)
    return git.attempt("rev-parse", "--show-prefix")[1].rstrip("/")


def top_of(path: Path) -> Path | None:
    """The top of the worktree that a directory lies in; None outside of one."""
    found = Git(path).attempt("rev-parse", "--show-toplevel")[1]
    return Path(found) if found else None


def parsed(body: bytes) -> Commit:
    """Read a commit object: header lines, an empty line, the message."""
    header, _, message = body.partition(b"\n\n")
    fields = dict(line.partition(b" ")[::2] for line in reversed(header.split(b"\n")))
    date = re.search(rb" (\d+) [+-]\d+$", fields.get(b"committer", b""))
    encoding = fields.get(b"encoding", b"utf-8").decode("ascii", "replace")
    try:
        "".encode(encoding)
    except LookupError:  # an encoding nobody here knows
        encoding = "utf-8"
    author = re.match(rb"([^<>]+ <[^<>]*>) ", fields.get(b"author", b""))
    return Commit(
        tree=fields[b"tree"].decode(),
        date=int(date[1]) if date else 0,
        message=message.decode(encoding, "replace"),
        author=author[1].decode(encoding, "replace") if author else "",
    )


def _check_version(said: str) -> None:
    """Refuse a git that lacks what publishing needs. Raises OutsideError."""
    found = re.search(r"(\d+)\.(\d+)", said)
    if not found or (int(found[1]), int(found[2])) < _OLDEST:
        oldest = ".".join(str(number) for number in _OLDEST)
        raise OutsideError(
            f"{said or 'this git'} is too old", f"publishing needs {oldest} or later", "update git"
        )
