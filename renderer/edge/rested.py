"""Output directories that a render had nothing to do in, so that the next one need not look again.

What is known of a directory lies in the user's cache, not in the directory: there it would change with every
edit of the workspace, also with those that change nothing. It tells from which input the directory follows
by which krender, and what krender's record of the directory was. Whether the files are still as recorded is
looked up each time: somebody may have edited them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renderer.edge.cache import cache
from renderer.edge.standing import Watched
from renderer.model.memory_keys import PUBLISHED
from renderer.model.owned import OWNED_PATH, Directory, decode
from renderer.model.tree import Blob, digest

_FORMAT = "krender.io/rested/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested:
    """That a directory is what `version` of krender makes of the input with that digest.

    `total` is what the render said is in it, on one line.
    """

    version: str
    inputs: str
    total: str


def remember(target: Path, rested: Rested) -> None:
    """Note it down for the directory as it is recorded now; where that cannot be, nothing is lost."""
    place = _place(target)
    draft = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        lines = (_FORMAT, rested.version, rested.inputs, _record(target)[1], rested.total)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        draft.replace(place)


def recall(target: Path, *, version: str, inputs: str) -> Rested | None:
    """What is known of the directory, if it still is what that krender makes of that input; else None.

    Raises OSError or ValueError where something cannot be read.
    """
    lines = _place(target).read_text(encoding="utf-8").splitlines()
    record, found = _record(target)
    if len(lines) != 5 or lines[:4] != [_FORMAT, version, inputs, found]:
        return None
    rested = Rested(version=version, inputs=inputs, total=lines[4])
    return rested if _holds(str(target), "", decode(record)) else None


def watched(target: Path) -> Watched:
    """All that the directory holds of krender, and every directory that it looks into."""
    record, _ = _record(target)
    return Watched(str(target), ["", ".krender", OWNED_PATH, *_paths("", decode(record))])


def _paths(below: str, recorded: Directory) -> Iterator[str]:
    """Everything that is recorded."""
    for name, record in recorded.entries.items():
        yield f"{below}{name}"
        if isinstance(record, Directory):
            yield from _paths(f"{below}{name}/", record)


def _place(target: Path) -> Path:
    """Where it is noted down."""
    name = hashlib.sha256(os.fsencode(target.resolve())).hexdigest()
    return cache() / "rested" / name[:32]


def _record(target: Path) -> tuple[bytes, str]:
    """The record of what krender wrote into the directory, and its digest."""
    record = (target / OWNED_PATH).read_bytes()
    return record, hashlib.sha256(record).hexdigest()


def _holds(directory: str, path: str, recorded: Directory) -> bool:
    """Whether everything that is recorded is there as it was written.

    Nothing else may be where krender looks for its memory: a foreign file there would be read, too.
    """
    with os.scandir(f"{directory}/{path}") as listing:
        found = {entry.name: entry for entry in listing}
    if any(name not in found for name in recorded.entries):
        return False
    for name, entry in found.items():
        below, record = f"{path}{name}", recorded.at(name)
        if record is None:
            if below != OWNED_PATH and (path or name in PUBLISHED):
                return False
        elif isinstance(record, Directory):
            if not entry.is_dir(follow_symlinks=False) or not _holds(directory, f"{below}/", record):
                return False
        elif not entry.is_file(follow_symlinks=False) or _digest(entry.path) != record:
            return False
    return True


def _digest(path: str) -> str:
    """A file's digest as records have it."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a Path for each of many files takes long
        return digest(Blob(file.read()))
