"""The published tree against the next one: which files of which clusters come, change and go.

Directories are compared by id, so what did not change is not looked into. Clusters that change alike
share one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from renderer.model.owned import OWNED_PATH
from renderer.model.places import CLUSTERS
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, unlike, walk

NOBODY: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChanges:
    """Paths of files, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def counts(self) -> Counts:
        """How many there are of each kind."""
        return (len(self.added), len(self.changed), len(self.removed))


# added, changed, removed
Counts: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterChanges:
    """What changes in one cluster's directory; `new` and `gone` tell of the directory itself.

    `was` is the name it had, where it has another one now; the files are compared all the same.
    """

    cluster: str
    files: FileChanges
    new: bool = False
    gone: bool = False
    was: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All that changes: paths below each cluster's directory, and whole paths for what lies elsewhere."""

    clusters: tuple[ClusterChanges, ...] = ()
    elsewhere: FileChanges = FileChanges()

    @property
    def counts(self) -> Counts:
        """How many files are added, changed and removed in all."""
        every = [*(cluster.files.counts for cluster in self.clusters), self.elsewhere.counts]
        return (sum(c[0] for c in every), sum(c[1] for c in every), sum(c[2] for c in every))


def compare(old: Tree, new: Tree, algorithm: str, renamed: Mapping[str, str] = NOBODY) -> Changes:
    """What changes from one tree to another, whose ids are known or computed in that algorithm.

    `renamed` leads from the old directories of clusters to their new ones. The record of what krender owns
    is left out: it follows from the rest.
    """
    comparison = _Comparison(algorithm)
    before = _clusters(old)
    if renamed:
        before = Tree({renamed.get(name, name): node for name, node in before.entries().items()})
    after = _clusters(new)
    names = {name: old for old, name in renamed.items()}
    pairs = {name: (was, will) for name, will, was in unlike(before, after, algorithm)}
    pairs.update({name: (before.child(name), after.child(name)) for name in names})
    clusters = []
    for name, (was, will) in sorted(pairs.items(), key=lambda pair: pair[0]):
        files = comparison.entry("", was, will)
        if files.counts != (0, 0, 0) or name in names:
            clusters.append(
                ClusterChanges(
                    cluster=name,
                    files=files,
                    new=was is None,
                    gone=will is None,
                    was=names.get(name, ""),
                )
            )
    elsewhere = comparison.entry("", _elsewhere(old), _elsewhere(new))
    return Changes(clusters=tuple(clusters), elsewhere=elsewhere)


class _Comparison:
    """Compares trees, and gives equal results as one object."""

    def __init__(self, algorithm: str) -> None:
        self._algorithm = algorithm
        self._listings: dict[bytes, tuple[str, ...]] = {}
        self._results: dict[FileChanges, FileChanges] = {}

    def entry(self, name: str, old: Node | None, new: Node | None) -> FileChanges:
        """Compare what lies under one name; paths begin with it."""
        added: list[str] = []
        changed: list[str] = []
        removed: list[str] = []
        self._descend(name, old, new, (added, changed, removed))
        result = FileChanges(
            added=tuple(sorted(added)), changed=tuple(sorted(changed)), removed=tuple(sorted(removed))
        )
        return self._results.setdefault(result, result)

    def _descend(
        self, path: str, old: Node | None, new: Node | None, into: tuple[list[str], list[str], list[str]]
    ) -> None:
        """Compare two nodes and note what differs below them."""
        added, changed, removed = into
        if self.same(old, new):
            return
        if isinstance(old, Tree) and isinstance(new, Tree):
            for name, will, was in unlike(old, new, self._algorithm):
                self._descend(f"{path}/{name}" if path else name, was, will, into)
        elif old is not None and new is not None and isinstance(old, Tree) == isinstance(new, Tree):
            changed.append(path)
        else:
            removed += self._listing(path, old)
            added += self._listing(path, new)

    def same(self, old: Node | None, new: Node | None) -> bool:
        """Whether two nodes are known to hold the same."""
        return (
            old is not None
            and new is not None
            and old.object_id(self._algorithm) == new.object_id(self._algorithm)
            and isinstance(old, Blob) == isinstance(new, Blob)
        )

    def _listing(self, path: str, node: Node | None) -> tuple[str, ...]:
        """The paths of all files of a node."""
        if not isinstance(node, Tree):
            return () if node is None else (path,)
        shape = node.shape()
        if shape not in self._listings:
            self._listings[shape] = tuple(name for name, _ in walk(node))
        below = self._listings[shape]
        return tuple(f"{path}/{name}" for name in below) if path else below


def _clusters(tree: Tree) -> Tree:
    """The directory that holds one directory a cluster."""
    clusters = tree.child(CLUSTERS)
    return clusters if isinstance(clusters, Tree) else EMPTY_TREE


def _elsewhere(tree: Tree) -> Tree:
    """Everything but the clusters and the record of what krender owns."""
    entries = {
        name: node for name, node in tree.entries().items() if name != CLUSTERS or not isinstance(node, Tree)
    }
    folder, _, record = OWNED_PATH.partition("/")
    own = entries.get(folder)
    if isinstance(own, Tree) and isinstance(own.child(record), Blob):
        entries[folder] = Tree({name: node for name, node in own.entries().items() if name != record})
    return Tree(entries)
