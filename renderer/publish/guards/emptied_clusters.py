"""Clusters that stay in the inventory lose everything they have."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.differences import Directories, clusters_of
from renderer.model.guards import EMPTIED_CLUSTERS
from renderer.model.places import is_object
from renderer.model.tree import Tree, walk
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def emptied_clusters(situation: Situation) -> Iterator[Stop]:
    """Count the clusters whose last object goes."""
    emptied = [
        name
        for change in situation.changes
        if _is_emptied(change)
        for name in change.clusters
        if name in situation.clusters
        and situation.unwaived(EMPTIED_CLUSTERS, f"Cluster {situation.cluster_name(name)}", [name])
    ]
    known = len(clusters_of(situation.before))
    if emptied and not situation.settings.emptied_clusters.allows(len(emptied), known):
        yield Stop(
            guard=EMPTIED_CLUSTERS,
            what=f"{plural(len(emptied), 'cluster')} of {known} would lose all objects",
            why="no policy places anything there any more, which is seldom meant for many at once",
            objects=tuple(f"Cluster {situation.cluster_name(name)}" for name in sorted(emptied)),
            setting="emptiedClusters",
            fix="see with `krender explain` why the policies do not choose them",
        )


def _is_emptied(change: Directories) -> bool:
    return _has_objects(change.before) and not _has_objects(change.after)


def _has_objects(directory: Tree | None) -> bool:
    return directory is not None and any(is_object(path) for path, _ in walk(directory))
