"""Findings about how closely policies select: an empty label selector counts as closer than none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.model.claim import Defeat
from renderer.model.plan import Plan, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.model.selectors import LabelSelector

EMPTY_SELECTOR: Final = Rule(
    id="KR108", title="An empty labelSelector counts as closer than none", severity=Severity.NOTE
)

RULES: Final = (EMPTY_SELECTOR,)


def strength_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one for each policy that wins by nothing else."""
    won: dict[tuple[int, int], tuple[PropagationPolicy, int, list[Rendering]]] = {}
    for rendering in plan.renderings:
        policy = rendering.claim.policy
        if policy is None or not any(
            loss.reason is Defeat.WEAKER_SELECTOR for loss in rendering.claim.losses
        ):
            continue
        place = _empty(rendering, policy)
        if place is not None:
            won.setdefault((id(policy), place), (policy, place, []))[2].append(rendering)
    for policy, place, renderings in won.values():
        losers = dict.fromkeys(
            str(loss.policy)
            for rendering in renderings
            for loss in rendering.claim.losses
            if loss.reason is Defeat.WEAKER_SELECTOR
        )
        yield EMPTY_SELECTOR.at(
            policy.document,
            f"/spec/resourceSelectors/{place}/labelSelector",
            what=f"{policy} takes {some([item.template.identity for item in renderings])} "
            f"from {some(list(losers))}",
            why="an empty labelSelector selects every one, as no selector does, and counts as more specific",
            fix="write spec.priority where one policy is to come first, and take labelSelector out",
        )


def _empty(rendering: Rendering, policy: PropagationPolicy) -> int | None:
    """The selector by which the policy selects the template, if its label selector is empty."""
    identity = rendering.template.identity
    for place, selector in enumerate(policy.resource_selectors):
        if (
            (selector.api_version, selector.kind) == (identity.api_version, identity.kind)
            and selector.name in ("", identity.name)
            and selector.namespace in ("", identity.namespace)
        ):
            if not selector.name and selector.label_selector == LabelSelector():
                return place
            break  # the first that selects it counts
    return None
