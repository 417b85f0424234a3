"""The memory of clusters that have another name now: what ran on the old one runs on the new one.

Without this a renamed cluster would be one that vanished and one that came, and its work would be placed
anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from renderer.document.edit import placed
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.cluster import Cluster
from renderer.model.cluster_list import list_name
from renderer.model.differences import clusters_of
from renderer.model.memory_keys import SHARED_CLUSTERS
from renderer.model.places import CLUSTERS
from renderer.model.previous import Previous, Remembered
from renderer.model.slug import slug
from renderer.model.tree import Tree

Names = Mapping[str, str]  # old -> new


def renamed(previous: Previous, clusters: Iterable[Cluster]) -> Previous:
    """The memory with the names that clusters have now; the memory itself where none has another."""
    declared = [cluster for cluster in clusters if cluster.previous_name]
    if not declared or not previous.tree:
        return previous
    names = {cluster.previous_name: cluster.name for cluster in declared}
    bindings = {key: _binding(remembered, names) for key, remembered in previous.bindings.items()}
    return replace(
        previous,
        bindings=bindings,
        taints=tuple(
            replace(item, cluster=names.get(item.cluster, item.cluster)) for item in previous.taints
        ),
        released=tuple(
            replace(item, clusters=tuple(names.get(name, name) for name in item.clusters))
            for item in previous.released
        ),
        left_alone=tuple(
            replace(item, clusters=tuple(names.get(name, name) for name in item.clusters))
            for item in previous.left_alone
        ),
        tree=_tree(previous.tree, moved_directories(previous.tree, declared)),
    )


def moved_directories(tree: Tree, clusters: Iterable[Cluster]) -> Names:
    """Old to new directory of every cluster that says what it was called, and has not moved yet."""
    declared = [cluster for cluster in clusters if cluster.previous_name]
    published = clusters_of(tree) if declared else {}
    moves: dict[str, str] = {}
    for cluster in declared:
        for old in (slug(cluster.previous_name), cluster.previous_name):
            if old and old in published and cluster.slug not in published:
                moves.setdefault(old, cluster.slug)
    return moves


def _tree(tree: Tree, moves: Names) -> Tree:
    if not moves:
        return tree
    folders = tree.at(CLUSTERS)
    entries = folders.entries() if isinstance(folders, Tree) else {}
    moved = {moves.get(name, name): node for name, node in entries.items()}
    return Tree({**tree.entries(), CLUSTERS: Tree(moved)})


def _binding(remembered: Remembered, names: Names) -> Remembered:
    known = [target.name for target in remembered.clusters]
    tasks = remembered.graceful_eviction_tasks
    if not any(name in names for name in (*known, *(task.from_cluster for task in tasks))):
        return remembered
    return replace(
        remembered,
        clusters=tuple(
            replace(target, name=names.get(target.name, target.name)) for target in remembered.clusters
        ),
        graceful_eviction_tasks=tuple(
            replace(
                task, from_cluster=names.get(task.from_cluster, task.from_cluster), raw=_task(task.raw, names)
            )
            for task in tasks
        ),
        raw=_raw(remembered.raw, [names.get(name, name) for name in known], names),
    )


def _raw(body: Object, now: Iterable[str], names: Names) -> Object:
    """The binding as it was read, with the new names wherever it names clusters."""
    spec = mapping(body.get("spec"))
    changed: dict[str, Value] = {}
    if "clusters" in spec:
        changed["clusters"] = _targets(spec["clusters"], names)
    if "requiredBy" in spec:
        changed["requiredBy"] = [
            {**item, "clusters": _targets(item["clusters"], names)} if "clusters" in item else item
            for item in map(mapping, sequence(spec["requiredBy"]))
        ]
    if "gracefulEvictionTasks" in spec:
        changed["gracefulEvictionTasks"] = [
            _task(mapping(item), names) for item in sequence(spec["gracefulEvictionTasks"])
        ]
    body = {**body, "spec": {**spec, **changed}} if changed else body
    if dig(body, "metadata", "annotations", SHARED_CLUSTERS) is None:
        return body
    return placed(body, list_name(now), "metadata", "annotations", SHARED_CLUSTERS)


def _targets(value: Value, names: Names) -> list[Value]:
    """A list of target clusters, in the order of their new names."""
    targets = [
        {**item, "name": names.get(text(item.get("name")), item.get("name"))}
        for item in map(mapping, sequence(value))
    ]
    return [*sorted(targets, key=lambda item: text(item["name"]))]


def _task(task: Object, names: Names) -> Object:
    old = text(task.get("fromCluster"))
    return {**task, "fromCluster": names[old]} if old in names else task
