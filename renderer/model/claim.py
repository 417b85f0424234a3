"""Which policy owns a resource template, and why the others do not.

Source: Karmada pkg/detector/compare.go, policy.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from renderer.model.binding import Binding
from renderer.model.claim_memory import PolicyKey
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template


class Strength(IntEnum):
    """How closely a selector is about a template; of equal priorities the stronger claims it."""

    NONE = 0
    ALL = 1
    LABELS = 2
    NAME = 3

    def __str__(self) -> str:
        """Give the words of an explanation: `selects it by name`."""
        return ("does not select it", "selects every one", "selects it by labels", "selects it by name")[self]


class Outcome(StrEnum):
    """What came of looking for a policy. Only CLAIMED has a binding."""

    CLAIMED = "claimed"
    UNMATCHED = "no policy selects it"
    API_SKIPPED = "its API is never propagated"
    OBJECT_SKIPPED = "its namespace, or the object itself, is never propagated"
    OWNED_ELSEWHERE = "another controller owns it (label resourcetemplate.karmada.io/claimed-by)"
    BLOCKED = "its policy waits for an override policy that does not exist"
    STALE = "it carries the claim of a policy that does not exist or does not select it any more"
    WAITING = "its policy is lazy: the next change of the template places it"


class Defeat(StrEnum):
    """Why a policy that selects a template does not get it."""

    LOWER_PRIORITY = "its priority is lower"
    WEAKER_SELECTOR = "its selector is less specific"
    LATER_NAME = "its name comes later"
    NAMESPACED_FIRST = "a PropagationPolicy comes before any ClusterPropagationPolicy"
    CLAIMED_BEFORE = "the template already carries another policy's claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A policy that selects the template and did not get it."""

    policy: PropagationPolicy
    strength: Strength
    reason: Defeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrefreshed:
    """A binding that was not built anew, as it was published, and the policy it was once built from.

    Only with `claims: sticky`: its policy is lazy, or selects the template no more since that changed.
    """

    binding: Binding
    claimed_by: PolicyKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The answer for one template.

    `policy` is the owner; None unless the outcome is CLAIMED. `chosen` is the owner too, or the policy
    that blocks it (BLOCKED). `strength` is that of `chosen`. `losses` are in order of merit. `unrefreshed`
    is the binding that counts, where the owner's spec does not.
    """

    template: Template
    outcome: Outcome
    chosen: PropagationPolicy | None = None
    strength: Strength = Strength.NONE
    missing_overrides: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    unrefreshed: Unrefreshed | None = None

    @property
    def policy(self) -> PropagationPolicy | None:
        """The policy that owns the template, if one does."""
        return self.chosen if self.outcome is Outcome.CLAIMED else None
