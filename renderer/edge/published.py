"""A published tree in a plain directory, read as it is needed."""

from __future__ import annotations

import os
from pathlib import Path

from renderer.edge.errors import telling
from renderer.model.memory_keys import PUBLISHED
from renderer.model.owned import OWNED_PATH, decode, only
from renderer.model.tree import EMPTY_TREE, Blob, Tree


class FileBlob(Blob):
    """The content of a file, read when it is asked for."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        """Remember where the file is."""
        super().__init__()
        self._path = path

    @property
    def data(self) -> bytes:
        """The content. Raises OutsideError where the file cannot be read."""
        with telling(f"read {self._path}"):
            return self._path.read_bytes()


def read_published(directory: Path) -> Tree:
    """What was last rendered into a directory: clusters and bindings; empty where nothing was.

    Raises OutsideError where it cannot be read.
    """
    with telling(f"read {directory}"):
        found = {name: directory / name for name in PUBLISHED if (directory / name).is_dir()}
        return Tree({name: _read(path) for name, path in found.items()}) if found else EMPTY_TREE


def read_owned(directory: Path, found: Tree) -> Tree:
    """The part of what was found in a directory that krender wrote, by its own record there.

    Nothing where there is no such record; whether the directory may be written is for others to say.
    """
    try:
        return only(found, decode((directory / OWNED_PATH).read_bytes()))
    except (OSError, ValueError):
        return EMPTY_TREE


def _read(directory: Path) -> Tree:
    entries: dict[str, Blob | Tree] = {}
    with os.scandir(directory) as listed:
        for entry in listed:
            path = directory / entry.name
            if entry.is_dir(follow_symlinks=False):
                entries[entry.name] = _read(path)
            elif entry.is_file(follow_symlinks=False):
                entries[entry.name] = FileBlob(path)
    return Tree(entries)
