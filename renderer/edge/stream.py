"""A change from one tree to another as commands for `git fast-import`.

Three findings about fast-import shape the stream (measured; see docs/performance.md):

- It compresses a file against the one before, so files are sent in columns: the same path of every cluster
  in a row.
- It searches a directory's entries one by one, so naming files below one of ten thousand clusters costs
  ten thousand steps each. Every distinct directory two levels down is therefore put together once in a
  scratch directory of its own, and then placed by its id wherever it belongs.
- `ls` makes it store the scratch directory, whose id is known here before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, file_name, unlike

# A directory as it shall be, and as it is in the parent commit (empty where it is new).
Pair: TypeAlias = tuple[Tree, Tree]


def files(old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """The `blob` commands for every file that the parent does not have at its place."""
    for blob in _new_blobs(old, new, algorithm):
        data = blob.data
        yield b"blob\ndata %d\n%b\n" % (len(data), data)


def edits(old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """The commands that make the parent's tree the new one, to stand inside a `commit`."""
    scratch = _free_name(old, new)
    for name, node, before in _differences(old, new, algorithm):
        if node is None or isinstance(node, Blob) or node.stored:
            yield _change(file_name(name), node, algorithm)
        else:
            yield from _directory(file_name(name), _directory_of(before), node, algorithm, scratch)


def _directory(path: bytes, old: Tree, new: Tree, algorithm: str, scratch: bytes) -> Iterator[bytes]:
    """The commands for one directory of the root: each distinct directory in it once, then where it goes."""
    places: dict[bytes, list[bytes]] = {}
    for name, node, before in _differences(old, new, algorithm):
        place = b"%b/%b" % (path, file_name(name))
        if node is None or isinstance(node, Blob) or node.stored:
            yield _change(place, node, algorithm)
            continue
        wanted = node.object_id(algorithm)
        if wanted not in places:
            places[wanted] = []
            yield from _assembled(_directory_of(before), node, algorithm, scratch)
        places[wanted].append(place)
    for wanted, same in places.items():
        for place in same:
            yield _placed(place, wanted)


def _assembled(old: Tree, new: Tree, algorithm: str, scratch: bytes) -> Iterator[bytes]:
    """Put one directory together in the scratch place, and have it stored."""
    if old.stored:
        yield _placed(scratch, old.object_id(algorithm))
    yield from _below(scratch, old if old.stored else EMPTY_TREE, new, algorithm)
    yield b'ls "%b"\nD %b\n' % (scratch, scratch)


def _below(path: bytes, old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """Every change below a directory, file by file."""
    for name, node, before in _differences(old, new, algorithm):
        place = b"%b/%b" % (path, file_name(name))
        if node is None or isinstance(node, Blob) or node.stored:
            yield _change(place, node, algorithm)
        else:
            yield from _below(place, _directory_of(before), node, algorithm)


def _differences(old: Tree, new: Tree, algorithm: str) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Name, new node and old node of every entry that is not the same; what goes comes first.

    First, so that a file never has to give way to a directory of its name in the same place.
    """
    changes = tuple(unlike(old, new, algorithm))
    for name, node, gone in changes:
        if gone is not None and (node is None or isinstance(node, Blob) != isinstance(gone, Blob)):
            yield name, None, gone
    for name, node, was in changes:
        if node is not None:
            yield name, node, was


def _directory_of(node: Node | None) -> Tree:
    """A node as a directory; an empty one where it is none."""
    return EMPTY_TREE if node is None or isinstance(node, Blob) else node


def _new_blobs(old: Tree, new: Tree, algorithm: str) -> Iterator[Blob]:
    """The files to send, column by column within each directory of the root."""
    for _, node, before in _differences(old, new, algorithm):
        if node is None or node.stored:
            continue
        if isinstance(node, Blob):
            yield node
        else:
            yield from _columns_below(node, _directory_of(before), algorithm)


def _columns_below(new: Tree, old: Tree, algorithm: str) -> Iterator[Blob]:
    """The files of one directory of the root, and of the distinct directories in it."""
    pairs: dict[bytes, Pair] = {}
    for _, node, before in _differences(old, new, algorithm):
        if node is None or node.stored:
            continue
        if isinstance(node, Blob):
            yield node
        else:
            pairs.setdefault(node.object_id(algorithm), (node, _directory_of(before)))
    yield from _columns(tuple(pairs.values()), algorithm)


def _columns(pairs: Sequence[Pair], algorithm: str) -> Iterator[Blob]:
    """The new files of many directories, the same name of each in a row."""
    for name in dict.fromkeys(name for new, _ in pairs for name in new.entries()):
        inner: dict[bytes, Pair] = {}
        sent: set[bytes] = set()  # never iterated
        for new, old in pairs:
            node = new.entries().get(name)
            if node is None or node.stored:
                continue
            before, wanted = old.entries().get(name), node.object_id(algorithm)
            if before is not None and before.object_id(algorithm) == wanted:
                continue
            if not isinstance(node, Blob):
                inner.setdefault(wanted, (node, _directory_of(before)))
            elif wanted not in sent:
                sent.add(wanted)
                yield node
        yield from _columns(tuple(inner.values()), algorithm)


def _change(path: bytes, node: Node | None, algorithm: str) -> bytes:
    """The command that sets one entry by its id, or removes it."""
    if node is None:
        return b"D %b\n" % _quoted(path)
    if isinstance(node, Blob):
        name = node.object_id(algorithm).hex()
        return b"M %b %b %b\n" % (node.mode.encode(), name.encode(), _quoted(path))
    return _placed(path, node.object_id(algorithm))


def _placed(path: bytes, tree: bytes) -> bytes:
    """The command that puts a stored directory somewhere."""
    return b"M 040000 %b %b\n" % (tree.hex().encode(), _quoted(path))


def _quoted(path: bytes) -> bytes:
    """A path as fast-import reads it: in C quotes where it would be misread without."""
    if not path.startswith(b'"') and b"\n" not in path:
        return path
    return b'"%b"' % path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _free_name(*trees: Tree) -> bytes:
    """A name for the scratch directory that no tree has at its root; it needs no quotes."""
    name = ".krender-scratch"
    while any(name in tree for tree in trees):
        name += "+"
    return name.encode()
