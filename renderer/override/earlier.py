"""Manifests that were made before, used again for templates that go to the same clusters as then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from renderer.model.binding import TargetCluster
from renderer.model.plan import Rendering

_Targets: TypeAlias = tuple[TargetCluster, ...]


class Earlier:
    """Renderings of the same templates, clusters, policies and settings, with their manifests."""

    def __init__(self, renderings: Iterable[Rendering]) -> None:
        """Keep them by template."""
        self._known = {rendering.template.identity: rendering for rendering in renderings}
        # Many bindings share their clusters: compared once, by identity. Whoever is in here is alive.
        self._compared: dict[tuple[int, int], bool] = {}

    def made(self, rendering: Rendering) -> Rendering | None:
        """The rendering with the manifests it had before; None where it has to be made."""
        before = self._known.get(rendering.template.identity)
        if before is None or not self._is_same(before, rendering):
            return None
        made = before.plain or before.manifests  # what engines need depends on more than what is compared
        return replace(rendering, manifests=made, suspended=before.suspended, leaving=before.leaving)

    def _is_same(self, one: Rendering, other: Rendering) -> bool:
        """Whether all that manifests are made from is the same.

        The order of clusters makes no difference, nor does the time at which they were chosen.
        """
        was, will = one.binding, other.binding
        if was is None or will is None or one.standing is not other.standing:
            return False
        if [kept.clusters for kept in one.leaving] != [kept.clusters for kept in other.leaving]:
            return False
        if (was.suspension, was.failover) != (will.suspension, will.failover):  # which `==` passes over
            return False
        alike = replace(was, clusters=will.clusters, last_scheduled_time=will.last_scheduled_time)
        return alike == will and self._are_same(was.clusters, will.clusters)

    def _are_same(self, one: _Targets, other: _Targets) -> bool:
        key = (id(one), id(other))
        if key not in self._compared:
            self._compared[key] = one == other or _by_name(one) == _by_name(other)
        return self._compared[key]


def _by_name(targets: _Targets) -> list[TargetCluster]:
    """In order of the names; of entries with one name the last still comes last."""
    return sorted(targets, key=lambda target: target.name)
