"""Which rules apply to an object on a cluster, and in which order.

ClusterOverridePolicies come first, then the OverridePolicies of the object's namespace; within each list the
policy that selects the object most specifically comes last, so that it wins.
Source: Karmada pkg/util/overridemanager/overridemanager.go, getOverridersFromOverridePolicies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from renderer.expression.overriders import expressions
from renderer.match.clusters import admits
from renderer.match.resources import strength
from renderer.model.claim import Strength
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity
from renderer.override.expressions import rendered

Key = tuple[int, tuple[int, ...], tuple[EffectiveRule, ...]]

_NO_RULES: Final[Key] = (0, (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules of the policies that select one object, in the order in which they would apply.

    `positions` are places in `RuleIndex.rules`. The same as sets: `bits` those that look at clusters'
    facts, `named` those that name clusters.
    """

    positions: tuple[int, ...] = ()
    bits: int = 0
    named: frozenset[int] = frozenset()
    ranks: Mapping[int, int] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class _Admitted:
    """The rules that admit a cluster: by facts, as bits, and by its name, as positions."""

    bits: int
    named: tuple[int, ...]


class RuleIndex:
    """All rules of a workspace, ready to be asked for many objects and clusters.

    An object selects a set of rules, a cluster is admitted by a set of rules: what they have in common
    decides. Rules that name clusters, of which there may be one for each, are found by the name; the others
    have a bit each. What is asked twice is computed once.
    """

    def __init__(self, policies: Iterable[OverridePolicy]) -> None:
        """Number the rules and sort them by what they ask of a cluster."""
        self._rules: list[EffectiveRule] = []
        self._policies: dict[
            str, list[tuple[OverridePolicy, int]]
        ] = {}  # by namespace; first rule's position
        self._by_facts: dict[ClusterAffinity | None, int] = {}  # bits of the rules with that affinity
        self._by_name: dict[str, list[int]] = {}
        self._positions: list[int] = []  # of each bit
        self._bits: dict[int, int] = {}  # the other way round
        self._templated: set[int] = set()
        self._admitted: dict[str, _Admitted] = {}
        self._rendered: dict[tuple[int, str], EffectiveRule] = {}
        for policy in policies:
            self._policies.setdefault(policy.namespace, []).append((policy, len(self._rules)))
            for index in range(len(policy.rules)):
                self._number(policy, index)

    @property
    def rules(self) -> tuple[EffectiveRule, ...]:
        """Every rule, with expressions not yet rendered."""
        return tuple(self._rules)

    def cluster_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the ClusterOverridePolicies that select an object."""
        return self._selection("", identity, labels)

    def namespaced_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the OverridePolicies that select an object; a cluster-scoped one has none."""
        return self._selection(identity.namespace, identity, labels) if identity.namespace else Selection()

    def key(self, selection: Selection, cluster: Cluster) -> Key:
        """What decides about the outcome: the selected rules that admit the cluster, with their values."""
        if not selection.positions:
            return _NO_RULES
        bits, named = self._common(selection, cluster)
        if not self._templated or self._templated.isdisjoint(self._places(bits, named)):
            return bits, named, ()
        return bits, named, self.effective(selection, cluster)

    def effective(self, selection: Selection, cluster: Cluster) -> tuple[EffectiveRule, ...]:
        """The selected rules that admit the cluster, in order, with the cluster's values in them."""
        places = self._places(*self._common(selection, cluster))
        ordered = sorted(places, key=selection.ranks.__getitem__)
        return tuple(self._with_values(position, cluster) for position in ordered)

    def _common(self, selection: Selection, cluster: Cluster) -> tuple[int, tuple[int, ...]]:
        admitted = self._admitted.get(cluster.name)
        if admitted is None:
            admitted = self._admitted[cluster.name] = self._admit(cluster)
        named = admitted.named
        if named:
            named = tuple([position for position in named if position in selection.named])
        return selection.bits & admitted.bits, named

    def _places(self, bits: int, named: tuple[int, ...]) -> list[int]:
        places = list(named)
        while bits:
            lowest = bits & -bits
            places.append(self._positions[lowest.bit_length() - 1])
            bits ^= lowest
        return places

    def _admit(self, cluster: Cluster) -> _Admitted:
        bits = 0
        for affinity, rules in self._by_facts.items():
            if affinity is None or admits(affinity, cluster):
                bits |= rules
        return _Admitted(
            bits, tuple(filter(partial(self._names, cluster), self._by_name.get(cluster.name, ())))
        )

    def _names(self, cluster: Cluster, position: int) -> bool:
        affinity = self._rules[position].rule.target_cluster
        return affinity is not None and admits(affinity, cluster)

    def _number(self, policy: OverridePolicy, index: int) -> None:
        rule, position = policy.rules[index], len(self._rules)
        self._rules.append(
            EffectiveRule(
                kind=policy.kind,
                namespace=policy.namespace,
                name=policy.name,
                index=index,
                policy=policy,
                overriders=rule.overriders,
            )
        )
        if policy.templated and expressions(rule.overriders):
            self._templated.add(position)
        affinity = rule.target_cluster
        if affinity is not None and affinity.cluster_names:
            for name in dict.fromkeys(affinity.cluster_names):
                self._by_name.setdefault(name, []).append(position)
            return
        self._bits[position] = 1 << len(self._positions)
        self._positions.append(position)
        self._by_facts[affinity] = self._by_facts.get(affinity, 0) | self._bits[position]

    def _selection(self, namespace: str, identity: Identity, labels: Mapping[str, str]) -> Selection:
        selecting: list[tuple[Strength, str, OverridePolicy, int]] = []
        for policy, first in self._policies.get(namespace, ()):
            selectors = policy.resource_selectors
            how = strength(selectors, identity, labels) if selectors else Strength.ALL
            if how:
                selecting.append((how, policy.name, policy, first))
        selecting.sort(key=lambda entry: entry[:2])
        positions = tuple(first + i for _, _, policy, first in selecting for i in range(len(policy.rules)))
        return Selection(
            positions,
            sum(self._bits.get(position, 0) for position in positions),
            frozenset(position for position in positions if position not in self._bits),
            {position: rank for rank, position in enumerate(positions)},
        )

    def _with_values(self, position: int, cluster: Cluster) -> EffectiveRule:
        """The rule with the values the cluster gives its expressions, if it has any."""
        rule = self._rules[position]
        if position not in self._templated:
            return rule
        known = self._rendered.get((position, cluster.name))
        if known is None:
            overriders, values, fault = rendered(rule.policy, rule.index, cluster)
            known = replace(rule, overriders=overriders, values=values, fault=fault)
            self._rendered[position, cluster.name] = known
        return known
