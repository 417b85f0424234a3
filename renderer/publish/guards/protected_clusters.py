"""Something would be deleted in a protected cluster."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.guards import PROTECTED_CLUSTERS
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def protected_clusters(situation: Situation) -> Iterator[Stop]:
    """Stop every deletion in a cluster that is, or was as last published, `protected`."""
    protected = situation.protected
    losses: dict[str, list[str]] = {}
    for item in situation.removed if protected else ():
        concerned = [name for name in item.clusters if name in protected]
        for name in situation.unwaived(PROTECTED_CLUSTERS, situation.named(item), concerned):
            losses.setdefault(name, []).append(situation.named(item))
    if losses:
        number = sum(map(len, losses.values()))
        yield Stop(
            guard=PROTECTED_CLUSTERS,
            what=f"{plural(number, 'object')} would be deleted on {plural(len(losses), 'protected cluster')}",
            why='"protected: true" says that nothing is deleted there unless a person says so',
            objects=tuple(
                situation.on(name, [cluster]) for cluster in sorted(losses) for name in losses[cluster]
            ),
        )
