"""Too many replicas would leave one cluster for another in one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from renderer.model.binding import TargetCluster
from renderer.model.guards import MOVED_REPLICAS
from renderer.model.plan import Plan, Rendering
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, listed, plural


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The replicas of one workload by cluster, as published and as decided; `number` of them move."""

    named: str
    before: Mapping[str, int]
    after: Mapping[str, int]
    number: int


def moves(plan: Plan) -> Iterator[Move]:
    """Of every workload, the replicas that leave a cluster and come up on another."""
    for rendering in plan.renderings:
        before = _before(plan, rendering)
        after = _replicas(rendering.binding.clusters if rendering.binding else ())
        named = str(rendering.template.identity)
        yield Move(named=named, before=before, after=after, number=_moved(before, after))


def moved_replicas(situation: Situation) -> Iterator[Stop]:
    """Count what moves, but for what a waiver allows."""
    moved, total, told = 0, 0, []
    for move in moves(situation.plan):
        total += sum(move.before.values())
        if move.number and situation.unwaived(MOVED_REPLICAS, move.named, ["*"]):
            moved += move.number
            way = f"from {_less(move.before, move.after)} to {_less(move.after, move.before)}"
            told.append((-move.number, f"{move.named}: {move.number} {way}"))
    if not situation.settings.moved_replicas.allows(moved, total):
        yield Stop(
            guard=MOVED_REPLICAS,
            what=f"{plural(moved, 'replica')} of {total} would move to other clusters in one run",
            why="all of them stop where they are and start elsewhere at about the same time",
            objects=tuple(line for _, line in sorted(told)),
            setting="movedReplicas",
            fix="see with `krender explain` why they move, and move fewer at once",
        )


def _before(plan: Plan, rendering: Rendering) -> Mapping[str, int]:
    remembered = plan.previous.bindings.get(rendering.template.identity.key)
    return _replicas(remembered.clusters if remembered else ())


def _replicas(clusters: tuple[TargetCluster, ...]) -> Mapping[str, int]:
    return {
        target.name: target.replicas or sum(replicas for _, replicas in target.components)
        for target in clusters
    }


def _moved(before: Mapping[str, int], after: Mapping[str, int]) -> int:
    """Replicas that go somewhere and come up elsewhere; scaling alone moves none."""
    if before == after:
        return 0
    gone = sum(max(0, replicas - after.get(name, 0)) for name, replicas in before.items())
    come = sum(max(0, replicas - before.get(name, 0)) for name, replicas in after.items())
    return min(gone, come)


def _less(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """The clusters that have fewer afterwards."""
    return listed([name for name, replicas in sorted(before.items()) if after.get(name, 0) < replicas])
