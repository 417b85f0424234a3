"""Trees and files that lie in a repository, read when somebody looks into them.

They are trees and blobs like any other, so what was published is compared with a plan by ids alone, and a
directory that stays as it was published can be put into the next tree without reading it.
"""

from __future__ import annotations

import contextlib
from typing import ClassVar

from renderer.edge.command import Child, Git
from renderer.edge.errors import OutsideError
from renderer.model.tree import Blob, Tree

_TREE_MODE = 0o40000
_SUBMODULE = "160000"


class Objects:
    """Reads objects through one long-lived `git cat-file`."""

    def __init__(self, git: Git, algorithm: str) -> None:
        """Read from the repository `git` runs in; nothing is started before the first read."""
        self.algorithm = algorithm
        self.id_length = {"sha1": 20, "sha256": 32}[algorithm]
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
            raise OutsideError(
                f"the repository at {self._git.directory} lacks the object {name}",
                "what was published cannot be read back",
                "run `git fsck --full` in it, and fetch the rendered branch again",
            )
        size = int(header[2]) if len(header) == 3 else 0
        body = self._child.answers.read(size + 1)
        if len(body) != size + 1:
            self._child.end()
            raise self._child.refusal()
        return body[:-1]

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
        body = self._objects.read(self._id.hex())
        length = self._objects.id_length
        entries: dict[str, Blob | Tree] = {}
        position = 0
        while position < len(body):
            end = body.index(b"\0", position)
            mode, _, name = body[position:end].partition(b" ")
            position = end + 1 + length
            entries[name.decode("utf-8", "surrogateescape")] = self._entry(
                mode.decode(), body[end + 1 : position]
            )
        return entries

    def _entry(self, mode: str, name: bytes) -> Blob | Tree:
        """One entry as a node."""
        if int(mode, 8) == _TREE_MODE:
            return StoredTree(self._objects, name)
        return StoredBlob(self._objects, mode, name)
