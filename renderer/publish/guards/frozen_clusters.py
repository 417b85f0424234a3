"""The files of a frozen cluster would change."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.guards import FROZEN_CLUSTERS
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def frozen_clusters(situation: Situation) -> Iterator[Stop]:
    """Assert what the layout sees to: a frozen cluster's directory stays as last published."""
    changed = [
        name
        for name, cluster in sorted(situation.clusters.items())
        if cluster.frozen
        and (change := situation.change_of.get(name)) is not None
        and change.before is not None
        and situation.unwaived(FROZEN_CLUSTERS, f"Cluster {cluster.name}", [name])
    ]
    if changed:
        yield Stop(
            guard=FROZEN_CLUSTERS,
            what=f"the files of {plural(len(changed), 'frozen cluster')} would change",
            why='"frozen: true" says that they stay exactly as last published',
            objects=tuple(f"Cluster {situation.cluster_name(name)}" for name in changed),
        )
