"""How many replicas each selected cluster gets.

Source: Karmada pkg/scheduler/core/common.go, assignment.go and division_algorithm.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from renderer.model.binding import TargetCluster
from renderer.model.decision import ErrorClass, Failure, Strategy
from renderer.model.placement import Placement
from renderer.schedule.dynamic import by_capacity
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import DIVIDED, DUPLICATED, Question, scheduling_type
from renderer.schedule.rank import Ranking
from renderer.schedule.share import Share, Tier, failed, seated
from renderer.schedule.units import int32


def assign(
    question: Question, inventory: Inventory, ranking: Ranking, selected: Sequence[int]
) -> tuple[Share, ...] | Failure:
    """Assign the binding's replicas to the selected clusters, tier by tier."""
    if not selected:
        return failed("no clusters available to schedule")
    if not divides(question):
        clusters = _propagated(question, inventory, selected)
        return (Share(order=0, strategy=None, replicas=0, clusters=clusters),)
    shares: list[Share] = []
    for tier in _tiers(question, inventory, ranking, selected):
        share = _divided(tier)
        if isinstance(share, Failure):
            return share
        shares.append(share)
    if sum(share.replicas for share in shares) < question.binding.replicas:
        message = "Clusters available replicas are not enough to schedule."
        return failed(message, ErrorClass.UNSCHEDULABLE)
    return tuple(shares)


def divides(question: Question) -> bool:
    """Whether replicas are assigned at all: not for non-workloads, nor for several components."""
    binding = question.binding
    runs = binding.replicas > 0 or binding.replica_requirements is not None
    return runs and len(binding.components) <= 1


def overflows(question: Question) -> bool:
    """Whether the term in force has overflow affinities, so that clusters are filled tier by tier."""
    placement, name = question.placement, question.affinity_name
    if not name or placement.cluster_affinity is not None:
        return False
    return any(
        term.overflow_affinities for term in placement.cluster_affinities if term.affinity_name == name
    )


def strategy_of(placement: Placement) -> Strategy | None:
    """The way of division; None for a combination that Karmada does not support."""
    kind, scheduling = scheduling_type(placement), placement.replica_scheduling
    if kind == DUPLICATED:
        return Strategy.DUPLICATED
    if scheduling is None or kind != DIVIDED:
        return None
    if scheduling.replica_division_preference == "Aggregated":
        return Strategy.AGGREGATED
    if scheduling.replica_division_preference != "Weighted":
        return None
    preference = scheduling.weight_preference
    dynamic = preference is not None and preference.dynamic_weight
    return Strategy.DYNAMIC_WEIGHT if dynamic else Strategy.STATIC_WEIGHT


def _tiers(question: Question, inventory: Inventory, ranking: Ranking, selected: Sequence[int]) -> list[Tier]:
    """The tiers with the replicas each of them takes; those that nothing is left for are left out.

    What runs there already counts as room, so replicas flow back from a later tier to an earlier one.
    """
    left = question.binding.replicas

    def tier(order: int, places: Sequence[int], replicas: int) -> Tier:
        return Tier(
            question=question,
            inventory=inventory,
            ranking=ranking,
            places=places,
            replicas=replicas,
            order=order,
        )

    if not overflows(question):
        return [tier(0, selected, left)]
    grouped: dict[int, list[int]] = {}
    for place in selected:
        grouped.setdefault(ranking.overflow.get(place, 0), []).append(place)
    tiers = []
    for order, places in sorted(grouped.items()):
        replicas = int32(min(left, sum(map(ranking.available, places))))
        tiers.append(tier(order, places, replicas))
        left -= replicas
        if left <= 0:
            break
    return tiers


def _propagated(question: Question, inventory: Inventory, selected: Sequence[int]) -> list[TargetCluster]:
    """Every selected cluster without replicas; whole sets record what each component has."""
    components = question.binding.components
    if len(components) > 1 and question.component_sets:
        recorded = tuple((component.name, component.replicas) for component in components)
        names = inventory.fleet.names
        return [TargetCluster(name=names[place], components=recorded) for place in selected]
    return list(map(inventory.running(0).__getitem__, selected))


def _divided(tier: Tier) -> Share | Failure:
    strategy = strategy_of(tier.question.placement)
    match strategy:
        case Strategy.DUPLICATED:
            return _duplicated(tier)
        case Strategy.STATIC_WEIGHT:
            return _by_static_weight(tier)
        case Strategy.DYNAMIC_WEIGHT | Strategy.AGGREGATED:
            return by_capacity(tier, strategy)
    return failed(_unsupported(tier.question.placement))


def _duplicated(tier: Tier) -> Share:
    """All replicas on every cluster, whatever it has free."""
    running = tier.inventory.running(tier.replicas)
    clusters = list(map(running.__getitem__, tier.places)) if tier.replicas > 0 else []
    return Share(order=tier.order, strategy=Strategy.DUPLICATED, replicas=tier.replicas, clusters=clusters)


def _by_static_weight(tier: Tier) -> Share:
    """By the weights of the rules; equally where no selected cluster has any weight."""
    scheduling = tier.question.placement.replica_scheduling
    preference = scheduling.weight_preference if scheduling else None
    weights = tier.inventory.static_weights(preference.static_weight_list if preference else ())
    parties = [place for place in tier.places if weights[place]]
    votes = [weights[place] for place in parties] or [1] * len(tier.places)
    parties = parties or list(tier.places)
    return Share(
        order=tier.order,
        strategy=Strategy.STATIC_WEIGHT,
        replicas=tier.replicas,
        clusters=seated(tier, parties, votes, tier.replicas),
        seats=tier.replicas,
        places=parties,
        votes=votes,
        needed=len(parties),
    )


def _unsupported(placement: Placement) -> str:
    scheduling = placement.replica_scheduling
    preference = scheduling.replica_division_preference if scheduling else ""
    return (
        "unsupported replica scheduling strategy, "
        f"replicaSchedulingType: {scheduling_type(placement)}, replicaDivisionPreference: {preference}, "
        "please try another scheduling strategy"
    )
