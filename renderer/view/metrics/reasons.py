"""Why a template is not placed as it asks, in one of a few words, whatever the messages are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from renderer.model.claim import Outcome
from renderer.model.decision import Condition
from renderer.model.plan import Rendering, Standing

NOT_ADMITTED: Final = "not_admitted"
NO_PARENT: Final = "nothing_needs_it"
FAILED: Final = "undecided"

_OUTCOMES: Final[Mapping[Outcome, str]] = {
    outcome: outcome.name.lower() for outcome in Outcome if outcome is not Outcome.CLAIMED
}
_CONDITIONS: Final = {
    Condition.NO_CLUSTER_FIT.value: "no_cluster_fit",
    Condition.UNSCHEDULABLE.value: "unschedulable",
    Condition.SCHEDULER_ERROR.value: "scheduler_error",
}

REASONS: Final = (*_CONDITIONS.values(), *_OUTCOMES.values(), FAILED, NO_PARENT, NOT_ADMITTED)


def reason(rendering: Rendering) -> str | None:
    """Why a template is not placed as it asks; None where it is, and for what nobody claims any more."""
    match rendering.standing:
        case Standing.PLACED:
            return _unplaced(rendering)
        case Standing.FOLLOWS:
            return None if rendering.binding and rendering.binding.target_clusters else NO_PARENT
        case Standing.HELD | Standing.NOWHERE:
            return _OUTCOMES.get(rendering.claim.outcome, FAILED)
    return None


def _unplaced(rendering: Rendering) -> str | None:
    """What the scheduler says of it, now or when it last looked."""
    if rendering.condition == Condition.SUCCESS.value:
        return None
    decision = rendering.decision
    if not rendering.condition and decision is not None and not decision.admitted:
        return NOT_ADMITTED
    return _CONDITIONS.get(rendering.condition, FAILED)
