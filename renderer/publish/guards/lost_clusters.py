"""The inventory shrank: a cluster that has published objects is not in it any more."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.differences import clusters_of
from renderer.model.guards import LOST_CLUSTERS
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def lost_clusters(situation: Situation) -> Iterator[Stop]:
    """Count the clusters that are gone; with an empty inventory another guard speaks."""
    lost = [
        name
        for name in situation.lost
        if situation.unwaived(LOST_CLUSTERS, f"Cluster {situation.cluster_name(name)}", [name])
    ]
    known = len(clusters_of(situation.before))
    if not lost or not situation.clusters or situation.settings.lost_clusters.allows(len(lost), known):
        return
    yield Stop(
        guard=LOST_CLUSTERS,
        what=f"the inventory no longer has {plural(len(lost), 'cluster')} of {known}",
        why="all that is published for a cluster goes with it",
        objects=tuple(f"Cluster {name}: {_objects(situation, name)}" for name in lost),
        setting="lostClusters",
        fix=_advice(situation, lost[0]),
    )


def _objects(situation: Situation, directory: str) -> str:
    number = sum(directory in item.clusters for item in situation.removed)
    return f"{plural(number, 'object')} would be deleted"


def _advice(situation: Situation, lost: str) -> str:
    """What to do about it: a cluster with a new name looks like one that went and one that came."""
    published = clusters_of(situation.before)
    new = [cluster.name for name, cluster in sorted(situation.clusters.items()) if name not in published]
    if not new:
        return "put it back, or leave its removal to a commit of its own"
    return f'put it back; if it is called {" or ".join(new[:3])} now, write "previousName: {lost}" there'
