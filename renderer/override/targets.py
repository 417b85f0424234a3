"""Which clusters get the same rules: a fleet, parted by the rules that target its clusters.

What clusters get of an object differs by the rules that target them and by nothing else, so an object is
overridden once for each part of the fleet, however many clusters are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from renderer.expression.overriders import expressions
from renderer.match.clusters import admits
from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.override_result import EffectiveRule
from renderer.model.placement import ClusterAffinity
from renderer.override.expressions import rendered
from renderer.override.holed import with_holes
from renderer.override.order import RuleIndex, Selection

Positions = tuple[int, ...]
Rules = tuple[EffectiveRule, ...]
Parts = tuple[tuple[Rules, Mask], ...]


@dataclass(frozen=True, slots=True)
class Valued:
    """Clusters with the same rules and values of their own in these: parts of them, by the values."""

    holed: Rules  # with a hole for each value, numbered in their order
    parts: Parts


class Targets:
    """The rules of a workspace over its fleet. What is asked twice is worked out once."""

    def __init__(self, index: RuleIndex, fleet: Fleet) -> None:
        """Find the rules whose values depend on the cluster."""
        self.index: Final = index
        self.fleet: Final = fleet
        self._templated: Final = frozenset(
            position
            for position, rule in enumerate(index.rules)
            if rule.policy.templated and expressions(rule.overriders)
        )
        self._parts: dict[Positions, tuple[tuple[Positions, Mask], ...]] = {}
        self._places: dict[int, tuple[int, ...]] = {}
        self._valued: dict[tuple[Positions, Mask], Parts] = {}
        self._rendered: dict[tuple[int, str], EffectiveRule] = {}
        self._holed: dict[Positions, Rules] = {}
        self._sounds: dict[int, tuple[Parts, Parts]] = {}

    def parts(self, selection: Selection, mask: Mask) -> Iterator[tuple[Rules, Mask]]:
        """The clusters of a mask by the selected rules that target them, with a cluster's values in these.

        Rules are in the order in which they apply. No two parts have equal rules, and none is empty.
        """
        for positions, members in self._parted(selection.positions):
            here = members & mask
            if not here:
                continue
            if self._templated.isdisjoint(positions):
                yield tuple(self.index.rules[position] for position in positions), here
            else:
                yield from self._by_values(positions, here)

    def grouped(self, selection: Selection, mask: Mask) -> Iterator[tuple[Rules, Mask] | Valued]:
        """The same, but what differs in values only comes together, where it can be made together."""
        for positions, members in self._parted(selection.positions):
            here = members & mask
            if not here:
                continue
            if self._templated.isdisjoint(positions):
                yield tuple(self.index.rules[position] for position in positions), here
                continue
            parts = self._by_values(positions, here)
            holed = self._holed_rules(positions)
            if not holed or len(parts) == 1:
                yield from parts
                continue
            sound = self._sound(parts)
            if sound:
                yield Valued(holed, sound)
            if len(sound) < len(parts):
                yield from (part for part in parts if any(rule.fault for rule in part[0]))

    def _sound(self, parts: Parts) -> Parts:
        """The parts without an expression that has no value: the same tuple for the same parts."""
        known = self._sounds.get(id(parts))
        if known is None:
            sound = tuple(part for part in parts if not any(rule.fault for rule in part[0]))
            # The parts are kept as well, so that their id stays their own.
            known = self._sounds[id(parts)] = (parts, sound)
        return known[1]

    def _holed_rules(self, positions: Positions) -> Rules:
        """The rules with holes for values; none where values may decide about more than themselves."""
        known = self._holed.get(positions)
        if known is None:
            rules = tuple(self.index.rules[position] for position in positions)
            known = self._holed[positions] = with_holes(rules, [p in self._templated for p in positions])
        return known

    def _parted(self, positions: Positions) -> tuple[tuple[Positions, Mask], ...]:
        """The whole fleet by the rules that target a cluster."""
        known = self._parts.get(positions)
        if known is None:
            facts: dict[ClusterAffinity | None, list[int]] = {}
            named: dict[int, list[int]] = {}
            for position in positions:
                affinity = self.index.rules[position].rule.target_cluster
                if affinity is None or not affinity.cluster_names:
                    facts.setdefault(affinity, []).append(position)
                    continue
                # There may be a rule for each cluster: it is found by the name, not tried on the fleet.
                for place in self._places_of(position, affinity):
                    named.setdefault(place, []).append(position)
            rank = {position: place for place, position in enumerate(positions)}
            known = self._parts[positions] = tuple(
                (tuple(sorted(rules, key=rank.__getitem__)), members)
                for rules, members in self._with_names(self._by_facts(facts.items()), named)
            )
        return known

    def _by_facts(
        self, rules: Iterable[tuple[ClusterAffinity | None, list[int]]]
    ) -> list[tuple[Positions, Mask]]:
        """Part the fleet by rules that look at what clusters are."""
        parts: list[tuple[Positions, Mask]] = [((), self.fleet.everything)]
        for affinity, positions in rules:
            left = self.fleet.everything if affinity is None else self.fleet.admitted(affinity)
            for at in range(len(parts)):
                if not left:
                    break
                before, members = parts[at]
                inside = members & left
                if inside:
                    left ^= inside
                    parts.append(((*before, *positions), inside))
                    parts[at] = (before, members ^ inside)
        return parts

    def _with_names(
        self, parts: list[tuple[Positions, Mask]], named: dict[int, list[int]]
    ) -> list[tuple[Positions, Mask]]:
        """Part further by rules that name clusters: place in the fleet -> positions."""
        if not named:
            return parts
        out = self.fleet.mask(list(named))
        places: dict[Positions, list[int]] = {}
        for positions, members in parts:
            for place in self.fleet.positions(members & out):
                places.setdefault((*positions, *named[place]), []).append(place)
        rest = [(positions, members & ~out) for positions, members in parts]
        return [*rest, *((positions, self.fleet.mask(group)) for positions, group in places.items())]

    def _places_of(self, position: int, affinity: ClusterAffinity) -> Sequence[int]:
        """The places of the clusters that a rule names and that it also admits otherwise."""
        known = self._places.get(position)
        if known is None:
            places = map(self.fleet.position.get, dict.fromkeys(affinity.cluster_names))
            known = self._places[position] = tuple(
                place
                for place in places
                if place is not None and admits(affinity, self.fleet.clusters[place])
            )
        return known

    def _by_values(self, positions: Positions, mask: Mask) -> Parts:
        """Clusters with the same rules by the values that they give these."""
        known = self._valued.get((positions, mask))
        if known is None:
            places: dict[Rules, list[int]] = {}
            for place in self.fleet.positions(mask):
                cluster = self.fleet.clusters[place]
                rules = tuple(self._with_values(position, cluster) for position in positions)
                places.setdefault(rules, []).append(place)
            known = self._valued[positions, mask] = tuple(
                (rules, self.fleet.mask(group)) for rules, group in places.items()
            )
        return known

    def _with_values(self, position: int, cluster: Cluster) -> EffectiveRule:
        """The rule with the values the cluster gives its expressions, if it has any."""
        rule = self.index.rules[position]
        if position not in self._templated:
            return rule
        known = self._rendered.get((position, cluster.name))
        if known is None:
            overriders, values, fault = rendered(rule.policy, rule.index, cluster)
            known = replace(rule, overriders=overriders, values=values, fault=fault)
            self._rendered[position, cluster.name] = known
        return known
