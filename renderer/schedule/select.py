"""Which of the ranked clusters are taken: spread constraints.

Source: Karmada pkg/scheduler/core/spreadconstraint/select_clusters*.go.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from renderer.model.placement import Placement, SpreadConstraint
from renderer.schedule.question import DIVIDED, DUPLICATED, Question, scheduling_type
from renderer.schedule.rank import Ranking
from renderer.schedule.regions import Group, Limits, best_path

_WEIGHT_UNIT: Final = 1000  # so that replicas decide before the mean locality score, which is at most 100
_ABSENT: Final = SpreadConstraint()


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionClusters:
    """A region's clusters as ranked; the first `counted` of them went into the score."""

    name: str
    places: list[int]
    score: int
    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The positions taken, in the order in which they are assigned to; or why none are."""

    places: Sequence[int] = ()
    error: str = ""
    needed: int | None = None
    ignored: bool = False
    swaps: tuple[tuple[int, int], ...] = ()
    regions: tuple[RegionClusters, ...] = ()
    path: tuple[str, ...] = field(default=())


def select(question: Question, ranking: Ranking, regions: Sequence[str]) -> Selection:
    """Select among the ranked clusters; `regions` is the region of each position."""
    placement = question.placement
    if not placement.spread_constraints:
        return Selection(places=ranking.order)
    if ignores_constraints(placement):
        return Selection(places=ranking.order, ignored=True)
    # Of several constraints for one field the last counts.
    constraints = {constraint.spread_by_field: constraint for constraint in placement.spread_constraints}
    by_cluster = constraints.get("cluster")
    if "region" in constraints:
        return _by_region(question, ranking, regions, constraints["region"], by_cluster or _ABSENT)
    if by_cluster is not None:
        return _by_cluster(ranking, by_cluster, needed_replicas(question))
    return Selection(error="just support cluster and region spread constraint")


def ignores_constraints(placement: Placement) -> bool:
    """Whether replicas are divided by static or equal weights, where spread constraints do not count.

    An empty weightPreference is neither: they count there.
    """
    scheduling = placement.replica_scheduling
    if (
        scheduling is None
        or scheduling.replica_scheduling_type != DIVIDED
        or scheduling.replica_division_preference != "Weighted"
    ):
        return False
    preference = scheduling.weight_preference
    return preference is None or (bool(preference.static_weight_list) and not preference.dynamic_weight)


def needed_replicas(question: Question) -> int | None:
    """What the selected clusters must be able to take together; None where it does not matter."""
    if scheduling_type(question.placement) == DUPLICATED:
        return None
    return 1 if question.component_sets else question.binding.replicas


def _by_cluster(ranking: Ranking, constraint: SpreadConstraint, needed: int | None) -> Selection:
    feasible = len(ranking.order)
    if feasible < constraint.min_groups:
        return Selection(
            error="the number of feasible clusters is less than spreadConstraint.MinGroups", needed=needed
        )
    count = min(feasible, constraint.max_groups)
    if needed is None:
        return Selection(places=ranking.order[:count])
    places, swaps, available = _with_capacity(ranking, count, needed)
    if available < needed or not places:
        return Selection(
            error=f"no enough resource when selecting {count} clusters", needed=needed, swaps=swaps
        )
    return Selection(places=places, needed=needed, swaps=swaps)


def _with_capacity(
    ranking: Ranking, count: int, needed: int
) -> tuple[list[int], tuple[tuple[int, int], ...], int]:
    """The best `count` clusters, from the last on swapped for larger ones until they can take `needed`.

    Each makes room for the first of those outside that have the most, if that is more than its own; it
    then stands outside in that place. Returns the clusters, the swaps (out, in), and what they can take.
    """
    chosen, rest = ranking.order[:count], ranking.order[count:]
    total = sum(map(ranking.available, chosen))
    swaps = []
    outside: list[tuple[int, int]] = []
    if total < needed:
        outside = [(-ranking.available(place), index) for index, place in enumerate(rest)]
        heapq.heapify(outside)
    for i in reversed(range(len(chosen))):
        own = ranking.available(chosen[i])
        if total >= needed or not outside:
            break
        most, index = outside[0]
        if -most <= own:
            continue
        swaps.append((chosen[i], rest[index]))
        heapq.heapreplace(outside, (-own, index))
        chosen[i], rest[index] = rest[index], chosen[i]
        total += -most - own
    return chosen, tuple(swaps), total


def _by_region(
    question: Question,
    ranking: Ranking,
    regions: Sequence[str],
    by_region: SpreadConstraint,
    by_cluster: SpreadConstraint,
) -> Selection:
    grouped: defaultdict[str, list[int]] = defaultdict(list)
    for place in ranking.order:
        grouped[regions[place]].append(place)
    scored = tuple(
        _scored(question, ranking, name, places, by_region.min_groups) for name, places in grouped.items()
    )
    if len(grouped) < by_region.min_groups:
        return Selection(
            error="the number of feasible region is less than spreadConstraint.MinGroups", regions=scored
        )
    path = best_path(
        [Group(name=region.name, score=region.score, clusters=len(region.places)) for region in scored],
        Limits(least=by_region.min_groups, most=by_region.max_groups, clusters=by_cluster.min_groups),
    )
    if not path:
        return Selection(
            error="the number of clusters is less than the cluster spreadConstraint.MinGroups", regions=scored
        )
    names = tuple(group.name for group in path)
    # The best cluster of each region, then the best of all the others.
    places = [grouped[name][0] for name in names]
    wanted = min(sum(group.clusters for group in path), by_cluster.max_groups) - len(places)
    chosen, taken = dict.fromkeys(names), dict.fromkeys(places)
    for place in ranking.order if wanted > 0 else ():
        if place not in taken and regions[place] in chosen:
            places.append(place)
            wanted -= 1
            if wanted == 0:
                break
    return Selection(places=places, regions=scored, path=names)


def _scored(question: Question, ranking: Ranking, name: str, places: list[int], least: int) -> RegionClusters:
    if scheduling_type(question.placement) == DUPLICATED:
        score, counted = _score_of_copies(ranking, places, question.binding.replicas)
    else:
        constraints = question.placement.spread_constraints
        by_cluster = [entry.min_groups for entry in constraints if entry.spread_by_field == "cluster"]
        clusters = max(by_cluster[-1] if by_cluster else 0, least)
        score, counted = _score_of_shares(ranking, places, question.binding.replicas, least, clusters)
    return RegionClusters(name=name, places=places, score=score, counted=counted)


def _score_of_copies(ranking: Ranking, places: list[int], replicas: int) -> tuple[int, int]:
    """Duplicated: how many clusters can take all replicas, then their mean score."""
    able = [place for place in places if ranking.available(place) >= replicas]
    if not able:
        return 0, 0
    return _WEIGHT_UNIT * len(able) + sum(map(ranking.score, able)) // len(able), len(able)


def _score_of_shares(
    ranking: Ranking, places: list[int], replicas: int, least: int, clusters: int
) -> tuple[int, int]:
    """Divided: how much of its share of the replicas the region can take, then its mean score.

    Clusters are counted until there are enough of them and they can take the share.
    """
    # Without a least number of regions the share is a division by zero, which weighs nothing.
    share = math.ceil(replicas / least) if least else -math.inf
    available = scores = counted = 0
    for place in places:
        available += ranking.available(place)
        scores += ranking.score(place)
        counted += 1
        if counted >= clusters and available >= share:
            break
    if available < share:
        return _WEIGHT_UNIT * available + scores // len(places), counted
    weight = 0 if isinstance(share, float) else share
    return _WEIGHT_UNIT * weight + scores // counted, counted
