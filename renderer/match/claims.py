"""Claims: exactly one policy, or none, for each resource template.

Decided afresh, as if every policy had existed before every template; only a claim that a template
itself carries is obeyed. Source: Karmada pkg/detector/policy.go, compare.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.match.labels import Labels
from renderer.match.resources import strength
from renderer.match.skip import SkipOptions, skipped
from renderer.model.claim import Claim, Defeat, Loss, Outcome, Strength
from renderer.model.claim_memory import PolicyKey
from renderer.model.identity import annotations_of
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template

POLICY_ID: Final = "propagationpolicy.karmada.io/permanent-id"
POLICY_NAMESPACE: Final = "propagationpolicy.karmada.io/namespace"
POLICY_NAME: Final = "propagationpolicy.karmada.io/name"
CLUSTER_POLICY_ID: Final = "clusterpropagationpolicy.karmada.io/permanent-id"
CLUSTER_POLICY_NAME: Final = "clusterpropagationpolicy.karmada.io/name"

Overrides: TypeAlias = frozenset[PolicyKey]  # the override policies that exist


@dataclass(frozen=True, slots=True)
class Candidate:
    """A policy that selects a template."""

    policy: PropagationPolicy
    strength: Strength

    @property
    def merit(self) -> tuple[bool, int, int, str]:
        """Sorts the best first: namespaced, priority, strength, name."""
        return (not self.policy.namespace, -self.policy.priority, -self.strength, self.policy.name)


class PolicyIndex:
    """Policies by what their selectors name, so that a template meets only those that could select it."""

    def __init__(self, policies: Iterable[PropagationPolicy]) -> None:
        """Index the policies; those being deleted select nothing."""
        by_key: dict[PolicyKey, PropagationPolicy] = {}
        index: dict[tuple[str, str, str], dict[PolicyKey, PropagationPolicy]] = {}
        for policy in policies:
            key = (policy.namespace, policy.name)
            by_key[key] = policy
            if policy.deleting:
                continue
            for selector in policy.resource_selectors:
                kind = (policy.namespace, selector.api_version, selector.kind)
                index.setdefault(kind, {})[key] = policy
        self.by_key: Mapping[PolicyKey, PropagationPolicy] = by_key
        self._index = index

    def candidates(self, template: Template) -> tuple[Candidate, ...]:
        """All policies that select the template, the best first."""
        identity, labels = template.identity, dict(template.labels)
        found: list[Candidate] = []
        for namespace in (identity.namespace, "") if identity.namespace else ("",):
            kind = (namespace, identity.api_version, identity.kind)
            for policy in self._index.get(kind, {}).values():
                selected = strength(policy.resource_selectors, identity, labels)
                if selected:
                    found.append(Candidate(policy, selected))
        return tuple(sorted(found, key=lambda candidate: candidate.merit))


def claim(
    templates: Iterable[Template],
    policies: Iterable[PropagationPolicy],
    overrides: Iterable[PolicyKey] = (),
    options: SkipOptions | None = None,
) -> tuple[Claim, ...]:
    """Decide for each template, in the order given, which policy owns it.

    `policies` are PropagationPolicies and ClusterPropagationPolicies in any order; `overrides` names the
    override policies that exist, as (namespace, name) with an empty namespace for cluster-wide ones.
    """
    index, existing, skip = PolicyIndex(policies), frozenset(overrides), options or SkipOptions()
    return tuple(_claim_one(template, index, existing, skip) for template in templates)


def missing_overrides(policy: PropagationPolicy, overrides: Overrides) -> tuple[str, ...]:
    """The dependentOverrides of a policy that do not exist in its namespace."""
    names = policy.dependent_overrides
    return tuple(name for name in names if (policy.namespace, name) not in overrides)


def carried_claim(template: Template) -> PolicyKey | None:
    """The policy whose complete claim the template carries: written by a control plane, or by hand."""
    labels, annotations = dict(template.labels), annotations_of(template.body)
    namespace, name = annotations.get(POLICY_NAMESPACE, ""), annotations.get(POLICY_NAME, "")
    if namespace and name and labels.get(POLICY_ID):
        return (namespace, name)
    name = annotations.get(CLUSTER_POLICY_NAME, "")
    return ("", name) if name and labels.get(CLUSTER_POLICY_ID) else None


def defeat(loser: Candidate, winner: Candidate) -> Defeat:
    """The first rule by which the winner is ahead."""
    if loser.policy.namespace != winner.policy.namespace:
        return Defeat.NAMESPACED_FIRST
    if loser.policy.priority != winner.policy.priority:
        return Defeat.LOWER_PRIORITY
    return Defeat.WEAKER_SELECTOR if loser.strength != winner.strength else Defeat.LATER_NAME


def _claim_one(template: Template, index: PolicyIndex, overrides: Overrides, options: SkipOptions) -> Claim:
    reason = skipped(template, options)
    if reason is not None:
        return Claim(template=template, outcome=reason)
    carried = carried_claim(template)
    candidates = index.candidates(template)
    if carried is not None:
        return _obeyed(template, index, carried, candidates, overrides)
    return chosen(template, candidates, overrides)


def chosen(template: Template, candidates: tuple[Candidate, ...], overrides: Overrides) -> Claim:
    """The claim of the best candidate, if there is one."""
    if not candidates:
        return Claim(template=template, outcome=Outcome.UNMATCHED)
    return _decided(template, candidates[0], candidates[1:], overrides)


def _decided(
    template: Template, winner: Candidate, losers: tuple[Candidate, ...], overrides: Overrides
) -> Claim:
    missing = missing_overrides(winner.policy, overrides)
    losses = tuple(
        Loss(policy=loser.policy, strength=loser.strength, reason=defeat(loser, winner)) for loser in losers
    )
    return Claim(
        template=template,
        outcome=Outcome.BLOCKED if missing else Outcome.CLAIMED,
        chosen=winner.policy,
        strength=winner.strength,
        missing_overrides=missing,
        losses=losses,
    )


def _obeyed(
    template: Template,
    index: PolicyIndex,
    carried: PolicyKey,
    candidates: tuple[Candidate, ...],
    overrides: Overrides,
) -> Claim:
    policy = index.by_key.get(carried)
    labels: Labels = dict(template.labels)
    selected = strength(policy.resource_selectors, template.identity, labels) if policy else Strength.NONE
    losses = tuple(
        Loss(policy=item.policy, strength=item.strength, reason=Defeat.CLAIMED_BEFORE)
        for item in candidates
        if item.policy is not policy
    )
    if policy is None or policy.deleting or not selected:
        return Claim(template=template, outcome=Outcome.STALE, chosen=policy, losses=losses)
    missing = missing_overrides(policy, overrides)
    return Claim(
        template=template,
        outcome=Outcome.BLOCKED if missing else Outcome.CLAIMED,
        chosen=policy,
        strength=selected,
        missing_overrides=missing,
        losses=losses,
    )
