"""Places that krender must not replace, whatever it is told."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from renderer.edge.errors import StoppedError


def checked(target: Path, apart_from: Sequence[Path]) -> Path:
    """The absolute path of an output directory, if it is one that may be replaced. Raises StoppedError.

    It may lie below one of `apart_from`, but not be or contain one.
    """
    if target.is_symlink():
        why = "krender would replace the link, not what it leads to"
        _stop(target, "is a link", why, f"name what it leads to: {target.resolve()}")
    place = target.parent.resolve() / target.name if target.name not in ("", "..") else target.resolve()
    if place.exists() and not place.is_dir():
        _stop(target, "is a file", "krender writes a directory there", "name a directory, or a new one")
    if place == place.parent or place == Path.home().resolve():
        _stop(target, "is not a place for rendered files", "its files would have to be moved to replace it")
    if place.is_mount():
        _stop(target, "is a mount point", "a mount point cannot be replaced in one step")
    if os.path.lexists(place / ".git"):
        _stop(target, "is the top of a Git worktree", "its repository would have to be moved to replace it")
    here = Path.cwd()
    if here.is_relative_to(place):
        _stop(target, "is or contains the current directory", "a shell in it would be left in the old state")
    for other in apart_from:
        if other.resolve().is_relative_to(place):
            _stop(target, f"is or contains {other}", "its files would have to be moved to replace it")
    return place


def in_worktree(root: Path, *, directory: str, path: str, repo: str) -> Path | None:
    """The directory that settings of `output` name, in the worktree of the workspace at `root`."""
    if directory:
        return root / directory
    if not path or repo or not root.is_dir():
        return None
    from renderer.edge.place import top_of

    top = top_of(root)
    return None if top is None else Path(os.path.relpath(top / path))


def without_detours(path: Path) -> Path:
    """`rendered` for `fleet/../rendered`: unless `fleet` is a link, and that is another place."""
    short = Path(os.path.normpath(path))
    return short if os.path.realpath(short) == os.path.realpath(path) else path


def _stop(
    target: Path, what: str, why: str, fix: str = "name another directory, for example one below it"
) -> None:
    """Refuse a place."""
    raise StoppedError(f"{target} {what}", why, fix)
