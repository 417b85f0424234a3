"""Claims as a running control plane comes to them: one change after the other, each remembered.

A claim once made is kept, preemption and lazy activation have their effect, and a binding outlives the
claim it was made for.
Source: Karmada pkg/detector/detector.go, policy.go, preemption.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from renderer.match.claims import PolicyIndex, carried_claim, missing_overrides
from renderer.match.resources import strength
from renderer.match.skip import SkipOptions, skipped
from renderer.model.claim_memory import PolicyKey
from renderer.model.identity import Identity
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template


@dataclass(slots=True)
class Propagated:
    """A template with its claim, and the policy (as it was) that its binding was last built from."""

    template: Template
    claimed_by: PolicyKey | None = None
    bound: PropagationPolicy | None = None
    binding_claim: PolicyKey | None = None  # the claim written on the binding


class ControlPlane:
    """The objects of a control plane and what its detector has made of them so far."""

    def __init__(self, *, preemption: bool = False, options: SkipOptions | None = None) -> None:
        """Start empty. `preemption` is the gate PropagationPolicyPreemption."""
        self.objects: dict[Identity, Propagated] = {}
        self._policies: dict[PolicyKey, PropagationPolicy] = {}
        self._index: PolicyIndex | None = None
        self._overrides: frozenset[PolicyKey] = frozenset()
        self._preemption = preemption
        self._options = options or SkipOptions()

    def resume(
        self,
        policies: Mapping[PolicyKey, PropagationPolicy],
        overrides: Iterable[PolicyKey],
        entries: Iterable[Propagated],
    ) -> None:
        """Go on from a state that was reached before: nothing is looked at again for that alone."""
        self._policies, self._index = dict(policies), None
        self._overrides = frozenset(overrides)
        self.objects = {entry.template.identity: entry for entry in entries}

    def reconcile(self, identity: Identity, *, changed: bool) -> None:
        """Look at a template again: because a user changed it, or for no reason of its own."""
        self._propagate(self.objects[identity], by_karmada=not changed)

    def apply_template(self, template: Template) -> None:
        """Create or change a resource template; a claim it has is kept."""
        entry = self.objects.get(template.identity)
        if entry is None:
            entry = self.objects[template.identity] = Propagated(template, carried_claim(template))
        elif entry.template == template:
            return
        entry.template = template
        self._propagate(entry, by_karmada=False)

    def delete_template(self, identity: Identity) -> None:
        """Delete a resource template, and its binding with it."""
        self.objects.pop(identity, None)

    def apply_override(self, key: PolicyKey) -> None:
        """An override policy exists from now on; policies that waited for it are tried again."""
        self._overrides |= {key}
        for entry in self._unclaimed():
            self._propagate(entry, by_karmada=False)

    def delete_override(self, key: PolicyKey) -> None:
        """An override policy is gone; what its dependents have claimed stays."""
        self._overrides -= {key}

    def apply_policy(self, policy: PropagationPolicy) -> None:
        """Create or change a propagation policy."""
        self.apply_policies((policy,))

    def apply_policies(self, policies: Sequence[PropagationPolicy]) -> None:
        """Create or change propagation policies at once; each is looked at, in this order, with all there."""
        before = [self._policies.get((policy.namespace, policy.name)) for policy in policies]
        for policy in policies:
            self._policies[(policy.namespace, policy.name)] = policy
        self._index = None
        for policy, old in zip(policies, before, strict=True):
            if old == policy:
                continue
            self._policy_changed(policy)
            if old is not None and self._preemption and policy.priority < old.priority:
                for heir in self._heirs(policy, old):
                    self._policy_changed(heir)

    def delete_policy(self, key: PolicyKey) -> None:
        """Delete a propagation policy; what it had claimed looks for another."""
        policy = self._policies.pop(key, None)
        if policy is None:
            return
        self._index = None
        released = [entry for entry in self._claimed(key) if _names_kind(policy, entry.template)]
        for entry in released:
            self._release(entry)

    def _policy_changed(self, policy: PropagationPolicy) -> None:
        key, lazy = (policy.namespace, policy.name), policy.activation_preference == "Lazy"
        for entry in self._derived(key):
            if not _selects(policy, entry.template):
                self._release(entry)
        for entry in self._derived(key):
            self._propagate(entry, by_karmada=lazy)
        waiting = [entry for entry in self._unclaimed() if _selects(policy, entry.template)]
        if waiting and missing_overrides(policy, self._overrides):
            return
        for entry in waiting:
            self._propagate(entry, by_karmada=lazy)
        if policy.preemption == "Always" and self._preemption:
            self._preempt(policy)

    def _preempt(self, policy: PropagationPolicy) -> None:
        """Take the templates that the policy names exactly from policies of less weight."""
        for selector in policy.resource_selectors:
            identity = Identity(selector.api_version, selector.kind, selector.namespace, selector.name)
            entry = self.objects.get(identity)
            if entry is not None and self._may_take(policy, entry.claimed_by):
                entry.claimed_by = (policy.namespace, policy.name)
                self._propagate(entry, by_karmada=policy.activation_preference == "Lazy")

    def _may_take(self, policy: PropagationPolicy, owner: PolicyKey | None) -> bool:
        """A namespaced policy takes from any cluster-wide one; else a strictly higher priority is needed."""
        if owner is None or owner == (policy.namespace, policy.name) or owner not in self._policies:
            return False
        if policy.namespace and not owner[0]:
            return True
        of_one_kind = bool(policy.namespace) == bool(owner[0])
        return of_one_kind and policy.priority > self._policies[owner].priority

    def _heirs(self, policy: PropagationPolicy, old: PropagationPolicy) -> list[PropagationPolicy]:
        """The preempting policies that a priority has just fallen below, the highest first."""
        heirs = [
            item
            for item in self._policies.values()
            if item.namespace == policy.namespace
            and item.preemption == "Always"
            and policy.priority < item.priority < old.priority
        ]
        return sorted(heirs, key=lambda item: -item.priority)

    def _propagate(self, entry: Propagated, *, by_karmada: bool) -> None:
        """One pass of the detector over a template; `by_karmada` is a change that no user made."""
        if skipped(entry.template, self._options) is not None:
            return
        if entry.claimed_by is None:
            if self._index is None:
                self._index = PolicyIndex(self._policies.values())
            candidates = self._index.candidates(entry.template)
            policy = candidates[0].policy if candidates else None
        else:
            policy = self._policies.get(entry.claimed_by)
            if policy is None:
                self._release(entry)
                return
        if policy is None or not _selects(policy, entry.template):
            return
        if missing_overrides(policy, self._overrides):
            return
        entry.claimed_by = (policy.namespace, policy.name)
        if not (by_karmada and policy.activation_preference == "Lazy"):
            entry.bound, entry.binding_claim = policy, entry.claimed_by

    def _release(self, entry: Propagated) -> None:
        """Take the claim away; the template then looks for another policy."""
        entry.claimed_by = entry.binding_claim = None
        self._propagate(entry, by_karmada=False)

    def _derived(self, key: PolicyKey) -> list[Propagated]:
        """The templates whose binding carries the policy's claim."""
        return [entry for entry in self.objects.values() if entry.binding_claim == key]

    def _claimed(self, key: PolicyKey) -> Iterator[Propagated]:
        return (entry for entry in self.objects.values() if entry.claimed_by == key)

    def _unclaimed(self) -> list[Propagated]:
        return [entry for entry in self.objects.values() if entry.claimed_by is None]


def _selects(policy: PropagationPolicy, template: Template) -> bool:
    return bool(strength(policy.resource_selectors, template.identity, dict(template.labels)))


def _names_kind(policy: PropagationPolicy, template: Template) -> bool:
    """Whether a selector has the template's kind, whatever its name and labels."""
    identity = template.identity
    return any(
        (selector.api_version, selector.kind) == (identity.api_version, identity.kind)
        and selector.namespace in ("", identity.namespace)
        for selector in policy.resource_selectors
    )
