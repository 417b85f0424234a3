"""Which rules select an object, and in which order they would apply.

ClusterOverridePolicies come first, then the OverridePolicies of the object's namespace; within each list the
policy that selects the object most specifically comes last, so that it wins.
Source: Karmada pkg/util/overridemanager/overridemanager.go, getOverridersFromOverridePolicies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from renderer.match.resources import strength
from renderer.model.claim import Strength
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule
from renderer.model.overrides import OverridePolicy


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules of the policies that select one object, in the order in which they would apply.

    `positions` are places in `RuleIndex.rules`.
    """

    positions: tuple[int, ...] = ()


class RuleIndex:
    """All rules of a workspace, ready to be asked which of them select an object."""

    def __init__(self, policies: Iterable[OverridePolicy]) -> None:
        """Number the rules."""
        rules: list[EffectiveRule] = []
        # By namespace: each policy with the position of its first rule.
        self._policies: dict[str, list[tuple[OverridePolicy, int]]] = {}
        for policy in policies:
            self._policies.setdefault(policy.namespace, []).append((policy, len(rules)))
            rules += (_rule(policy, index) for index in range(len(policy.rules)))
        self._rules = tuple(rules)

    @property
    def rules(self) -> tuple[EffectiveRule, ...]:
        """Every rule, with expressions not yet rendered."""
        return self._rules

    def cluster_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the ClusterOverridePolicies that select an object."""
        return self._selection("", identity, labels)

    def namespaced_rules(self, identity: Identity, labels: Mapping[str, str]) -> Selection:
        """The rules of the OverridePolicies that select an object; a cluster-scoped one has none."""
        return self._selection(identity.namespace, identity, labels) if identity.namespace else Selection()

    def _selection(self, namespace: str, identity: Identity, labels: Mapping[str, str]) -> Selection:
        selecting: list[tuple[Strength, str, OverridePolicy, int]] = []
        for policy, first in self._policies.get(namespace, ()):
            selectors = policy.resource_selectors
            how = strength(selectors, identity, labels) if selectors else Strength.ALL
            if how:
                selecting.append((how, policy.name, policy, first))
        selecting.sort(key=lambda entry: entry[:2])
        return Selection(
            tuple(first + index for _, _, policy, first in selecting for index in range(len(policy.rules)))
        )


def _rule(policy: OverridePolicy, index: int) -> EffectiveRule:
    return EffectiveRule(
        kind=policy.kind,
        namespace=policy.namespace,
        name=policy.name,
        index=index,
        policy=policy,
        overriders=policy.rules[index].overriders,
    )
