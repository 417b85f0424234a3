"""A paused cluster would get something new."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.guards import PAUSED_CLUSTERS
from renderer.model.places import is_object
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def paused_clusters(situation: Situation) -> Iterator[Stop]:
    """Stop objects that are new on a paused cluster; those it has may change."""
    found = []
    for name, cluster in sorted(situation.clusters.items()):
        change = situation.change_of.get(name) if cluster.paused else None
        if change is None or change.before is None:
            continue
        for item in situation.differences(change):
            if item.before is None and is_object(item.path):
                named = situation.named(item)
                if situation.unwaived(PAUSED_CLUSTERS, named, [name]):
                    found.append(situation.on(named, [name]))
    if found:
        yield Stop(
            guard=PAUSED_CLUSTERS,
            what=f"{plural(len(found), 'object')} would be new on paused clusters",
            why='"paused: true" says that a cluster gets no new work',
            objects=tuple(found),
            fix="taint the cluster (NoSchedule), so that policies do not choose it, or end the pause",
        )
