"""How many replicas each selected cluster gets.

Source: Karmada pkg/scheduler/core/common.go, assignment.go and division_algorithm.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from renderer.model.binding import TargetCluster
from renderer.model.decision import ErrorClass, Failure, Scaling, Strategy
from renderer.model.placement import Placement
from renderer.model.webster import apportion, breaks_ties_descending
from renderer.schedule.inventory import Inventory
from renderer.schedule.pdqsort import sort_descending
from renderer.schedule.question import DIVIDED, DUPLICATED, Question, scheduling_type
from renderer.schedule.rank import Ranking
from renderer.schedule.units import int32


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The division of one overflow tier, by position; see model.decision.Division."""

    tier: int
    strategy: Strategy | None
    replicas: int
    clusters: list[TargetCluster]
    scaling: Scaling = Scaling.NOT_DYNAMIC
    seats: int = 0
    places: Sequence[int] = ()
    votes: Sequence[int] = ()
    needed: int = 0  # how many of the weighed clusters take part: Aggregated cuts the list
    kept: tuple[TargetCluster, ...] = ()


def assign(
    question: Question, inventory: Inventory, ranking: Ranking, selected: Sequence[int]
) -> list[Share] | Failure:
    """Assign the binding's replicas to the selected clusters, tier by tier."""
    if not selected:
        return _failure("no clusters available to schedule")
    binding = question.binding
    if not divides(question):
        return [Share(tier=0, strategy=None, replicas=0, clusters=_propagate(question, inventory, selected))]
    if not overflows(question):
        share = _divide(question, inventory, ranking, selected, binding.replicas, 0)
        return share if isinstance(share, Failure) else [share]
    tiers: dict[int, list[int]] = {}
    for place in selected:
        tiers.setdefault(ranking.overflow.get(place, 0), []).append(place)
    shares, left = [], binding.replicas
    for tier, places in sorted(tiers.items()):
        # What is there already counts as room, so replicas flow back from a later tier to an earlier one.
        replicas = int32(min(left, sum(map(ranking.available, places))))
        share = _divide(question, inventory, ranking, places, replicas, tier)
        if isinstance(share, Failure):
            return share
        shares.append(share)
        left -= replicas
        if left <= 0:
            return shares
    return _failure("Clusters available replicas are not enough to schedule.", ErrorClass.UNSCHEDULABLE)


def divides(question: Question) -> bool:
    """Whether replicas are assigned at all: not for non-workloads, nor for several components."""
    binding = question.binding
    runs = binding.replicas > 0 or binding.replica_requirements is not None
    return runs and len(binding.components) <= 1


def overflows(question: Question) -> bool:
    """Whether the term in force has overflow affinities, so that clusters are filled tier by tier."""
    return (
        bool(question.affinity_name)
        and question.placement.cluster_affinity is None
        and any(
            term.overflow_affinities
            for term in question.placement.cluster_affinities
            if term.affinity_name == question.affinity_name
        )
    )


def strategy_of(placement: Placement) -> Strategy | None:
    """The way of division; None for a combination that Karmada does not support."""
    kind = scheduling_type(placement)
    if kind == DUPLICATED:
        return Strategy.DUPLICATED
    scheduling = placement.replica_scheduling
    if scheduling is None or kind != DIVIDED:
        return None
    if scheduling.replica_division_preference == "Aggregated":
        return Strategy.AGGREGATED
    if scheduling.replica_division_preference == "Weighted":
        preference = scheduling.weight_preference
        dynamic = preference is not None and preference.dynamic_weight
        return Strategy.DYNAMIC_WEIGHT if dynamic else Strategy.STATIC_WEIGHT
    return None


def _propagate(question: Question, inventory: Inventory, selected: Sequence[int]) -> list[TargetCluster]:
    """Every selected cluster without replicas; whole sets record what each component has."""
    components = question.binding.components
    if len(components) > 1 and question.component_sets:
        recorded = tuple((component.name, component.replicas) for component in components)
        names = inventory.fleet.names
        return [TargetCluster(name=names[place], components=recorded) for place in selected]
    running = inventory.running(0)
    return [running[place] for place in selected]


def _divide(
    question: Question,
    inventory: Inventory,
    ranking: Ranking,
    places: Sequence[int],
    replicas: int,
    tier: int,
) -> Share | Failure:
    strategy = strategy_of(question.placement)
    match strategy:
        case Strategy.DUPLICATED:
            running = inventory.running(replicas)
            clusters = [running[place] for place in places] if replicas > 0 else []
            return Share(tier=tier, strategy=strategy, replicas=replicas, clusters=clusters)
        case Strategy.STATIC_WEIGHT:
            return _by_static_weight(question, inventory, places, replicas, tier)
        case Strategy.DYNAMIC_WEIGHT | Strategy.AGGREGATED:
            return _by_capacity(question, inventory, ranking, places, replicas, tier, strategy)
    return _failure(_unsupported(question.placement))


def _by_static_weight(
    question: Question, inventory: Inventory, places: Sequence[int], replicas: int, tier: int
) -> Share:
    """By the weights of the rules; equally where no selected cluster has any weight."""
    scheduling = question.placement.replica_scheduling
    preference = scheduling.weight_preference if scheduling else None
    weights = inventory.static_weights(preference.static_weight_list if preference else ())
    parties = [place for place in places if weights[place]]
    votes = [weights[place] for place in parties] or [1] * len(places)
    parties = parties or list(places)
    clusters = _seated(question, inventory, parties, votes, replicas, ())
    return Share(
        tier=tier,
        strategy=Strategy.STATIC_WEIGHT,
        replicas=replicas,
        clusters=clusters,
        seats=replicas,
        places=parties,
        votes=votes,
        needed=len(parties),
    )


def _by_capacity(
    question: Question,
    inventory: Inventory,
    ranking: Ranking,
    places: Sequence[int],
    replicas: int,
    tier: int,
    strategy: Strategy,
) -> Share | Failure:
    """By what clusters have free, or by what they have, on top of what is kept."""
    position = inventory.fleet.position
    here = dict.fromkeys(places)
    scheduled = tuple(target for target in question.binding.clusters if position.get(target.name, -1) in here)
    assigned = int32(sum(target.replicas for target in scheduled))
    scaling = _scaling(question, assigned, replicas)
    if scaling is Scaling.UNCHANGED:
        clusters = [
            TargetCluster(name=target.name, replicas=target.replicas)
            for target in scheduled
            if target.replicas > 0
        ]
        return Share(
            tier=tier,
            strategy=strategy,
            replicas=replicas,
            clusters=clusters,
            scaling=scaling,
            kept=scheduled,
        )
    kept = scheduled if scaling is Scaling.UP else ()
    seats = int32(replicas - assigned) if scaling is Scaling.UP else replicas
    if scaling is Scaling.DOWN:
        parties = [position[target.name] for target in scheduled]
        votes = [target.replicas for target in scheduled]
    else:
        parties = list(places)
        votes = [ranking.allocatable[place] for place in parties]
        if scaling is Scaling.FRESH:
            votes = _with_scheduled(parties, votes, scheduled, position)
    total = int32(sum(votes))
    if total < seats:
        phase = "do fresh scale" if scaling is Scaling.FRESH else scaling
        return _failure(
            f"failed to {phase}: Clusters available replicas {total} are not enough to schedule.",
            ErrorClass.UNSCHEDULABLE,
        )
    needed = len(parties)
    if strategy is Strategy.AGGREGATED:
        parties, votes = _fewest_first(parties, votes, kept, position)
        sums = accumulate(votes, lambda so_far, vote: int32(so_far + vote))
        needed = next((count for count, so_far in enumerate(sums, 1) if so_far >= seats), needed)
    return Share(
        tier=tier,
        strategy=strategy,
        replicas=replicas,
        clusters=_seated(question, inventory, parties[:needed], votes[:needed], seats, kept),
        scaling=scaling,
        seats=seats,
        places=parties,
        votes=votes,
        needed=needed,
        kept=kept,
    )


def _scaling(question: Question, assigned: int, replicas: int) -> Scaling:
    if question.fresh:
        return Scaling.FRESH
    if assigned == replicas:
        return Scaling.UNCHANGED
    return Scaling.DOWN if assigned > replicas else Scaling.UP


def _with_scheduled(
    parties: list[int], votes: list[int], scheduled: tuple[TargetCluster, ...], position: dict[str, int]
) -> list[int]:
    """Free capacity plus what is there already."""
    total = dict(zip(parties, votes, strict=True))
    for target in scheduled:
        place = position[target.name]
        total[place] = int32(total[place] + target.replicas)
    return [total[place] for place in parties]


def _fewest_first(
    parties: list[int], votes: list[int], kept: tuple[TargetCluster, ...], position: dict[str, int]
) -> tuple[list[int], list[int]]:
    """Clusters by weight, those that already run replicas before the others."""
    order = sort_descending(range(len(parties)), votes)
    prior = {position[target.name]: None for target in kept if target.replicas > 0}
    if prior:
        order.sort(key=lambda index: parties[index] not in prior)
    return [parties[index] for index in order], [votes[index] for index in order]


def _seated(
    question: Question,
    inventory: Inventory,
    parties: Sequence[int],
    votes: Sequence[int],
    seats: int,
    kept: tuple[TargetCluster, ...],
) -> list[TargetCluster]:
    """Divide by Webster's method, add what is kept, drop clusters without replicas.

    By name; clusters that are kept and were not weighed come last, in their previous order.
    """
    fleet = inventory.fleet
    ballot = sorted(dict(zip(parties, votes, strict=True)).items())
    held = {fleet.position[target.name]: target.replicas for target in kept}
    won: list[int] = []
    if sum(votes):
        descending = breaks_ties_descending(question.binding.uid)
        won = apportion(seats, [vote for _, vote in ballot], descending=descending)
    result = []
    for (place, _), seated in zip(ballot, won, strict=False):
        replicas = seated + held.pop(place, 0) if held else seated
        if replicas > 0:
            result.append(TargetCluster(name=fleet.names[place], replicas=replicas))
    result += [
        TargetCluster(name=fleet.names[place], replicas=replicas)
        for place, replicas in held.items()
        if replicas > 0
    ]
    return result


def _failure(message: str, error_class: ErrorClass = ErrorClass.OTHER) -> Failure:
    return Failure(error_class=error_class, message=f"failed to assign replicas: {message}")


def _unsupported(placement: Placement) -> str:
    scheduling = placement.replica_scheduling
    preference = scheduling.replica_division_preference if scheduling else ""
    return (
        "unsupported replica scheduling strategy, "
        f"replicaSchedulingType: {scheduling_type(placement)}, replicaDivisionPreference: {preference}, "
        "please try another scheduling strategy"
    )
