"""A tree of files as a value: names to bytes, in which equal directories can be one shared object.

The published tree of ten thousand clusters with a hundred files each must not become a million path
strings, so a tree nests: a directory is an object, and clusters that get the same share it. Nodes never
change, which is why their digests may be kept. The digest is Git's object id: it tells in one comparison
whether a directory differs from what a repository holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TypeAlias


class Blob:
    """The bytes of one file; given in parts where many files share most of them.

    `Blob(head, b"eu-1", tail)` keeps references to `head` and `tail` and joins them when `data` is read.
    """

    __slots__ = ("_ids", "parts")

    def __init__(self, *parts: bytes) -> None:
        """Keep the parts; joined, they are the content."""
        self.parts = parts
        self._ids: tuple[str, bytes] | None = None

    @property
    def data(self) -> bytes:
        """The content."""
        return self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this content in a repository of that hash (`sha1` or `sha256`), as raw bytes."""
        if self._ids is None or self._ids[0] != algorithm:
            self._ids = (algorithm, _object_id(algorithm, b"blob", self.data))
        return self._ids[1]

    def __eq__(self, other: object) -> bool:
        """Two blobs are equal when their contents are, however these are cut into parts."""
        return isinstance(other, Blob) and (self is other or self.data == other.data)

    def __hash__(self) -> int:
        """Hash of the content."""
        return hash(self.data)

    def __repr__(self) -> str:
        """Show the content."""
        return f"Blob({self.data!r})"


class Tree(Mapping[str, "Blob | Tree"]):
    """A directory: names to blobs and trees, in Git's order (a directory sorts as if its name ended in `/`).

    So walking it yields paths in byte order. Directories without a file are dropped: Git has none.
    Raises ValueError for a name that could leave the tree or that Git refuses.
    """

    __slots__ = ("_entries", "_ids")

    def __init__(self, entries: Mapping[str, Blob | Tree]) -> None:
        """Take the entries, in any order; the mapping is copied."""
        kept = [(name, node) for name, node in entries.items() if not isinstance(node, Tree) or node]
        for name, _ in kept:
            _check(name)
        self._entries = dict(sorted(kept, key=_git_order))
        self._ids: tuple[str, bytes] | None = None

    def __getitem__(self, name: str) -> Blob | Tree:
        """The entry of that name (one segment: see `at` for paths)."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Names, in Git's order."""
        return iter(self._entries)

    def __len__(self) -> int:
        """How many entries this directory has; 0 only for the tree without any file."""
        return len(self._entries)

    def at(self, path: str) -> Blob | Tree | None:
        """What lies at a `/`-separated path; None where nothing does."""
        node: Blob | Tree = self
        for name in path.split("/"):
            if not isinstance(node, Tree) or name not in node:
                return None
            node = node[name]
        return node

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this tree in a repository of that hash (`sha1` or `sha256`), as raw bytes."""
        if self._ids is None or self._ids[0] != algorithm:
            body = b"".join(_entry(name, node, algorithm) for name, node in self._entries.items())
            self._ids = (algorithm, _object_id(algorithm, b"tree", body))
        return self._ids[1]

    def __eq__(self, other: object) -> bool:
        """Two trees are equal when they hold the same files."""
        return isinstance(other, Tree) and (self is other or self._entries == other._entries)

    def __hash__(self) -> int:
        """Hash of the content."""
        return hash(self.object_id("sha256"))

    def __repr__(self) -> str:
        """Name the entries."""
        return f"Tree({', '.join(self._entries)})"


Node: TypeAlias = Blob | Tree


def tree_of(files: Mapping[str, bytes | Node]) -> Tree:
    """Build a tree from `/`-separated paths to bytes, blobs or whole (shared) directories.

    Raises ValueError where one path needs a directory that another makes a file.
    """
    root: dict[str, object] = {}
    for path, content in files.items():
        *folders, name = path.split("/")
        folder = root
        for segment in folders:
            child = folder.setdefault(segment, {})
            if not isinstance(child, dict):
                raise ValueError(f"{path}: {segment} is a file or a finished directory")
            folder = child
        if name in folder:
            raise ValueError(f"{path}: is already there")
        folder[name] = Blob(content) if isinstance(content, bytes) else content
    return _frozen(root)


def placed(tree: Tree, path: str, node: Node) -> Tree:
    """The tree with `node` at `path`; everything beside that path is shared with the old tree.

    Raises ValueError where the path leads through a file.
    """
    name, _, rest = path.partition("/")
    if rest:
        child = tree.get(name, EMPTY_TREE)
        if not isinstance(child, Tree):
            raise ValueError(f"{path}: {name} is a file")
        node = placed(child, rest, node)
    return Tree({**tree, name: node})


def walk(tree: Tree, below: str = "") -> Iterator[tuple[str, Blob]]:
    """Every file with its path, in byte order of the paths."""
    for name, node in tree.items():
        if isinstance(node, Tree):
            yield from walk(node, f"{below}{name}/")
        else:
            yield f"{below}{name}", node


def count(tree: Tree) -> int:
    """How many files lie in the tree."""
    seen: dict[int, int] = {}

    def counted(directory: Tree) -> int:
        if id(directory) not in seen:
            seen[id(directory)] = sum(
                counted(node) if isinstance(node, Tree) else 1 for node in directory.values()
            )
        return seen[id(directory)]

    return counted(tree)


def digest(node: Node) -> str:
    """A hexadecimal digest of a file's or a directory's content: the id Git gives it under SHA-256."""
    return node.object_id("sha256").hex()


def _frozen(folder: Mapping[str, object]) -> Tree:
    """Turn nested dicts into trees."""
    entries: dict[str, Node] = {}
    for name, child in folder.items():
        if isinstance(child, dict):
            entries[name] = _frozen(child)
        elif isinstance(child, Blob | Tree):
            entries[name] = child
    return Tree(entries)


def _check(name: str) -> None:
    """Refuse what is no file name, could leave the tree, or would be Git's own directory."""
    if name in ("", ".", "..") or "/" in name or "\0" in name or name.lower() == ".git":
        raise ValueError(f"{name!r} cannot be the name of a file in a published tree")


def _git_order(entry: tuple[str, Node]) -> str:
    """Sort key of an entry. Code point order is the byte order of UTF-8."""
    name, node = entry
    return f"{name}/" if isinstance(node, Tree) else name


def _entry(name: str, node: Node, algorithm: str) -> bytes:
    """One line of a Git tree object."""
    mode = b"40000 " if isinstance(node, Tree) else b"100644 "
    return mode + name.encode() + b"\0" + node.object_id(algorithm)


def _object_id(algorithm: str, kind: bytes, body: bytes) -> bytes:
    """Git's id of an object: the hash of its header and body."""
    hashed = hashlib.new(algorithm, b"%b %d\0" % (kind, len(body)), usedforsecurity=False)
    hashed.update(body)
    return hashed.digest()


EMPTY_TREE = Tree({})
