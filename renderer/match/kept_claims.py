"""Claims that are kept (`claims: sticky`): what became of the last ones, by the rules of a control plane.

A render sees many changes at once. They count as if all had reached the API server before Karmada looked
at the first of them: policies that are new or changed, highest priority first, then the templates that are
known, then those that are new. So a first render claims as if it decided afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from renderer.document.values import mapping
from renderer.match.claims import Candidate, PolicyIndex, chosen, defeat, missing_overrides
from renderer.match.resources import strength
from renderer.match.skip import SkipOptions, skipped
from renderer.match.sticky import ControlPlane, Propagated
from renderer.model.binding import Binding
from renderer.model.claim import Claim, Defeat, Loss, Outcome, Unrefreshed
from renderer.model.claim_memory import ClaimMemory, PolicyKey, SeenPolicy, SeenTemplate, digest_of
from renderer.model.policy import PropagationPolicy
from renderer.model.previous import Previous, Remembered
from renderer.model.template import Template

Policies = Mapping[PolicyKey, PropagationPolicy]
Stored = Callable[[Remembered], Binding]

_AS_PUBLISHED: Final = PropagationPolicy(name="")  # stands for the policy as it was, which nobody kept


def keep_claims(
    templates: Sequence[Template],
    policies: Iterable[PropagationPolicy],
    overrides: Iterable[PolicyKey],
    options: SkipOptions,
    previous: Previous,
    stored: Stored,
    *,
    preemption: bool,
) -> tuple[tuple[Claim, ...], ClaimMemory]:
    """The claim of each template, in the order given, and what the next render must know.

    Claims of `previous` are obeyed before anything is matched. `stored` reads a published binding as a
    whole; it is asked where one stays as it was. `preemption` is the gate PropagationPolicyPreemption.
    """
    alive = {(policy.namespace, policy.name): policy for policy in policies if not policy.deleting}
    keeper = _Keeper(alive, frozenset(overrides), options, previous, stored)
    plane = ControlPlane(preemption=preemption, options=options)
    plane.resume(keeper.policies_before(), overrides=keeper.overrides, entries=keeper.entries(templates))
    known = dict.fromkeys(plane.objects)
    plane.apply_policies(sorted(alive.values(), key=lambda item: (-item.priority, item.namespace, item.name)))
    for identity in known:
        plane.reconcile(identity, changed=keeper.changed(plane.objects[identity].template))
    for template in templates:
        if template.identity not in known:
            plane.apply_template(template)
    entries = [plane.objects[template.identity] for template in templates]
    return tuple(keeper.claim(entry) for entry in entries), keeper.memory(entries)


class _Keeper:
    """Between the last render and this one."""

    def __init__(
        self,
        alive: Policies,
        overrides: frozenset[PolicyKey],
        options: SkipOptions,
        previous: Previous,
        stored: Stored,
    ) -> None:
        self.alive = alive
        self.overrides = overrides
        self.options = options
        self.bindings = previous.bindings
        self.seen = previous.claims
        self.stored = stored
        self.index = PolicyIndex(alive.values())

    def policies_before(self) -> Policies:
        """The policies as they were; of a changed one, what counts is that it is another, and its priority.

        Where nobody remembers them, nothing changed: claims were decided afresh until now.
        """
        if self.seen is None:
            return self.alive
        return {
            key: policy
            if self.seen.policies[key].digest == _digest(policy)
            else replace(_AS_PUBLISHED, priority=self.seen.policies[key].priority)
            for key, policy in self.alive.items()
            if key in self.seen.policies
        }

    def entries(self, templates: Iterable[Template]) -> Iterator[Propagated]:
        """The templates that were there, with their claims and bindings."""
        for template in templates:
            remembered = self.remembered(template)
            claimed_by = remembered.claimed_by if remembered else None
            if self.seen is not None:
                if template.identity not in self.seen.templates:
                    continue
                claimed_by = self.seen.templates[template.identity].claimed_by
            elif remembered is None:
                continue
            yield Propagated(
                template=template,
                claimed_by=claimed_by,
                bound=_AS_PUBLISHED if remembered else None,
                binding_claim=remembered.claimed_by if remembered else None,
            )

    def remembered(self, template: Template) -> Remembered | None:
        """The published binding that a policy made for a template."""
        remembered = self.bindings.get(template.identity.key)
        return None if remembered is None or remembered.attached else remembered

    def changed(self, template: Template) -> bool:
        """Whether a user changed the template."""
        seen = self.seen.templates.get(template.identity) if self.seen else None
        return seen is not None and seen.digest != digest_of(template.body)

    def claim(self, entry: Propagated) -> Claim:
        """The claim that came out."""
        template = entry.template
        reason = skipped(template, self.options)
        if reason is not None:
            return Claim(template=template, outcome=reason)
        candidates = self.index.candidates(template)
        policy = self.alive.get(entry.claimed_by) if entry.claimed_by else None
        if policy is None:
            return chosen(template, candidates, self.overrides)
        missing = missing_overrides(policy, self.overrides)
        unrefreshed = None if entry.bound is policy else self.unrefreshed(entry)
        outcome = Outcome.CLAIMED if unrefreshed or entry.bound is policy else Outcome.WAITING
        return Claim(
            template=template,
            outcome=Outcome.BLOCKED if missing else outcome,
            chosen=policy,
            strength=strength(policy.resource_selectors, template.identity, dict(template.labels)),
            missing_overrides=missing,
            losses=tuple(_losses(policy, candidates)),
            unrefreshed=unrefreshed,
        )

    def unrefreshed(self, entry: Propagated) -> Unrefreshed | None:
        """The binding that stays as it was published; one that lost its claim is nobody's."""
        remembered = self.remembered(entry.template)
        if remembered is None or entry.binding_claim is None:
            return None
        return Unrefreshed(binding=self.stored(remembered), claimed_by=entry.binding_claim)

    def memory(self, entries: Iterable[Propagated]) -> ClaimMemory:
        """What the next render must know."""
        return ClaimMemory(
            policies={
                key: SeenPolicy(digest=_digest(policy), priority=policy.priority)
                for key, policy in sorted(self.alive.items())
            },
            templates={
                entry.template.identity: SeenTemplate(
                    digest=digest_of(entry.template.body), claimed_by=entry.claimed_by
                )
                for entry in entries
            },
        )


def _digest(policy: PropagationPolicy) -> str:
    return digest_of(mapping(policy.body.get("spec")))


def _losses(owner: PropagationPolicy, candidates: Iterable[Candidate]) -> Iterator[Loss]:
    """Why each other policy does not have it: it is worse, or it is better and came too late."""
    candidates = tuple(candidates)
    place = next((i for i, item in enumerate(candidates) if item.policy is owner), len(candidates))
    for number, item in enumerate(candidates):
        if number != place:
            reason = defeat(item, candidates[place]) if number > place else Defeat.CLAIMED_BEFORE
            yield Loss(policy=item.policy, strength=item.strength, reason=reason)
