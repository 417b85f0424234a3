"""What krender wrote and may therefore delete: the record in `.krender/owned`.

A record lists every distinct directory once, by an id made from what it lists, so ten thousand clusters
with the same file names cost ten thousand names and not a million paths, and a change of one directory
changes few lines. On a branch the record holds names only, because Git's history tells what was written;
in a plain directory it also holds each file's digest, so that a file edited by hand is noticed.

    {
     "format": "krender.io/owned/v1",
     "root": "<id>",
     "directories": {
      "<id>": {
       "<file>": "<digest, or empty>",
       "<directory>/": "<id>"
      }
     }
    }
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from renderer.document.kept_json import kept_json
from renderer.model.tree import Blob, Tree, digest

OWNED_PATH = ".krender/owned"

# A file's recorded digest ("" where none is), or the record of a directory.
Record: TypeAlias = "str | Directory"


@dataclass(frozen=True, slots=True, eq=False)
class Directory:
    """The record of one directory: file names to digests, directory names to their records."""

    entries: Mapping[str, Record]

    def at(self, name: str) -> Record | None:
        """What is recorded under that name; None where nothing is."""
        return self.entries.get(name)


NOTHING = Directory({})


def names_of(tree: Tree) -> bytes:
    """The record of a tree on a branch: names without digests."""
    return _encode(tree, Tree.shape, lambda _: "")


def contents_of(tree: Tree) -> bytes:
    """The record of a tree in a plain directory: names with each file's digest."""
    return _encode(tree, lambda directory: directory.object_id("sha256"), digest)


def only(tree: Tree, recorded: Directory) -> Tree:
    """The part of a tree that is in the record: krender's own files."""
    kept: dict[str, Blob | Tree] = {}
    for name, node in tree.entries().items():
        record = recorded.at(name)
        if isinstance(node, Tree) and isinstance(record, Directory):
            kept[name] = only(node, record)
        elif isinstance(node, Blob) and isinstance(record, str):
            kept[name] = node
    return Tree(kept)


def decode(data: bytes) -> Directory:
    """Read a record back. Raises ValueError where it is none."""
    document = kept_json(data, _FORMAT)
    directories = document.get("directories")
    if not isinstance(directories, dict):
        raise ValueError("it lists no directories")
    return _Decoder(directories).directory(document.get("root"), depth=0)


_FORMAT = "krender.io/owned/v1"
_MAX_DEPTH = 64


def _encode(tree: Tree, identify: Callable[[Tree], bytes], leaf: Callable[[Blob], str]) -> bytes:
    """Write every distinct directory once, sorted by id."""
    names: dict[bytes, str] = {}
    blocks: dict[str, str] = {}

    def named(directory: Tree) -> str:
        known = identify(directory)
        name = names.get(known)
        if name is None:
            name = names[known] = hashlib.sha256(known).hexdigest()[:20]
            listed: dict[str, str] = {}
            for entry, node in directory.entries().items():
                if isinstance(node, Blob):
                    listed[entry] = leaf(node)
                else:
                    listed[f"{entry}/"] = named(node)
            blocks[name] = json.dumps(listed, separators=(",\n   ", ": "))[1:-1]  # C code, unlike with indent
        return name

    root = named(tree)
    listed = ",\n".join(f'  "{name}": {{\n   {blocks[name]}\n  }}' for name in sorted(blocks))
    return (
        f'{{\n "format": "{_FORMAT}",\n "root": "{root}",\n "directories": {{\n{listed}\n }}\n}}\n'.encode()
    )


class _Decoder:
    """Turns the flat list of directories back into the directories that refer to each other."""

    def __init__(self, directories: Mapping[str, object]) -> None:
        """Take the listed directories by id."""
        self._listed = directories
        self._done: dict[str, Directory] = {}

    def directory(self, name: object, depth: int) -> Directory:
        """The directory of that id."""
        if not isinstance(name, str):
            raise ValueError("a directory is referred to by something that is no id")
        if name not in self._done:
            entries = self._listed.get(name)
            if not isinstance(entries, dict) or depth > _MAX_DEPTH:
                raise ValueError(f"it does not list the directory {name}")
            self._done[name] = Directory(dict(self._entry(*entry, depth) for entry in entries.items()))
        return self._done[name]

    def _entry(self, name: str, value: object, depth: int) -> tuple[str, Record]:
        """One line of a directory."""
        if name.endswith("/"):
            return name[:-1], self.directory(value, depth + 1)
        if not isinstance(value, str):
            raise ValueError(f"the digest of {name} is no text")
        return name, value
