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

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, file_name

# A directory as it shall be, and as it is in the parent commit (empty where it is new).
Pair: TypeAlias = tuple[Tree, Tree]

_NEW_MODE = "040000"


def files(old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """The `blob` commands for every file that the parent does not have at its place."""
    for blob in _new_blobs(old, new, algorithm):
        data = blob.data
        yield b"blob\ndata %d\n" % len(data)
        yield data
        yield b"\n"


def edits(old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """The commands that make the parent's tree the new one, to stand inside a `commit`."""
    scratch = _free_name(old, new)
    for name, node, before in _differences(old, new, algorithm):
        if isinstance(node, Tree) and isinstance(before, Tree) and not node.stored:
            yield from _directory(name, before, node, algorithm, scratch)
        elif isinstance(node, Tree) and not node.stored:
            yield from _directory(name, EMPTY_TREE, node, algorithm, scratch)
        else:
            yield _change(name, node, algorithm)


def _directory(path: str, old: Tree, new: Tree, algorithm: str, scratch: str) -> Iterator[bytes]:
    """The commands for one directory of the root: each distinct directory in it once, then where it goes."""
    places: dict[bytes, list[str]] = {}
    for name, node, before in _differences(old, new, algorithm):
        if not isinstance(node, Tree) or node.stored:
            yield _change(f"{path}/{name}", node, algorithm)
            continue
        wanted = node.object_id(algorithm)
        if wanted not in places:
            places[wanted] = []
            base = before if isinstance(before, Tree) else EMPTY_TREE
            yield from _assembled(base, node, algorithm, scratch)
        places[wanted].append(f"{path}/{name}")
    for wanted, paths in places.items():
        for place in paths:
            yield _line("M", _NEW_MODE, wanted.hex(), place)


def _assembled(old: Tree, new: Tree, algorithm: str, scratch: str) -> Iterator[bytes]:
    """Put one directory together in the scratch place, and have it stored."""
    if old.stored:
        yield _line("M", _NEW_MODE, old.object_id(algorithm).hex(), scratch)
        yield from _below(scratch, old, new, algorithm)
    else:
        yield from _below(scratch, EMPTY_TREE, new, algorithm)
    yield b"ls %b\n" % _quoted(scratch, always=True)
    yield _line("D", scratch)


def _below(path: str, old: Tree, new: Tree, algorithm: str) -> Iterator[bytes]:
    """Every change below a directory, file by file."""
    for name, node, before in _differences(old, new, algorithm):
        if isinstance(node, Tree) and not node.stored:
            yield from _below(
                f"{path}/{name}", before if isinstance(before, Tree) else EMPTY_TREE, node, algorithm
            )
        else:
            yield _change(f"{path}/{name}", node, algorithm)


def _differences(old: Tree, new: Tree, algorithm: str) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Name, new node and old node of every entry that is not the same; what goes comes first.

    First, so that a file never has to give way to a directory of its name in the same place.
    """
    after, before = new.entries(), old.entries()
    for name, gone in before.items():
        if name not in after or isinstance(after[name], Tree) != isinstance(gone, Tree):
            yield name, None, gone
    for name, node in after.items():
        was = before.get(name)
        if was is None or _identity(was, algorithm) != _identity(node, algorithm):
            yield name, node, was


def _identity(node: Node, algorithm: str) -> tuple[str, bytes]:
    """What makes an entry of a Git tree the same: its mode and its id."""
    return ("" if isinstance(node, Tree) else node.mode, node.object_id(algorithm))


def _new_blobs(old: Tree, new: Tree, algorithm: str) -> Iterator[Blob]:
    """The files to send, column by column within each directory of the root."""
    for _, node, before in _differences(old, new, algorithm):
        if isinstance(node, Blob) and not node.stored:
            yield node
        elif isinstance(node, Tree) and not node.stored:
            yield from _columns_below(node, before if isinstance(before, Tree) else EMPTY_TREE, algorithm)


def _columns_below(new: Tree, old: Tree, algorithm: str) -> Iterator[Blob]:
    """The files of one directory of the root, and of the distinct directories in it."""
    pairs: dict[bytes, Pair] = {}
    for _, node, before in _differences(old, new, algorithm):
        if isinstance(node, Blob) and not node.stored:
            yield node
        elif isinstance(node, Tree) and not node.stored:
            pair = (node, before if isinstance(before, Tree) else EMPTY_TREE)
            pairs.setdefault(node.object_id(algorithm), pair)
    yield from _columns(tuple(pairs.values()), algorithm)


def _columns(pairs: Sequence[Pair], algorithm: str) -> Iterator[Blob]:
    """The new files of many directories, the same name of each in a row."""
    for name in dict.fromkeys(name for new, _ in pairs for name in new.entries()):
        inner: dict[bytes, Pair] = {}
        sent: set[bytes] = set()  # never iterated
        for new, old in pairs:
            node = new.child(name)
            if node is None or node.stored:
                continue
            before, wanted = old.child(name), node.object_id(algorithm)
            if before is not None and before.object_id(algorithm) == wanted:
                continue
            if isinstance(node, Tree):
                inner.setdefault(wanted, (node, before if isinstance(before, Tree) else EMPTY_TREE))
            elif wanted not in sent:
                sent.add(wanted)
                yield node
        yield from _columns(tuple(inner.values()), algorithm)


def _change(path: str, node: Node | None, algorithm: str) -> bytes:
    """The command that sets one entry by its id, or removes it."""
    if node is None:
        return _line("D", path)
    mode = _NEW_MODE if isinstance(node, Tree) else node.mode
    return _line("M", mode, node.object_id(algorithm).hex(), path)


def _line(*words: str) -> bytes:
    """A command that ends in a path."""
    *command, path = words
    return b"%b %b\n" % (" ".join(command).encode(), _quoted(path))


def _quoted(path: str, *, always: bool = False) -> bytes:
    """A path as fast-import reads it: in C quotes where it would be misread without."""
    raw = file_name(path)
    if not always and not raw.startswith(b'"') and b"\n" not in raw:
        return raw
    return b'"%b"' % raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _free_name(*trees: Iterable[str]) -> str:
    """A name for the scratch directory that no tree has at its root."""
    name = ".krender-scratch"
    while any(name in tree for tree in trees):
        name += "+"
    return name
