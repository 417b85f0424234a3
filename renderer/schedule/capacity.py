"""How many replicas each cluster can still take, for all clusters at once.

What one resource allows is worked out for the whole fleet as one list and remembered; the capacity is the
least of these lists, and an explanation reads the same lists.
Source: Karmada pkg/scheduler/core/util.go and pkg/estimator/client/general.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from renderer.match.fleet import Fleet
from renderer.model.binding import ReplicaRequirements
from renderer.model.cluster import Cluster, ResourceSummary
from renderer.model.decision import Bound
from renderer.model.quantity import Quantity
from renderer.schedule.models import ModelNodes, Piece, model_nodes, node_request, replicas_on, sets_on
from renderer.schedule.question import Question
from renderer.schedule.units import CPU, INT32_MAX, PODS, int32, set_units, units

_NO_ANSWER: Final = -1  # what an estimator says that cannot estimate
_MODEST: Final = 2**53  # below it no sum of a few numbers leaves 64 bits
_REMEMBERED: Final = 64  # lists of the length of the fleet that are kept: one for each recent demand


Requests: TypeAlias = tuple[tuple[str, Quantity], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What is measured: one replica, or where there are `components` a whole set of them.

    `requests` None: nothing is known but that a replica is a pod. A component is its number of replicas
    with what each of them requests. `models` tells whether resource models count.
    """

    requests: Requests | None = None
    components: tuple[tuple[int, Requests], ...] = ()
    models: bool = True


def demand_of(question: Question) -> Demand | None:
    """What to measure for a binding; None where nothing runs, so that no capacity matters."""
    binding = question.binding
    if binding.replicas == 0 and not binding.components:
        return None
    models = question.gates.customized_cluster_resource_modeling
    if question.component_sets:
        components = tuple(
            (component.replicas, _requests(component.replica_requirements) or ())
            for component in binding.components
        )
        return Demand(components=components, models=models)
    return Demand(requests=_requests(binding.replica_requirements), models=models)


class Estimator:
    """The general estimator over a fleet."""

    def __init__(self, fleet: Fleet) -> None:
        """Take the clusters to measure."""
        self._fleet: Final = fleet
        self._unlimited: Final = [INT32_MAX] * len(fleet)
        self._measured = lru_cache(maxsize=_REMEMBERED)(self._measure)
        self._quotients = lru_cache(maxsize=_REMEMBERED)(self._divide)
        self._room = lru_cache(maxsize=None)(self._free)
        self._pods = lru_cache(maxsize=1)(self._free_pods)
        self._nodes = lru_cache(maxsize=1)(self._model_nodes)

    def allocatable(self, demand: Demand | None, replicas: int) -> list[int]:
        """Free capacity by position, in replicas. No answer, or 2^31-1, counts as `replicas`."""
        if demand is None:
            return self._unlimited
        capacity, known = self._measured(demand)
        if known:
            return capacity
        return [replicas if room in (_NO_ANSWER, INT32_MAX) else room for room in capacity]

    def stand_in(self, demand: Demand | None, replicas: int) -> int:
        """What of `replicas` the capacities depend on: 0 where every cluster has its own answer."""
        return 0 if demand is None or self._measured(demand)[1] else replicas

    def bounds(self, demand: Demand | None, place: int) -> tuple[Bound, ...]:
        """Every limit that was looked at for the cluster at a position."""
        return () if demand is None else tuple(self._bounds(demand, place))

    def _measure(self, demand: Demand) -> tuple[list[int], bool]:
        """Capacities, and whether all of them are numbers to be taken as they are."""
        pods = self._pods()
        if demand.components:
            capacity = [
                _component_sets(demand, *entry) for entry in zip(self._fleet.clusters, pods, strict=True)
            ]
        else:
            limits = [self._quotients(*request) for request in _positive(demand)]
            capacity = list(map(min, pods, *limits)) if limits else list(pods)
            for place, nodes in self._modelled(demand).items():
                capacity[place] = min(pods[place], _on_models(nodes, demand)) if pods[place] else 0
        if max(capacity, default=0) > INT32_MAX:
            capacity = [int32(room) for room in capacity]
        return capacity, INT32_MAX not in capacity and _NO_ANSWER not in capacity

    def _bounds(self, demand: Demand, place: int) -> Iterator[Bound]:
        pods = self._pods()[place]
        cluster = self._fleet.clusters[place]
        if cluster.resource_summary is None:
            yield Bound(resource=PODS, replicas=0, detail="no resourceSummary is known")
            return
        yield Bound(resource=PODS, replicas=pods, detail=_pods_detail(cluster.resource_summary))
        nodes = self._modelled(demand).get(place)
        if demand.components:
            sets = _component_sets(demand, cluster, pods)
            yield Bound(resource="component sets", replicas=sets)
        elif nodes is not None and pods:
            yield Bound(
                resource="resource models",
                replicas=_on_models(nodes, demand),
                detail=_nodes_detail(nodes, demand),
            )
        else:
            for name, amount in _positive(demand):
                free = self._room(name)[place]
                detail = f"{free} free, {amount} each" if name != CPU else f"{free}m free, {amount}m each"
                yield Bound(resource=name, replicas=free // amount, detail=detail)

    def _modelled(self, demand: Demand) -> Mapping[int, tuple[ModelNodes, ...]]:
        """The clusters whose models replace their summary, by position."""
        return self._nodes() if demand.models and demand.requests is not None else {}

    def _divide(self, resource: str, amount: int) -> list[int]:
        return [free // amount for free in self._room(resource)]

    def _free(self, resource: str) -> list[int]:
        """What is free of a resource, in units; 0 where there is none of it or no whole unit is left."""
        return [_free_units(cluster, resource) for cluster in self._fleet.clusters]

    def _free_pods(self) -> list[int]:
        return [_allowed_pods(cluster.resource_summary) for cluster in self._fleet.clusters]

    def _model_nodes(self) -> Mapping[int, tuple[ModelNodes, ...]]:
        found = ((place, model_nodes(cluster)) for place, cluster in enumerate(self._fleet.clusters))
        return {place: nodes for place, nodes in found if nodes is not None}


def _positive(demand: Demand) -> list[tuple[str, int]]:
    """The requests that count, in units: those of at least one whole unit once rounded up."""
    return [(name, units(name, amount)) for name, amount in demand.requests or () if amount.value > 0]


def _on_models(nodes: tuple[ModelNodes, ...], demand: Demand) -> int:
    return replicas_on(nodes, _node_request(demand.requests))


def _allowed_pods(summary: ResourceSummary | None) -> int:
    """Pods that are neither allocated nor being allocated; an absent entry is none."""
    if summary is None:
        return 0
    has, runs, starts = _amounts(summary, PODS)
    return max(0, (has.value if has else 0) - (runs.value if runs else 0) - (starts.value if starts else 0))


def _free_units(cluster: Cluster, resource: str) -> int:
    if cluster.resource_summary is None:
        return 0
    unit = 1000 if resource == CPU else 1
    has, *taken = (_exact(amount, unit) for amount in _amounts(cluster.resource_summary, resource))
    if has is not None and None not in taken:
        return max(0, has - sum(filter(None, taken)))
    free = _free_quantity(cluster.resource_summary, resource)
    return units(resource, free) if free is not None and free.value > 0 else 0


def _exact(amount: Quantity | None, unit: int) -> int | None:
    """An amount as a modest whole number of units (an absent one as 0); None where it is not that."""
    if amount is None:
        return 0
    number, rest = divmod(amount.amount.numerator * unit, amount.amount.denominator)
    return number if not rest and abs(number) < _MODEST else None


def _free_quantity(summary: ResourceSummary, resource: str) -> Quantity | None:
    """Allocatable less allocated and allocating; None where the cluster does not have the resource."""
    free, *taken = _amounts(summary, resource)
    for amount in taken:
        if free is not None and amount is not None:
            free -= amount
    return free


def _amounts(summary: ResourceSummary, resource: str) -> list[Quantity | None]:
    """What is allocatable, allocated and being allocated of a resource."""
    lists = (summary.allocatable, summary.allocated, summary.allocating)
    return [next((amount for name, amount in entries if name == resource), None) for entries in lists]


def _requests(requirements: ReplicaRequirements | None) -> Requests | None:
    return None if requirements is None else requirements.resource_request


def _component_sets(demand: Demand, cluster: Cluster, pods: int) -> int:
    """How many whole sets of the components a cluster can take.

    Source: maxAvailableComponentSets in general.go.
    """
    summary, pods_in_set = cluster.resource_summary, sum(replicas for replicas, _ in demand.components)
    if summary is None or pods <= 0 or pods_in_set <= 0:
        return int32(pods)
    sets = int32(pods // pods_in_set)
    for resource, amount in _set_request(demand).items():
        if amount <= 0:
            continue
        free = _free_quantity(summary, resource)
        room = 0 if free is None else set_units(free)
        if room <= 0:
            return 0
        sets = min(sets, int32(room // amount))
    nodes = model_nodes(cluster) if demand.models else None
    return sets if nodes is None else min(sets, sets_on(nodes, _pieces(demand), sets))


def _set_request(demand: Demand) -> dict[str, int]:
    """What one set requests of each resource, in set units."""
    total: dict[str, int] = {}
    for replicas, requests in demand.components:
        for name, amount in requests:
            total[name] = total.get(name, 0) + set_units(amount) * replicas
    return total


def _pieces(demand: Demand) -> list[Piece]:
    return [
        Piece(replicas=replicas, request=_node_request(requests)) for replicas, requests in demand.components
    ]


def _node_request(requests: Requests | None) -> dict[str, int]:
    return node_request([(name, units(name, amount)) for name, amount in requests or ()])


def _pods_detail(summary: ResourceSummary) -> str:
    if PODS not in dict(summary.allocatable):
        return "the summary has no pods, which counts as none"
    lists = (
        ("allocatable", summary.allocatable),
        ("allocated", summary.allocated),
        ("allocating", summary.allocating),
    )
    return ", ".join(f"{dict(entries)[PODS]} {word}" for word, entries in lists if PODS in dict(entries))


def _nodes_detail(nodes: tuple[ModelNodes, ...], demand: Demand) -> str:
    request = _node_request(demand.requests)
    return ", ".join(
        f"{group.count} of grade {group.grade} hold {group.holds(request)} each" for group in nodes
    )
