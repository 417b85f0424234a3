"""What the tip of a branch says of itself, found by one call of git."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from renderer.edge.command import Git

_FIELDS = ("refname", "symref", "worktreepath", "objecttype", "objectname", "tree", "contents")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The message of a commit, and the id of what lies in it at the path that was asked for."""

    message: str
    tree: str


def asking(home: Path, branch: str) -> tuple[str, ...]:
    """The question about a branch: a directory, and the arguments of a git command to run in it."""
    wanted = "%00".join(f"%({name})" for name in _FIELDS)
    directory = home if home.is_dir() else home.parent
    return str(directory), "for-each-ref", f"--format={wanted}", f"refs/heads/{branch}"


def said_at_tip(home: Path, branch: str, path: str = "") -> Said | None:
    """The tip of a branch that krender may publish to; None where it is not plainly so.

    `home` is or lies in the repository. Raises OutsideError where git cannot be run.
    """
    where, *line = asking(home, branch)
    git, wanted = Git(Path(where)), line[-1]
    code, listed, _ = git.attempt(*line)
    fields = listed.split("\0")
    if code or len(fields) != len(_FIELDS):  # where it names a folder of branches, there are many
        return None
    ref, link, worktree, kind, commit, tree, message = fields
    if (ref, link, worktree, kind) != (wanted, "", "", "commit"):
        return None
    if path:
        tree = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}:{path}")[1]
    return Said(message=message, tree=tree)
