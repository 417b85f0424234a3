"""Waves on the hub: a cluster gets a commit when all clusters of the wave before have it and are ready.

Flux orders Kustomizations by what each depends on. If each of a wave depended on each of the wave before,
ten thousand of them would be a million lines. So between two waves stands a gate, which applies nothing and
depends on one wave, and on which the next depends. A Kustomization that depends on another waits until that
is ready with the same commit of the same source; a gate hands this on.

Source: kustomize-controller internal/controller/kustomization_controller.go, checkDependencies.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from renderer.delivery.flux.kustomizations import Part
from renderer.delivery.flux.sources import own_name
from renderer.delivery.names import Names, code
from renderer.model.delivery import Delivery, Unit

_MOST: Final = 100  # Kustomizations that a gate depends on; with more, it depends on gates


@dataclass(frozen=True, slots=True, kw_only=True)
class Waves:
    """The waves of a hub, in order, with the Kustomizations that the next one waits for.

    Paused clusters are not among them: one that does not move would hold back all that come after it.
    """

    members: Mapping[int, Sequence[str]]
    delivery: Delivery
    names: Names

    @property
    def is_one(self) -> bool:
        """Whether there is nothing to wait for."""
        return len(self.members) < 2

    def gates(self, waves: Iterable[int]) -> Mapping[int, str]:
        """What the Kustomizations of each of these waves wait for, but for the first."""
        ordered = [*self.members]
        places = {wave: bisect_left(ordered, wave) for wave in waves}
        if self.is_one:
            return {}
        return {wave: self._name(ordered[place - 1]) for wave, place in places.items() if place}

    def gate_parts(self, path: str) -> Mapping[int, Sequence[Part]]:
        """The gates after each wave; `path` leads to the directory without objects."""
        found: dict[int, Sequence[Part]] = {}
        for wave, _ in pairwise(self.members):
            names = self.members[wave]
            groups = _groups(names) if len(names) > _MOST else {}
            parts = [
                Part(name=self._name(wave, key), path=path, serves=True, after=own)
                for key, own in groups.items()
            ]
            names = [part.name for part in parts] or names
            found[wave] = [*parts, Part(name=self._name(wave), path=path, serves=True, after=names)]
        return found

    def _name(self, wave: int, group: str = "") -> str:
        return self.names.free(own_name(self.delivery, f"-wave-{wave}{f'-{group}' if group else ''}"))


def waves_of(hub: Sequence[Unit], delivery: Delivery, names: Names) -> Waves:
    """The waves of the units that the hub applies."""
    members: dict[int, list[str]] = {}
    for unit in hub:
        if not unit.cluster.paused:
            members.setdefault(unit.cluster.wave, []).append(unit.name)
    return Waves(
        members={wave: sorted(members[wave]) for wave in sorted(members)}, delivery=delivery, names=names
    )


def _groups(names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The names in groups, none much larger than a gate takes; one more name changes one group."""
    digits = 1
    while len(names) > _MOST * 16**digits:
        digits += 1
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(code(name)[:digits], []).append(name)
    return dict(sorted(groups.items()))
