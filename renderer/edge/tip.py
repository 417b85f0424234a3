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


def said_at_tip(home: Path, branch: str, path: str = "") -> Said | None:
    """The tip of a branch that krender may publish to; None where it is not plainly so.

    `home` is or lies in the repository. Raises OutsideError where git cannot be run.
    """
    git = Git(home if home.is_dir() else home.parent)
    wanted = f"refs/heads/{branch}"
    code, listed, _ = git.attempt(
        "for-each-ref", f"--format={'%00'.join(f'%({f})' for f in _FIELDS)}", wanted
    )
    fields = listed.split("\0")
    if code or len(fields) != len(_FIELDS):  # where it names a folder of branches, there are many
        return None
    ref, link, worktree, kind, commit, tree, message = fields
    if (ref, link, worktree, kind) != (wanted, "", "", "commit"):
        return None
    if path:
        tree = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}:{path}")[1]
    return Said(message=message, tree=tree)
