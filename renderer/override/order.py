"""Which rules apply to an object on a cluster, and in which order.

ClusterOverridePolicies come first, then the OverridePolicies of the object's namespace; within each list the
policy that selects the object most specifically comes last, so that it wins.
Source: Karmada pkg/util/overridemanager/overridemanager.go, getOverridersFromOverridePolicies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from renderer.match.clusters import admits
from renderer.match.resources import strength
from renderer.model.claim import Strength
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity
from renderer.override.expressions import expressions, rendered

Bits = int  # a set of rules: bit i stands for the rule at position i of the index


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules of the policies that select one object, in the order in which they would apply.

    `bits` is the same as a set, to be cut with the rules that admit a cluster.
    """

    positions: tuple[int, ...] = ()
    bits: Bits = 0
    _chosen: dict[Bits, tuple[EffectiveRule, ...]] = field(default_factory=dict, repr=False, compare=False)


class RuleIndex:
    """All rules of a workspace, ready to be asked for many objects and clusters.

    A rule has one bit, an object selects a set of rules, a cluster is admitted by a set of rules: what
    they have in common decides. What is asked twice is computed once.
    """

    def __init__(self, policies: Iterable[OverridePolicy]) -> None:
        """Number the rules and sort them by what they ask of a cluster."""
        self._rules: list[EffectiveRule] = []
        self._policies: dict[
            str, list[tuple[OverridePolicy, int]]
        ] = {}  # by namespace; first rule's position
        self._everywhere: Bits = 0
        self._by_name: dict[str, list[tuple[ClusterAffinity, Bits]]] = {}
        self._by_facts: dict[ClusterAffinity, Bits] = {}
        self._admitted: dict[str, Bits] = {}
        self._rendered: dict[tuple[int, str], EffectiveRule] = {}
        self._templated: Bits = 0
        for policy in policies:
            self._policies.setdefault(policy.namespace, []).append((policy, len(self._rules)))
            for index in range(len(policy.rules)):
                self._number(policy, index)

    @property
    def rules(self) -> tuple[EffectiveRule, ...]:
        """Every rule, with expressions not yet rendered; a rule's place here is its bit."""
        return tuple(self._rules)

    @property
    def templated(self) -> Bits:
        """The rules whose values depend on the cluster."""
        return self._templated

    def cluster_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the ClusterOverridePolicies that select an object."""
        return self._selection("", identity, labels)

    def namespaced_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the OverridePolicies that select an object; a cluster-scoped one has none."""
        return self._selection(identity.namespace, identity, labels) if identity.namespace else Selection()

    def admitted(self, cluster: Cluster) -> Bits:
        """The rules that admit a cluster: where these are the same, rules without expressions do the same."""
        bits = self._admitted.get(cluster.name)
        if bits is None:
            bits = self._everywhere
            named = self._by_name.get(cluster.name, ())
            for affinity, rules in (*named, *self._by_facts.items()):
                if admits(affinity, cluster):
                    bits |= rules
            self._admitted[cluster.name] = bits
        return bits

    def effective(self, selection: Selection, cluster: Cluster) -> tuple[EffectiveRule, ...]:
        """The selected rules that admit the cluster, in order, with the cluster's values in them."""
        bits = selection.bits & self.admitted(cluster)
        rules = selection._chosen.get(bits)
        if rules is None:
            rules = tuple(self._rules[i] for i in selection.positions if bits >> i & 1)
            selection._chosen[bits] = rules
        if not bits & self._templated:
            return rules
        positions = (i for i in selection.positions if bits >> i & 1)
        return tuple(self._with_values(i, cluster) for i in positions)

    def _number(self, policy: OverridePolicy, index: int) -> None:
        rule, bit = policy.rules[index], 1 << len(self._rules)
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
            self._templated |= bit
        affinity = rule.target_cluster
        if affinity is None:
            self._everywhere |= bit
        elif affinity.cluster_names:
            for name in dict.fromkeys(affinity.cluster_names):
                self._by_name.setdefault(name, []).append((affinity, bit))
        else:
            self._by_facts[affinity] = self._by_facts.get(affinity, 0) | bit

    def _selection(self, namespace: str, identity: Identity, labels: Mapping[str, str]) -> Selection:
        selecting: list[tuple[Strength, str, OverridePolicy, int]] = []
        for policy, first in self._policies.get(namespace, ()):
            selectors = policy.resource_selectors
            how = strength(selectors, identity, labels) if selectors else Strength.ALL
            if how:
                selecting.append((how, policy.name, policy, first))
        selecting.sort(key=lambda entry: entry[:2])
        positions = tuple(first + i for _, _, policy, first in selecting for i in range(len(policy.rules)))
        return Selection(positions, sum(1 << position for position in positions))

    def _with_values(self, position: int, cluster: Cluster) -> EffectiveRule:
        """The rule with the values the cluster gives its expressions, if it has any."""
        rule = self._rules[position]
        if not self._templated >> position & 1:
            return rule
        known = self._rendered.get((position, cluster.name))
        if known is None:
            overriders, values, fault = rendered(rule.policy, rule.index, cluster)
            known = replace(rule, overriders=overriders, values=values, fault=fault)
            self._rendered[position, cluster.name] = known
        return known
