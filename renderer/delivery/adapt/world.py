"""What adaptations look at: the fleet and its engines, all that is rendered, and what was published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Final

from renderer.delivery.adapt.published import Published
from renderer.match.fleet import Fleet, Mask, union
from renderer.model.cluster import Cluster
from renderer.model.delivery import Delivery
from renderer.model.delivery_engine import Engine
from renderer.model.identity import Identity
from renderer.model.plan import Rendering
from renderer.model.previous import Previous


class World:
    """All of one render; sets of clusters are masks of its fleet."""

    def __init__(
        self,
        renderings: Sequence[Rendering],
        clusters: Sequence[Cluster],
        previous: Previous,
        delivery: Delivery,
        path_of: Callable[[Identity], str],
    ) -> None:
        """Find the engines. `path_of` tells where an object lies below the directory of a cluster."""
        self.renderings: Final = renderings
        self.delivery: Final = delivery
        self.fleet: Final = Fleet(clusters)
        self.published: Final = Published(previous.tree, self.fleet)
        self.path_of: Final = lru_cache(maxsize=None)(path_of)
        self._left_alone = previous.left_alone
        self._masks: dict[int, tuple[tuple[str, ...], Mask]] = {}
        self._names: dict[Mask, tuple[str, ...]] = {}

    @cached_property
    def engines(self) -> tuple[tuple[Engine, Mask], ...]:
        """The engines that deliver, each with its clusters."""
        places: dict[Engine, list[int]] = {}
        for place, cluster in enumerate(self.fleet.clusters):
            places.setdefault(self.delivery.engine_of(cluster), []).append(place)
        return tuple(
            (engine, self.fleet.mask(places[engine]))
            for engine in (Engine.ARGOCD, Engine.FLUX)
            if engine in places
        )

    def served_by(self, engine: Engine) -> Mask:
        """The clusters of an engine."""
        return dict(self.engines).get(engine, 0)

    def mask(self, names: tuple[str, ...]) -> Mask:
        """The clusters of these names; tuples are mostly shared, so each is looked up once."""
        known = self._masks.get(id(names))
        if known is None:
            known = self._masks[id(names)] = (names, self.fleet.named(names))
        return known[1]

    def names(self, mask: Mask) -> tuple[str, ...]:
        """The names of the clusters, one shared tuple for each set of them."""
        if mask not in self._names:
            self._names[mask] = tuple(map(self.fleet.names.__getitem__, self.fleet.positions(mask)))
        return self._names[mask]

    def staying(self, rendering: Rendering) -> Mask:
        """The clusters on which the files of a template stay as published, whatever is rendered."""
        if rendering.keeps_files:
            return self.fleet.everything
        return self._frozen | (self.mask(rendering.suspended) if rendering.suspended else 0)

    @cached_property
    def _frozen(self) -> Mask:
        return self.fleet.mask([at for at, cluster in enumerate(self.fleet.clusters) if cluster.frozen])

    def left_alone(self, path: str) -> Mask:
        """The clusters whose engine has been told, as published, to leave a field of that file alone."""
        return self._recorded.get(path, 0)

    @cached_property
    def _recorded(self) -> dict[str, Mask]:
        found: dict[str, Mask] = {}
        for item in self._left_alone:
            mask = self.fleet.named(item.clusters)
            for path in item.paths:
                found[path] = union((found.get(path, 0), mask))
        return found
