"""Capacity by resource models: virtual nodes of known grades, filled first-fit.

Source: Karmada pkg/estimator/client/general.go and pkg/estimator/scheduling_simulator_components.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.model.cluster import Cluster
from renderer.schedule.units import INT32_MAX, PODS, counts_on_nodes, units

PODS_PER_NODE: Final = (
    110  # what Kubernetes recommends as a limit; pods that run there already are not counted
)

_State: TypeAlias = tuple[int, ...]  # free pods of a node, then its free units of each resource
_Runs: TypeAlias = list[tuple[int, _State]]  # how many nodes in a row are in that state


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNodes:
    """Identical nodes of a grade: their number, and the least that each of them has."""

    grade: int
    count: int
    capacity: Mapping[str, int]

    def holds(self, request: Mapping[str, int]) -> int:
        """How many replicas with these requests (units > 0) fit one node."""
        floors = (self.capacity.get(resource, 0) // amount for resource, amount in request.items())
        return min(PODS_PER_NODE, *floors) if request else PODS_PER_NODE


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A component of a set: its number of replicas, and the units that each of them requests."""

    replicas: int
    request: Mapping[str, int]


def model_nodes(cluster: Cluster) -> tuple[ModelNodes, ...] | None:
    """The nodes that the cluster's models describe, in ascending grade.

    None where models say nothing: no counts, no definition, or a negative count.
    """
    counts = cluster.resource_summary.allocatable_modelings if cluster.resource_summary else ()
    if not counts or not cluster.resource_models or any(count < 0 for _, count in counts):
        return None
    ranges = {model.grade: model.ranges for model in cluster.resource_models}
    return tuple(
        ModelNodes(
            grade=grade,
            count=count,
            capacity={
                entry.name: units(entry.name, entry.min)
                for entry in ranges[grade]
                if counts_on_nodes(entry.name)
            },
        )
        for grade in sorted(ranges)
        if (count := sum(count for counted, count in counts if counted == grade))
    )


def node_request(requests: Sequence[tuple[str, int]]) -> dict[str, int]:
    """The requests (in units) that a model node looks at."""
    return {
        name: amount for name, amount in requests if amount > 0 and name != PODS and counts_on_nodes(name)
    }


def replicas_on(nodes: Sequence[ModelNodes], request: Mapping[str, int]) -> int:
    """How many replicas fit the nodes, one after another."""
    return min(sum(group.count * group.holds(request) for group in nodes), INT32_MAX)


def sets_on(nodes: Sequence[ModelNodes], pieces: Sequence[Piece], limit: int) -> int:
    """How many whole sets of components fit the nodes, at most `limit`.

    Set by set, each component is placed first-fit; the first set that does not fit ends it.
    """
    names = sorted({name for piece in pieces for name in piece.request})
    asked = [
        (piece.replicas, (1, *(piece.request.get(name, 0) for name in names)))
        for piece in pieces
        if piece.replicas > 0
    ]
    runs: _Runs = [
        (group.count, (PODS_PER_NODE, *(group.capacity.get(name, 0) for name in names))) for group in nodes
    ]
    placed = 0
    while asked and placed < limit:
        for replicas, request in asked:
            filled = _place(runs, request, replicas)
            if filled is None:
                return placed
            runs = filled
        runs = [run for run in runs if any(_fits(run[1], request) for _, request in asked)]
        placed += 1
    return placed


def _place(runs: _Runs, request: _State, replicas: int) -> _Runs | None:
    """The nodes after placing the replicas first-fit; None where they do not all fit."""
    after: _Runs = []
    for count, state in runs:
        room = _fits(state, request) if replicas else 0
        if not room:
            after.append((count, state))
            continue
        full = min(count, replicas // room)
        if full:
            after.append((full, _less(state, request, room)))
            replicas -= full * room
            count -= full
        if count and replicas:
            after.append((1, _less(state, request, replicas)))
            replicas = 0
            count -= 1
        if count:
            after.append((count, state))
    return None if replicas else after


def _fits(state: _State, request: _State) -> int:
    return min(free // amount for free, amount in zip(state, request, strict=True) if amount)


def _less(state: _State, request: _State, replicas: int) -> _State:
    return tuple(free - replicas * amount for free, amount in zip(state, request, strict=True))
