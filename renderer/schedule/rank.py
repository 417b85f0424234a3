"""The order in which clusters are preferred.

By overflow order, then clusters of the previous result, then available replicas, then name: no two clusters
rank alike. Source: Karmada pkg/scheduler/core/spreadconstraint/group_clusters.go and util.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from renderer.match.fleet import Fleet, Mask
from renderer.schedule.capacity import demand_of
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import Question

LOCALITY_SCORE: Final = 100  # of a cluster in the previous result; all others have 0
_NO_TIER: Final = 1000  # overflow order of a cluster that no affinity of the term admits


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Feasible clusters, best first, by position in the fleet.

    `allocatable` is the free capacity of every position, `previous` the replicas of those in the previous
    result, `overflow` the overflow order of those where it is not 0.
    """

    order: list[int]
    allocatable: list[int]
    previous: Mapping[int, int]
    overflow: Mapping[int, int]

    def available(self, place: int) -> int:
        """Free capacity and what is already there."""
        return self.allocatable[place] + self.previous.get(place, 0)

    def score(self, place: int) -> int:
        """Only locality counts."""
        return LOCALITY_SCORE if place in self.previous else 0


def rank(question: Question, inventory: Inventory, feasible: Mask) -> Ranking:
    """Rank the feasible clusters for a question."""
    fleet, replicas = inventory.fleet, question.binding.replicas
    demand = demand_of(question)
    allocatable = inventory.estimator.allocatable(demand, replicas)
    order: list[int] = []
    overflow: dict[int, int] = {}
    for tier, mask in _tiers(question, fleet, feasible):
        # The order by free capacity is common to many bindings; only their own targets stand before it.
        here = inventory.by_capacity(mask, demand, replicas)
        if targets := mask & question.targets:
            head = _by_available(question, fleet, here, targets, allocatable)
            others = mask & ~targets
            here = head + [place for place in here if place not in question.previous] if others else head
        order = order + here if order else here
        if tier:
            overflow.update(dict.fromkeys(here, tier))
    return Ranking(order=order, allocatable=allocatable, previous=question.previous, overflow=overflow)


def _by_available(
    question: Question, fleet: Fleet, by_capacity: list[int], targets: Mask, allocatable: list[int]
) -> list[int]:
    """The clusters of the previous result by what is available there, equals by name."""
    previous = question.previous
    if len(set(previous.values())) == 1:
        # As much in all of them changes nothing in the order by free capacity.
        everywhere = len(by_capacity) == targets.bit_count()
        return by_capacity if everywhere else [place for place in by_capacity if place in previous]
    total = {place: allocatable[place] + previous[place] for place in fleet.positions(targets)}
    return sorted(total, key=total.__getitem__, reverse=True)


def _tiers(question: Question, fleet: Fleet, feasible: Mask) -> list[tuple[int, Mask]]:
    """The feasible clusters by overflow order: of the term itself 0, of its overflow affinities 1 and up."""
    placement = question.placement
    if placement.cluster_affinity is not None or not placement.cluster_affinities:
        return [(0, feasible)]
    tiers = []
    term = question.term
    for tier, entry in enumerate((term, *term.overflow_affinities) if term else ()):
        admitted = feasible & fleet.admitted(entry.affinity)
        tiers.append((tier, admitted))
        feasible &= ~admitted
    return [*tiers, (_NO_TIER, feasible)]
