"""The inventory shrank: a cluster that has published objects is not in it any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderer.delivery.delivered import UnitChange
from renderer.layout.marks import marked
from renderer.layout.release import preserved_paths
from renderer.model.differences import clusters_of
from renderer.model.guards import LOST_CLUSTERS
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, listed, plural


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
    units = [unit for unit in situation.lost_units if unit.slug in lost]
    preserved = tuple(_preserved(situation, lost))
    yield Stop(
        guard=LOST_CLUSTERS,
        what=f"the inventory no longer has {plural(len(lost), 'cluster')} of {known}",
        why=f"all that is published for a cluster goes with it{_outcome(situation, units)}",
        objects=(*(f"Cluster {name}: {_losses(situation, name, units)}" for name in lost), *preserved),
        setting="lostClusters",
        fix=_advice(situation, lost[0], preserves=bool(preserved)),
    )


def _losses(situation: Situation, directory: str, units: Sequence[UnitChange]) -> str:
    """`5 objects would be deleted`: by an engine that is told of them no more, or by whoever applies them."""
    objects = plural(sum(directory in item.clusters for item in situation.removed), "object")
    own = [unit for unit in units if unit.slug == directory]
    if not own:
        return f"{objects} would be deleted"
    return f"{objects} in {plural(len(own), own[0].engine.unit)}: {listed([unit.name for unit in own])}"


def _outcome(situation: Situation, units: Sequence[UnitChange]) -> str:
    """What the engines make of it."""
    delivery = situation.plan.workspace.config.delivery
    told = ""
    for engine in dict.fromkeys(unit.engine for unit in units):
        pulled = [unit for unit in units if unit.engine is engine and unit.before.get("syncMode") == "Pull"]
        if any(unit.engine is engine for unit in units if unit not in pulled):
            fate = (
                "their objects with them"
                if delivery.cascades(engine)
                else "leaves their objects where they are"
            )
            told += f"; {engine.product} deletes the {engine.unit}s, and {fate}"
        if pulled:
            told += (
                f"; the {engine.product} of a cluster that pulls finds nothing to read, and deletes nothing"
            )
    return told


def _preserved(situation: Situation, lost: Sequence[str]) -> Iterator[str]:
    """Objects that a policy preserves, whose files have no marks yet that keep them."""
    paths = frozenset(preserved_paths(situation.plan.previous, situation.plan.renderings))
    for item in situation.removed:
        clusters = [name for name in item.clusters if name in lost]
        if clusters and item.path in paths and item.before and marked(item.before) is not item.before:
            named = situation.on(situation.named(item), clusters)
            yield f"{named}: to be preserved on deletion, but not marked so yet"


def _advice(situation: Situation, lost: str, *, preserves: bool) -> str:
    """What to do about it: a cluster with a new name looks like one that went and one that came."""
    if preserves:
        return (
            "put it back, and place nothing there first: a publish of that marks what is to be preserved; "
            "take it out in one after it"
        )
    published = clusters_of(situation.before)
    new = [cluster.name for name, cluster in sorted(situation.clusters.items()) if name not in published]
    if not new:
        return "put it back, or leave its removal to a commit of its own"
    return f'put it back; if it is called {" or ".join(new[:3])} now, write "previousName: {lost}" there'
