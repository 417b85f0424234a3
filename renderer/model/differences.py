"""What differs between two published trees, cluster by cluster; clusters that differ alike are one value.

Directories are compared by what `identify` says of them, so what is the same is not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.model.places import CLUSTERS
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree

# Equal for nodes that count as the same, as Git's ids are.
Identify: TypeAlias = Callable[[Node], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Directories:
    """One change of a cluster's directory: from `before` to `after` (None: there is none).

    `clusters` are the names of the directories that it happens to, as they are afterwards, in order.
    """

    before: Tree | None = field(repr=False)
    after: Tree | None = field(repr=False)
    clusters: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDifference:
    """One change of a file below the directories of some clusters; None: there is no such file."""

    path: str
    before: Blob | None = field(repr=False)
    after: Blob | None = field(repr=False)
    clusters: tuple[str, ...]


def by_id(algorithm: str) -> Identify:
    """Nodes are the same if their contents are."""
    return lambda node: node.object_id(algorithm)


def by_name(node: Node) -> bytes:
    """Directories are the same if they hold the same names, whatever is in the files."""
    return b"" if isinstance(node, Blob) else node.shape()


def clusters_of(tree: Tree) -> Mapping[str, Tree]:
    """The directories of all clusters, by name."""
    found = tree.child(CLUSTERS)
    entries = found.entries() if isinstance(found, Tree) else {}
    return {name: node for name, node in entries.items() if isinstance(node, Tree)}


def directory_changes(
    old: Tree, new: Tree, identify: Identify, renamed: Mapping[str, str] | None = None
) -> tuple[Directories, ...]:
    """Every distinct change of a cluster's directory, in the order of the first cluster it happens to.

    `renamed` leads from the old names of directories to their new ones.
    """
    before = {(renamed or {}).get(name, name): tree for name, tree in clusters_of(old).items()}
    after = clusters_of(new)
    found: dict[tuple[bytes, bytes], tuple[Tree | None, Tree | None, list[str]]] = {}
    for name in sorted({**before, **after}):
        was, will = before.get(name), after.get(name)
        key = (identify(was) if was else b"", identify(will) if will else b"")
        if key[0] != key[1]:
            found.setdefault(key, (was, will, []))[2].append(name)
    return tuple(
        Directories(before=was, after=will, clusters=tuple(names)) for was, will, names in found.values()
    )


def file_differences(
    change: Directories, identify: Identify, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[FileDifference]:
    """Every file that is not the same, if its own name (without folders) is wanted; in order of paths."""
    for path, before, after in node_differences(change.before, change.after, identify, wanted):
        yield FileDifference(path=path, before=before, after=after, clusters=change.clusters)


def node_differences(
    old: Node | None, new: Node | None, identify: Identify, wanted: Callable[[str], bool], path: str = ""
) -> Iterator[tuple[str, Blob | None, Blob | None]]:
    """Path, old and new content of every file that is not the same below two nodes of one name."""
    alike = old is not None and new is not None and isinstance(old, Blob) == isinstance(new, Blob)
    if alike and old is not None and new is not None and identify(old) == identify(new):
        return
    was, will = (node if isinstance(node, Tree) else EMPTY_TREE for node in (old, new))
    before, after = (node if isinstance(node, Blob) else None for node in (old, new))
    if (before or after) and wanted(path.rpartition("/")[2]):
        yield path, before, after
    if was is EMPTY_TREE and will is EMPTY_TREE:
        return
    one, other = was.entries(), will.entries()
    for name in sorted({**one, **other}):
        yield from node_differences(
            one.get(name), other.get(name), identify, wanted, f"{path}/{name}" if path else name
        )


def merged(differences: Iterable[FileDifference], identify: Identify) -> tuple[FileDifference, ...]:
    """The same change of the same file told once, with all the clusters; in order of paths."""
    found: dict[tuple[str, bytes | None, bytes | None], list[FileDifference]] = {}
    for item in differences:
        before, after = (None if blob is None else identify(blob) for blob in (item.before, item.after))
        found.setdefault((item.path, before, after), []).append(item)
    return tuple(
        FileDifference(
            path=key[0],
            before=items[0].before,
            after=items[0].after,
            clusters=tuple(sorted(name for item in items for name in item.clusters)),
        )
        for key, items in sorted(found.items(), key=lambda entry: entry[0][0])
    )
