"""A tree of files as a value: names to bytes, in which equal directories can be one shared object.

The published tree of ten thousand clusters with a hundred files each must not become a million path
strings, so a tree nests: a directory is an object, and clusters that get the same share it. Nodes never
change, which is why their digests may be kept. The digest is Git's object id: it tells in one comparison
whether a directory differs from what a repository holds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import ClassVar, TypeAlias


class Blob:
    """The bytes of one file; given in parts where many files share most of them.

    `Blob(head, b"eu-1", tail)` keeps references to `head` and `tail` and joins them when `data` is read.
    A repository's own blobs are a subclass that reads the content when asked and may have another mode.
    """

    __slots__ = ("_id", "parts")
    stored: ClassVar[bool] = False  # whether the repository it came from holds it already

    def __init__(self, *parts: bytes) -> None:
        """Keep the parts; joined, they are the content."""
        self.parts = parts
        self._id = b""  # the last one that was asked for; how long it is tells of which algorithm

    @property
    def data(self) -> bytes:
        """The content."""
        return self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)

    @property
    def mode(self) -> str:
        """The mode as Git writes it; krender itself makes plain files only."""
        return "100644"

    @property
    def token(self) -> Hashable:
        """Equal for nodes that are known, without a look into them, to be the same; while both live."""
        return id(self)

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this content in a repository of that hash (`sha1` or `sha256`), as raw bytes."""
        if len(self._id) != _LENGTHS[algorithm]:
            self._id = _object_id(algorithm, b"blob", self.data)
        return self._id

    def __eq__(self, other: object) -> bool:
        """Two blobs are equal when their contents are, however these are cut into parts."""
        return isinstance(other, Blob) and (self is other or self.data == other.data)

    def __hash__(self) -> int:
        """Hash of the content."""
        return hash(self.data)

    def __repr__(self) -> str:
        """Show the content."""
        return f"Blob({self.data!r})"


class Filled(Blob):
    """A file that differs from others in a few texts only: what is common to all is kept once."""

    __slots__ = ("_texts", "_values")

    def __init__(self, texts: Sequence[bytes], values: Sequence[bytes]) -> None:
        """Take what stands before, between and after the values, and the values."""
        self._id = b""
        self._texts = texts
        self._values = values

    @property
    def parts(self) -> tuple[bytes, ...]:  # type: ignore[override]
        """The content, cut where values begin and end."""
        return tuple(chain.from_iterable(zip_longest(self._texts, self._values, fillvalue=b"")))

    @property
    def data(self) -> bytes:
        """The content."""
        return b"".join(self.parts)


class Tree(Mapping[str, "Blob | Tree"]):
    """A directory: names to blobs and trees, in Git's order (a directory sorts as if its name ended in `/`).

    So walking it yields paths in byte order. Directories without a file are dropped: Git has none.
    Raises ValueError for a name that could leave the tree or that Git refuses.
    """

    __slots__ = ("_entries", "_ids", "_shape")
    stored: ClassVar[bool] = False  # whether the repository it came from holds it already
    mode: ClassVar[str] = "40000"  # as Git writes it

    def __init__(self, entries: Mapping[str, Blob | Tree]) -> None:
        """Take the entries, in any order; the mapping is copied."""
        kept = {name: node for name, node in entries.items() if isinstance(node, Blob) or node}
        order, shape = _outline(tuple(kept), tuple(map(type, kept.values())))
        self._entries: dict[str, Blob | Tree] | None = {name: kept[name] for name in order}
        self._ids: tuple[str, bytes] | None = None
        self._shape: bytes | None = shape

    @property
    def algorithm(self) -> str:
        """By which of them its id is known, if by any, without a look into it."""
        return "sha1"

    def entries(self) -> dict[str, Blob | Tree]:
        """The entries in Git's order, as a dict that nobody changes."""
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> dict[str, Blob | Tree]:
        """What a repository's own tree reads when it is first looked into."""
        return {}

    def __getitem__(self, name: str) -> Blob | Tree:
        """The entry of that name (one segment: see `at` for paths)."""
        return self.entries()[name]

    def __iter__(self) -> Iterator[str]:
        """Names, in Git's order."""
        return iter(self.entries())

    def __len__(self) -> int:
        """How many entries this directory has; 0 only for the tree without any file."""
        return len(self.entries())

    def child(self, name: str) -> Blob | Tree | None:
        """The entry of that name; None where there is none."""
        return self.entries().get(name)

    def at(self, path: str) -> Blob | Tree | None:
        """What lies at a `/`-separated path; None where nothing does."""
        node: Blob | Tree | None = self
        for name in path.split("/"):
            if not isinstance(node, Tree):
                return None
            node = node.child(name)
        return node

    @property
    def token(self) -> Hashable:
        """Equal for nodes that are known, without a look into them, to be the same; while both live."""
        return id(self)

    def object_id(self, algorithm: str) -> bytes:
        """Git's id of this tree in a repository of that hash (`sha1` or `sha256`), as raw bytes."""
        if self._ids is None or self._ids[0] != algorithm:
            body = b"".join([_entry(name, node, algorithm) for name, node in self.entries().items()])
            self._ids = (algorithm, _object_id(algorithm, b"tree", body))
        return self._ids[1]

    def shape(self) -> bytes:
        """A digest of the names alone: directories of one shape hold the same paths."""
        if self._shape is None:
            entries = self.entries()
            below = tuple([b"" if isinstance(node, Blob) else node.shape() for node in entries.values()])
            self._shape = _shape(tuple(entries), below)
        return self._shape

    def __eq__(self, other: object) -> bool:
        """Two trees are equal when they hold the same files."""
        return isinstance(other, Tree) and (self is other or self.entries() == other.entries())

    def __hash__(self) -> int:
        """Hash of the content."""
        return hash(self.object_id("sha256"))

    def __repr__(self) -> str:
        """Name the entries."""
        return f"Tree({', '.join(self.entries())})"


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
        # Names that ten thousand clusters have in common are kept once.
        folder[sys.intern(name)] = Blob(content) if isinstance(content, bytes) else content
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
    return Tree({**tree.entries(), name: node})


def walk(tree: Tree, below: str = "") -> Iterator[tuple[str, Blob]]:
    """Every file with its path, in byte order of the paths."""
    for name, node in tree.entries().items():
        if isinstance(node, Tree):
            yield from walk(node, f"{below}{name}/")
        else:
            yield f"{below}{name}", node


def unlike(old: Tree, new: Tree, algorithm: str) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Name, new node and old node of every entry that is not the same, in the order of both.

    The order of the old tree for what is gone, then that of the new one. This is asked of ten thousand
    clusters of which few have changed, so nothing is done for those that are as they were.
    """
    before, after = old.entries(), new.entries()
    if before.keys() - after.keys():
        yield from ((name, None, gone) for name, gone in before.items() if name not in after)
    for name, node in after.items():
        was = before.get(name)
        if was is node:
            continue
        if was is None or was.object_id(algorithm) != node.object_id(algorithm) or was.mode != node.mode:
            yield name, node, was


def count(tree: Tree) -> int:
    """How many files lie in the tree."""
    seen: dict[int, int] = {}

    def counted(directory: Tree) -> int:
        if id(directory) not in seen:
            seen[id(directory)] = sum(
                counted(node) if isinstance(node, Tree) else 1 for node in directory.entries().values()
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


def file_name(name: str) -> bytes:
    """A name as the bytes of a path. A foreign file's name may be no UTF-8: it comes back as it was found."""
    return name.encode("utf-8", "surrogateescape")


@lru_cache(maxsize=4096)
def _outline(
    names: tuple[str, ...], kinds: tuple[type[Blob | Tree], ...]
) -> tuple[tuple[str, ...], bytes | None]:
    """What directories with the same names have in common: Git's order, and the shape if all are files.

    Raises ValueError for a name that no published tree may have.
    """
    for name in names:
        _check(name)
    is_file = {name: issubclass(kind, Blob) for name, kind in zip(names, kinds, strict=True)}
    order = tuple(sorted(names, key=lambda name: file_name(name if is_file[name] else f"{name}/")))
    return order, _shape(order, (b"",) * len(order)) if all(is_file.values()) else None


def _entry(name: str, node: Node, algorithm: str) -> bytes:
    """One entry of a Git tree object."""
    return b"%b %b\0%b" % (node.mode.encode(), file_name(name), node.object_id(algorithm))


@lru_cache(maxsize=4096)
def _shape(names: tuple[str, ...], below: tuple[bytes, ...]) -> bytes:
    """The shape of a directory: names of files, and names of directories with their shapes."""
    entries = zip(names, below, strict=True)
    return hashlib.sha256(
        b"".join([file_name(name) + (b"/" + shape if shape else b"\0") for name, shape in entries])
    ).digest()


def _object_id(algorithm: str, kind: bytes, body: bytes) -> bytes:
    """Git's id of an object: the hash of its header and body."""
    return _HASHES[algorithm](b"%b %d\0%b" % (kind, len(body), body), usedforsecurity=False).digest()


_HASHES = {"sha1": hashlib.sha1, "sha256": hashlib.sha256}
_LENGTHS = {"sha1": 20, "sha256": 32}  # of ids, in bytes

EMPTY_TREE = Tree({})
