"""Files that would go, and whose objects are to stay (preserveResourcesOnDeletion).

A file that vanishes from Git is an object that Argo CD or Flux deletes. So the file stays, with the marks
that tell them not to; once that is published, a render with `released: prune` may remove it. The Namespace in
which such an object lives is kept in the same way: its deletion would take everything with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from renderer.document.emit import emit
from renderer.document.values import Value, dig, text
from renderer.layout.marks import body_of, marked
from renderer.layout.paths import plain_path
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity, annotations_of
from renderer.model.memory_keys import KRENDER_API, PRESERVES, RELEASED
from renderer.model.places import CLUSTER_SCOPED, KEEP
from renderer.model.plan import Rendering
from renderer.model.previous import Previous
from renderer.model.released import Release, Released
from renderer.model.tree import Blob, Tree, placed

_Place: TypeAlias = tuple[str, str]  # path and cluster

_NAMESPACES: Final = f"{CLUSTER_SCOPED}/namespace."


class Releasing:
    """Keeps what would go; tells what it kept."""

    def __init__(self, previous: Previous, renderings: Iterable[Rendering], *, prune: bool) -> None:
        """Look for what is preserved: by the binding as published, or by the one that counts now."""
        self._prune = prune
        self._recorded = _places(item for item in previous.released if item.release is not Release.HOME)
        self._homes = _places(item for item in previous.released if item.release is Release.HOME)
        self._paths = tuple(preserved_paths(previous, renderings))
        self._known: dict[Blob, tuple[Blob | None, str]] = {}  # marked, and where its Namespace lies
        self._found: dict[_Place, Release] = {}
        self._found_homes: dict[_Place, None] = {}

    def on(self, cluster: Cluster, old: Tree, new: Tree) -> Tree:
        """The directory of a cluster with what must not go yet."""
        for path in self._paths:
            node, place = old.at(path), (path, cluster.name)
            if not isinstance(node, Blob):
                continue
            if place in self._homes:
                self._found_homes[place] = None
            if new.at(path) is None:
                new = self._kept(cluster, path, node, old, new)
            elif cluster.frozen and place in self._recorded:
                self._found.setdefault(place, Release.READY)
        return new

    def _kept(self, cluster: Cluster, path: str, node: Blob, old: Tree, new: Tree) -> Tree:
        """The directory with a file that would go, unless it may, and with the Namespace of its object."""
        kept, namespace = self._looked_at(node)
        place = (path, cluster.name)
        release = self._release(place, node, kept)
        let_go = release is Release.READY and self._prune
        if let_go:
            self._found_homes.pop(place, None)
        else:
            self._found.setdefault(place, release)
            new = placed(_without_keep(new), path, kept or node)
        home = old.at(namespace) if namespace and not path.startswith(_NAMESPACES) else None
        if not isinstance(home, Blob):
            return new
        if new.at(namespace) is None:
            return self._kept(cluster, namespace, home, old, new)
        if let_go:
            self._found_homes[namespace, cluster.name] = None
        return new

    def _release(self, place: _Place, node: Blob, kept: Blob | None) -> Release:
        if kept is None:
            return Release.UNMARKED
        return Release.READY if kept == node and place in self._recorded else Release.MARKED

    def _looked_at(self, node: Blob) -> tuple[Blob | None, str]:
        if node not in self._known:
            self._known[node] = (marked(node), _namespace_path(node))
        return self._known[node]

    @property
    def released(self) -> tuple[Released, ...]:
        """What was kept, by path."""
        clusters: dict[tuple[str, Release], list[str]] = {}
        homes = ((place, Release.HOME) for place in self._found_homes)
        for (path, name), release in (*self._found.items(), *homes):
            clusters.setdefault((path, release), []).append(name)
        return tuple(
            Released(path=path, clusters=tuple(sorted(names)), release=release)
            for (path, release), names in sorted(clusters.items())
        )


def _places(released: Iterable[Released]) -> frozenset[_Place]:
    return frozenset((item.path, name) for item in released for name in item.clusters)


def preserved_paths(previous: Previous, renderings: Iterable[Rendering]) -> Iterable[str]:
    """The paths of what is preserved or was kept before, in a fixed order."""
    paths = dict.fromkeys(item.path for item in previous.released)
    now = {
        rendering.template.identity.key
        for rendering in renderings
        if rendering.binding is not None and rendering.binding.preserve_resources_on_deletion
    }
    for key, remembered in previous.bindings.items():
        if remembered.preserve_resources_on_deletion or key in now:
            stated = annotations_of(remembered.raw).get(PRESERVES, "")
            paths |= dict.fromkeys(stated.split(",") if stated else [plain_path(remembered.identity)])
    return [path for path in paths if path]


def release_files(released: Sequence[Released]) -> Mapping[str, bytes]:
    """The record of what was kept: path -> content, nothing where nothing was."""
    lists = {
        "files": _listed(item for item in released if item.release is not Release.HOME),
        "namespaces": _listed(item for item in released if item.release is Release.HOME),
    }
    stated: dict[str, Value] = {name: items for name, items in lists.items() if items}
    if not stated:
        return {}
    return {RELEASED: emit({"apiVersion": KRENDER_API, "kind": "Released", **stated}).encode()}


def _listed(released: Iterable[Released]) -> list[Value]:
    clusters: dict[str, list[str]] = {}
    for item in released:
        clusters.setdefault(item.path, []).extend(item.clusters)
    return [{"path": path, "clusters": [*sorted(names)]} for path, names in clusters.items()]


def _without_keep(directory: Tree) -> Tree:
    """The directory without the file that keeps it while it is empty."""
    return Tree({name: node for name, node in directory.entries().items() if name != KEEP})


def _namespace_path(published: Blob) -> str:
    """Where the Namespace of a published object lies; empty for an object without one."""
    namespace = text(dig(body_of(published), "metadata", "namespace"))
    return plain_path(Identity("v1", "Namespace", "", namespace)) if namespace else ""
