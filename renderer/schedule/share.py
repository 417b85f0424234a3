"""Seats become replicas: one division among the clusters of an overflow tier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from renderer.model.binding import TargetCluster
from renderer.model.decision import ErrorClass, Failure, Scaling, Strategy
from renderer.model.webster import apportion, breaks_ties_descending
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import Question
from renderer.schedule.rank import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Selected clusters of one overflow order, in the order of selection, and the replicas they share."""

    question: Question
    inventory: Inventory
    ranking: Ranking
    places: Sequence[int]
    replicas: int
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How a tier's replicas were divided, by position; see model.decision.Division."""

    order: int
    strategy: Strategy | None
    replicas: int
    clusters: Sequence[TargetCluster]
    scaling: Scaling = Scaling.NOT_DYNAMIC
    seats: int = 0
    places: Sequence[int] = ()
    votes: Sequence[int] = ()
    needed: int = 0  # how many of the weighed clusters take part: Aggregated cuts the list
    kept: tuple[TargetCluster, ...] = ()


def failed(message: str, error_class: ErrorClass = ErrorClass.OTHER) -> Failure:
    """A failure to assign."""
    return Failure(error_class=error_class, message=f"failed to assign replicas: {message}")


def seated(
    tier: Tier,
    parties: Sequence[int],
    votes: Sequence[int],
    seats: int,
    kept: tuple[TargetCluster, ...] = (),
) -> list[TargetCluster]:
    """Divide seats by votes, add what is kept, drop clusters without replicas.

    By name; clusters that are kept and did not vote come last, in their previous order.
    Source: Karmada pkg/util/binding.go, MergeTargetClusters.
    """
    fleet = tier.inventory.fleet
    won = _won(tier, parties, votes, seats)
    held = {fleet.position[target.name]: target.replicas for target in kept}
    if held:
        voted = dict.fromkeys(parties)
        for place in [place for place in held if place in voted]:
            won[place] = won.get(place, 0) + held.pop(place)
    return [
        tier.inventory.target(place, replicas)
        for place, replicas in (*sorted(won.items()), *held.items())
        if replicas > 0
    ]


def _won(tier: Tier, parties: Sequence[int], votes: Sequence[int], seats: int) -> dict[int, int]:
    """The clusters that win seats, with how many."""
    if seats <= 0 or not sum(votes):
        return {}
    if seats < len(votes):
        # A cluster that is not among the `seats` largest has that many first claims before its own.
        large = list(map(sorted(votes, reverse=True)[seats - 1].__le__, votes))
        parties, votes = list(compress(parties, large)), list(compress(votes, large))
    descending = breaks_ties_descending(tier.question.binding.uid)
    return dict(zip(parties, apportion(seats, votes, ranks=parties, descending=descending), strict=True))
