"""Writing a tree into a plain directory: only what changed, and never half of it.

The new state is built beside the directory (files that stay are hard links to the old ones, so nothing is
copied) and takes its place in one step: see `workbench`. `.krender/owned` records what krender wrote.

- A file that is not in the record is foreign: it is kept, and never overwritten.
- A file of the record that was edited by hand stops the write, unless `overwrite` says that it may go: an
  edit is either a mistake or belongs into the workspace, and its author should be the one to decide. A
  file that was deleted by hand comes back.
- Nothing is replaced where nothing changed.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from renderer.edge.errors import OutsideError, StoppedError, telling
from renderer.edge.places import checked
from renderer.edge.progress import counted, step
from renderer.edge.survey import Survey, survey
from renderer.edge.workbench import Workbench
from renderer.model.owned import NOTHING, OWNED_PATH, Directory, contents_of, decode
from renderer.model.tree import Blob, Tree, placed

_NO_LINKS = (errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EACCES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a write did, as `/`-separated paths below the directory; all empty where nothing changed."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept_foreign: tuple[str, ...] = ()


def write_directory(
    target: Path,
    tree: Tree,
    *,
    apart_from: Sequence[Path] = (),
    adopt: bool = False,
    overwrite: bool = False,
    dry_run: bool = False,
) -> Written:
    """Make `target` hold exactly `tree`, beside the foreign files it holds already.

    `apart_from` are places that `target` must neither be nor contain (the workspace). `adopt` takes over a
    directory that krender did not write, and foreign files in the tree's places; `overwrite` gives up edits
    of krender's own files. A dry run only tells what would be done.
    Raises StoppedError where the directory must not be written, OutsideError where it cannot be; it is
    then as it was.
    """
    with telling(f"write {target}"):
        place = checked(target, apart_from)
        if dry_run:
            return _written(_agreed(place, tree, adopt=adopt, overwrite=overwrite))
        place.parent.mkdir(parents=True, exist_ok=True)
        with Workbench(place) as bench:
            todo = _agreed(place, tree, adopt=adopt, overwrite=overwrite)
            if todo.wanted or todo.removed:
                _build(todo, place, bench.next)
                left = bench.swap()
                if left:
                    _rescue(todo, left, place)
        return _written(todo)


def _agreed(place: Path, tree: Tree, *, adopt: bool, overwrite: bool) -> Survey:
    """What there is to do, if nothing speaks against it."""
    whole = placed(tree, OWNED_PATH, Blob(contents_of(tree)))
    todo = survey(place, _recorded(place, adopt=adopt), whole, adopt=adopt)
    if todo.blocked:
        raise StoppedError(
            f"{_listed(todo.blocked)} of {place} would be overwritten, and krender did not write it",
            "a foreign file is never overwritten",
            "move it away, or let krender take it over with --adopt",
            tuple(todo.blocked),
        )
    if todo.edited and not overwrite:
        raise StoppedError(
            f"{_listed(todo.edited)} of {place} was edited by hand since krender wrote it",
            "rendering again would lose the edit",
            "move the edit into the workspace, or give it up with --overwrite",
            tuple(todo.edited),
        )
    return todo


def _recorded(place: Path, *, adopt: bool) -> Directory:
    """What krender wrote into the directory, by its own record."""
    if not place.exists() or not any(place.iterdir()):
        return NOTHING
    try:
        return decode((place / OWNED_PATH).read_bytes())
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        reason = "is not empty, and krender did not write it"
    except ValueError as error:
        reason = f"has a damaged record {OWNED_PATH}: {error}"
    if adopt:
        return NOTHING
    raise StoppedError(
        f"{place} {reason}",
        "krender deletes what it does not render again, and must not delete what is not its own",
        "name an empty directory, or let krender take this one over with --adopt",
    )


def _build(todo: Survey, place: Path, new: Path) -> None:
    """Build the new state at `new`."""
    for folder in todo.folders:
        (new / folder).mkdir()
    for path in (*todo.unchanged, *todo.foreign):
        _link(place / path, new / path)
    step("writing files", len(todo.wanted))
    for path, blob in counted(todo.wanted):
        with (new / path).open("xb") as file:
            file.write(blob.data)
    touched = {path.rpartition("/")[0] for path in (*(path for path, _ in todo.wanted), *todo.removed)}
    for folder in reversed(todo.folders):  # last, because a directory may be kept read-only
        if (place / folder).is_dir():
            shutil.copystat(place / folder, new / folder)
        if folder.rstrip("/") in touched:
            os.utime(new / folder)


def _link(old: Path, new: Path) -> None:
    """Have a file at a second place as well: the file itself, or a copy where there are no hard links."""
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise OutsideError(
                f"cannot replace {old.parent}: another file system is mounted there",
                "a directory is written by putting a new one in its place",
                "name a directory without mounts in it",
            ) from error
        if error.errno not in _NO_LINKS:
            raise
        shutil.copy2(old, new, follow_symlinks=False)


def _rescue(todo: Survey, left: Path, place: Path) -> None:
    """Keep what others wrote into the old state while the new one was being built."""
    known = {*todo.unchanged, *todo.changed, *todo.removed, OWNED_PATH}
    for folder, _, names in os.walk(left):
        below = Path(folder).relative_to(left)
        for name in names:
            path = (below / name).as_posix()
            if path not in known and not _same(left / path, place / path):
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (left / path).replace(place / path)


def _same(old: Path, new: Path) -> bool:
    """Whether two places hold one file, or the same version of it."""
    if not os.path.lexists(new):
        return False
    before, after = old.lstat(), new.lstat()
    return os.path.samestat(before, after) or (before.st_mtime_ns, before.st_size) == (
        after.st_mtime_ns,
        after.st_size,
    )


def _written(todo: Survey) -> Written:
    """The report of what was done."""
    return Written(
        added=tuple(todo.added),
        changed=tuple(todo.changed),
        removed=tuple(todo.removed),
        kept_foreign=tuple(todo.foreign),
    )


def _listed(paths: Sequence[str]) -> str:
    """Name the first path and count the others."""
    return paths[0] if len(paths) == 1 else f"{paths[0]} (and {len(paths) - 1} more)"
