"""Single files of workspaces, each with what decides how it is read: settings and ignore files above it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renderer.document.file import SourceFile
from renderer.edge.files import read_workspace
from renderer.load.ignore import IGNORE_FILE
from renderer.load.peek import CONFIG_FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """A file, and the files above it that have a say; paths are relative to `root`."""

    root: Path
    file: SourceFile
    settings: tuple[SourceFile, ...] = ()


def read_single(path: Path) -> Single:
    """Read a file. Its workspace begins at the `krender.yaml` above it, else at its repository.

    Raises InputError, with positions relative to the file's directory, where something cannot be read.
    """
    place = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps the name by which it is known
    root = _root(place)
    return Single(root=root, file=_read(place, root), settings=tuple(_settings(place, root)))


def _root(place: Path) -> Path:
    for folder in place.parents:
        if (folder / CONFIG_FILE).is_file() or (folder / ".git").exists():
            return folder
    return place.parent


def _settings(place: Path, root: Path) -> Iterator[SourceFile]:
    """What lies at the root and on the way down to the file."""
    for folder in place.parents:
        for name in (CONFIG_FILE, IGNORE_FILE) if folder == root else (IGNORE_FILE,):
            if folder / name != place and (folder / name).is_file():
                yield _read(folder / name, root)
        if folder == root:
            return


def _read(place: Path, root: Path) -> SourceFile:
    (file,) = read_workspace(place)
    return SourceFile(path=place.relative_to(root).as_posix(), data=file.data)
