"""The fleet as the scheduler sees it: sets, capacities and orders, each worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from renderer.match.fleet import Fleet, Mask
from renderer.model.binding import TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.placement import StaticClusterWeight
from renderer.schedule.capacity import Demand, Estimator
from renderer.schedule.question import previous_replicas

_FEW: Final = 16
_LONG: Final = 64  # clusters of a result that is worth sharing
_REMEMBERED: Final = 64  # lists of the length of the fleet that are kept, of each sort


class Inventory:
    """Clusters, with what scheduling one binding after another found out about them.

    Decide all bindings of a run with the same inventory: what placements, requests and weights have in
    common is then looked up. A lookup never changes a result.
    """

    def __init__(self, clusters: Iterable[Cluster] | Fleet) -> None:
        """Take the clusters in any order, or a fleet that others use as well."""
        self.fleet: Final = clusters if isinstance(clusters, Fleet) else Fleet(clusters)
        self.estimator: Final = Estimator(self.fleet)
        self.regions: Final = [cluster.region for cluster in self.fleet.clusters]
        self._by_capacity = lru_cache(maxsize=_REMEMBERED)(self._order)
        self._weights = lru_cache(maxsize=_REMEMBERED)(self._weigh)
        self._shared = [self._running(replicas) for replicas in range(_FEW)]
        self._results: dict[int, tuple[TargetCluster, ...]] = {}
        self._held: tuple[tuple[TargetCluster, ...], Mapping[int, int], Mask] | None = None
        self.running = lru_cache(maxsize=_REMEMBERED)(self._running)

    def target(self, place: int, replicas: int) -> TargetCluster:
        """The cluster at a position with its replicas; one object where there are few, as often."""
        if replicas < _FEW:
            return self._shared[replicas][place]
        return TargetCluster(name=self.fleet.names[place], replicas=replicas)

    def interned(self, clusters: tuple[TargetCluster, ...]) -> tuple[TargetCluster, ...]:
        """The clusters as the tuple that an earlier equal result has, so that they are kept once.

        Targets are shared (see `target`), so the same ones in the same order are found by their ids.
        """
        if len(clusters) < _LONG:
            return clusters
        known = self._results.setdefault(hash(tuple(map(id, clusters))), clusters)
        return known if known == clusters else clusters

    def held(self, clusters: tuple[TargetCluster, ...]) -> tuple[Mapping[int, int], Mask]:
        """A previous result as position -> replicas, the first entry of a name, and as a mask."""
        if self._held is None or self._held[0] is not clusters:
            replicas = previous_replicas(clusters, self.fleet)
            # Many bindings in a row have one result: the last answer is worth keeping, more are not.
            self._held = (clusters, replicas, self.fleet.mask(list(replicas)))
        return self._held[1:]

    def by_capacity(self, mask: Mask, demand: Demand | None, replicas: int) -> list[int]:
        """The positions in a mask by free capacity, largest first, equals by name."""
        return self._by_capacity(mask, demand, self.estimator.stand_in(demand, replicas))

    def static_weights(self, rules: tuple[StaticClusterWeight, ...]) -> list[int]:
        """By position, the largest weight among the rules that match a cluster; 0 where none does."""
        return self._weights(rules)

    def _order(self, mask: Mask, demand: Demand | None, replicas: int) -> list[int]:
        allocatable = self.estimator.allocatable(demand, replicas)
        # A reversed sort keeps equals in the order in which they came, which is by name.
        return sorted(self.fleet.positions(mask), key=allocatable.__getitem__, reverse=True)

    def _weigh(self, rules: tuple[StaticClusterWeight, ...]) -> list[int]:
        weights = [0] * len(self.fleet)
        for rule in sorted(rules, key=lambda rule: rule.weight):
            for place in self.fleet.positions(self.fleet.admitted(rule.target_cluster)):
                weights[place] = max(0, rule.weight)
        return weights

    def _running(self, replicas: int) -> _Running:
        return _Running(self.fleet.names, replicas)


class _Running(dict[int, TargetCluster]):
    """Position -> the cluster with a fixed number of replicas, one object for all bindings."""

    def __init__(self, names: tuple[str, ...], replicas: int) -> None:
        super().__init__()
        self._names = names
        self._replicas = replicas

    def __missing__(self, place: int) -> TargetCluster:
        self[place] = TargetCluster(name=self._names[place], replicas=self._replicas)
        return self[place]
