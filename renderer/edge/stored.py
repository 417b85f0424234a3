"""Trees and files that lie in a repository, read when somebody looks into them.

They are trees and blobs like any other, so what was published is compared with a plan by ids alone, and a
directory that stays as it was published can be put into the next tree without reading it.
"""

from __future__ import annotations

import contextlib
import re
from typing import ClassVar

from renderer.edge.command import Child, Git
from renderer.edge.errors import OutsideError
from renderer.model.tree import Blob, Tree

_TREE_MODES = (b"40000", b"040000")  # Git writes the first; old tools wrote the second
_ENTRIES = {
    "sha1": re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL),
    "sha256": re.compile(rb"([0-7]+) ([^\0]+)\0(.{32})", re.DOTALL),
}
_SUBMODULE = "160000"


class Objects:
    """Reads objects through one long-lived `git cat-file`."""

    def __init__(self, git: Git, algorithm: str) -> None:
        """Read from the repository `git` runs in; nothing is started before the first read."""
        self.algorithm = algorithm
        self._git = git
        self._child: Child | None = None

    def read(self, name: str) -> bytes:
        """The content of an object. Raises OutsideError where it is missing or damaged."""
        if self._child is None:
            self._child = self._git.start("cat-file", "--batch")
        with contextlib.suppress(BrokenPipeError):
            self._child.feed.write(name.encode() + b"\n")
            self._child.feed.flush()
        header = self._child.answers.readline().split()
        if header[1:] == [b"missing"]:
            raise self._unreadable(f"lacks the object {name}")
        size = int(header[2]) if len(header) == 3 else 0
        body = self._child.answers.read(size + 1)
        if len(body) != size + 1:
            self._child.end()
            raise self._child.refusal()
        return body[:-1]

    def damaged(self, name: str) -> OutsideError:
        """The error that a directory of that id is none."""
        return self._unreadable(f"has a damaged directory {name}")

    def _unreadable(self, fault: str) -> OutsideError:
        return OutsideError(
            f"the repository at {self._git.directory} {fault}",
            "what was published cannot be read back",
            "run `git fsck --full` in it, and fetch the rendered branch again",
        )

    def tree(self, name: str) -> Tree:
        """The tree of that id."""
        return StoredTree(self, bytes.fromhex(name))

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()
            self._child = None


class StoredBlob(Blob):
    """A file that lies in a repository; links and submodules too, which only others can have put there."""

    __slots__ = ("_mode", "_name", "_objects")
    stored: ClassVar[bool] = True

    def __init__(self, objects: Objects, mode: str, name: bytes) -> None:
        """A file by its mode and id."""
        self.parts = ()
        self._objects = objects
        self._mode = mode
        self._id = self._name = name

    @property
    def mode(self) -> str:
        """The mode as Git writes it."""
        return self._mode

    @property
    def data(self) -> bytes:
        """The content; a submodule has none here."""
        return b"" if self._mode == _SUBMODULE else self._objects.read(self._name.hex())

    @property
    def token(self) -> bytes:
        """Its id, which is known."""
        return self._id

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this content, known without reading it in the repository's own algorithm."""
        return self._name if algorithm == self._objects.algorithm else super().object_id(algorithm)


class StoredTree(Tree):
    """A directory that lies in a repository."""

    __slots__ = ("_id", "_objects")
    stored: ClassVar[bool] = True

    def __init__(self, objects: Objects, name: bytes) -> None:
        """A directory by its id."""
        # Without Tree.__init__, which sorts and checks: Git has done both.
        self._entries = self._ids = self._shape = None
        self._objects = objects
        self._id = name

    @property
    def algorithm(self) -> str:
        """That of its repository."""
        return self._objects.algorithm

    def __bool__(self) -> bool:
        """Git stores no directory without a file, so there is no need to look."""
        return True

    @property
    def token(self) -> bytes:
        """Its id, which is known."""
        return self._id

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this tree, known without reading it in the repository's own algorithm."""
        return self._id if algorithm == self._objects.algorithm else super().object_id(algorithm)

    def _read(self) -> dict[str, Blob | Tree]:
        """Read the tree object: mode, space, name, NUL, raw id, again and again."""
        objects = self._objects
        body = objects.read(self._id.hex())
        found = _ENTRIES[objects.algorithm].findall(body)
        if sum(len(mode) + len(name) + len(known) + 2 for mode, name, known in found) != len(body):
            raise objects.damaged(self._id.hex())
        return {
            name.decode("utf-8", "surrogateescape"): StoredTree(objects, known)
            if mode in _TREE_MODES
            else StoredBlob(objects, mode.decode(), known)
            for mode, name, known in found
        }
