"""Division by capacity: dynamic weights, and Aggregated.

Source: Karmada pkg/scheduler/core/assignment.go and division_algorithm.go.
"""

from __future__ import annotations

from itertools import accumulate

from renderer.model.binding import TargetCluster
from renderer.model.decision import ErrorClass, Failure, Scaling, Strategy
from renderer.schedule.pdqsort import sort_descending
from renderer.schedule.share import Share, Tier, failed, seated
from renderer.schedule.units import int32


def by_capacity(tier: Tier, strategy: Strategy) -> Share | Failure:
    """Divide by what clusters have free, or by what they run, on top of what is kept."""
    scheduled = _scheduled(tier)
    assigned = int32(sum(target.replicas for target in scheduled))
    scaling = _scaling(tier, assigned)
    if scaling is Scaling.UNCHANGED:
        return _unchanged(tier, strategy, scheduled)
    grows = scaling is Scaling.UP
    kept, seats = (scheduled, int32(tier.replicas - assigned)) if grows else ((), tier.replicas)
    places, votes = _ballot(tier, scaling, scheduled)
    total = int32(sum(votes))
    if total < seats:
        phase = "do fresh scale" if scaling is Scaling.FRESH else scaling
        return failed(
            f"failed to {phase}: Clusters available replicas {total} are not enough to schedule.",
            ErrorClass.UNSCHEDULABLE,
        )
    needed = len(places)
    if strategy is Strategy.AGGREGATED:
        places, votes = _largest_first(tier, places, votes, kept)
        needed = _prefix(votes, seats)
    parties, weights = places[:needed], votes[:needed]
    if scaling is Scaling.DOWN:
        # Of a name that the previous result repeats, the last entry counts.
        ballot = dict(zip(parties, weights, strict=True))
        parties, weights = list(ballot), list(ballot.values())
    return Share(
        order=tier.order,
        strategy=strategy,
        replicas=tier.replicas,
        clusters=seated(tier, parties, weights, seats, kept),
        scaling=scaling,
        seats=seats,
        places=places,
        votes=votes,
        needed=needed,
        kept=kept,
    )


def _scheduled(tier: Tier) -> tuple[TargetCluster, ...]:
    """The previous result on the tier's clusters, in its order."""
    if not tier.question.binding.clusters:
        return ()
    position, here = tier.inventory.fleet.position, dict.fromkeys(tier.places)
    return tuple(target for target in tier.question.binding.clusters if position.get(target.name, -1) in here)


def _scaling(tier: Tier, assigned: int) -> Scaling:
    if tier.question.fresh:
        return Scaling.FRESH
    if assigned == tier.replicas:
        return Scaling.UNCHANGED
    return Scaling.DOWN if assigned > tier.replicas else Scaling.UP


def _unchanged(tier: Tier, strategy: Strategy, scheduled: tuple[TargetCluster, ...]) -> Share:
    return Share(
        order=tier.order,
        strategy=strategy,
        replicas=tier.replicas,
        clusters=[
            TargetCluster(name=target.name, replicas=target.replicas)
            for target in scheduled
            if target.replicas > 0
        ],
        scaling=Scaling.UNCHANGED,
        kept=scheduled,
    )


def _ballot(
    tier: Tier, scaling: Scaling, scheduled: tuple[TargetCluster, ...]
) -> tuple[list[int], list[int]]:
    """Who takes part, with which weight: previous replicas, free capacity, or (fresh) both together."""
    position = tier.inventory.fleet.position
    if scaling is Scaling.DOWN:
        return [position[target.name] for target in scheduled], [target.replicas for target in scheduled]
    places = list(tier.places)
    free = list(map(tier.ranking.allocatable.__getitem__, places))
    if scaling is Scaling.UP or not scheduled:
        return places, free
    total = dict(zip(places, free, strict=True))
    for target in scheduled:
        place = position[target.name]
        total[place] = int32(total[place] + target.replicas)
    return places, list(total.values())


def _largest_first(
    tier: Tier, places: list[int], votes: list[int], kept: tuple[TargetCluster, ...]
) -> tuple[list[int], list[int]]:
    """Clusters by weight, those that keep replicas before all others."""
    order = sort_descending(range(len(places)), votes)
    position = tier.inventory.fleet.position
    prior = {position[target.name]: None for target in kept if target.replicas > 0}
    if prior:
        order.sort(key=lambda index: places[index] not in prior)
    return [places[index] for index in order], [votes[index] for index in order]


def _prefix(votes: list[int], seats: int) -> int:
    """How many clusters, from the front, have room for all seats together."""
    sums = accumulate(votes, lambda so_far, vote: int32(so_far + vote))
    return next((count for count, so_far in enumerate(sums, 1) if so_far >= seats), len(votes))
