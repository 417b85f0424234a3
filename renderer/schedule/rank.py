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
    position = fleet.position
    previous = {position[name]: held for name, held in question.targets.items() if name in position}
    targets = fleet.mask(list(previous))
    order: list[int] = []
    overflow: dict[int, int] = {}
    for tier, mask in _tiers(question, fleet, feasible):
        here = fleet.positions(mask & targets)
        here.sort(key=lambda place: allocatable[place] + previous[place], reverse=True)
        here += inventory.by_capacity(mask & ~targets, demand, replicas)
        order += here
        if tier:
            overflow.update(dict.fromkeys(here, tier))
    return Ranking(order=order, allocatable=allocatable, previous=previous, overflow=overflow)


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
