"""What the scheduler did with one template, with its arithmetic, as facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from renderer.document.values import Object, Value
from renderer.model.binding import Binding
from renderer.model.decision import Attempt, Candidate, Decision, Division, Stages, Trigger
from renderer.model.plan import Plan, Rendering
from renderer.model.previous import Remembered
from renderer.model.webster import breaks_ties_descending, rounds

_ROUNDS: Final = 200  # seats told one by one
_TIED: Final = 20  # clusters named of those that had the same claim to a seat


def scheduling_facts(plan: Plan, rendering: Rendering, stages: Sequence[Stages], cluster: str = "") -> Object:
    """The pass, or why there was none; the ranking of one cluster alone where a name is given."""
    decision, binding = rendering.decision, rendering.binding
    if decision is None or binding is None:
        return {}
    remembered = None if plan.fresh else plan.previous.bindings.get(rendering.template.identity.key)
    facts: dict[str, Value] = {
        "admitted": decision.admitted,
        "trigger": decision.trigger.value,
        "because": _because(decision, binding, remembered, _rebalancers(plan, rendering)),
        "scheduled": decision.scheduled,
        "fresh": decision.fresh,
        "memory": _memory(remembered, cluster) if remembered else None,
        "notTried": _not_tried(decision, binding) or None,
        "affinityName": decision.affinity_name or None,
        "attempts": [_attempt(*pair, cluster) for pair in zip(decision.attempts, stages, strict=True)],
    }
    return {key: value for key, value in facts.items() if value is not None}


def _rebalancers(plan: Plan, rendering: Rendering) -> list[str]:
    """The WorkloadRebalancers that name the template."""
    identity = rendering.template.identity
    return [str(item) for item in plan.workspace.rebalancers if identity in item.workloads]


def _because(
    decision: Decision, binding: Binding, remembered: Remembered | None, rebalancers: Sequence[str]
) -> str:
    """Why a pass was due, or why none was."""
    if not decision.admitted:
        return "krender's scheduler is not asked about it"
    match decision.trigger:
        case Trigger.PLACEMENT_CHANGED:
            known = remembered is not None and remembered.applied_placement
            return "its placement has changed" if known else "it was not placed before"
        case Trigger.REPLICAS_CHANGED:
            before = sum(target.replicas for target in remembered.clusters) if remembered else 0
            return f"its clusters had {before} replicas, and {binding.replicas} are wanted"
        case Trigger.RESCHEDULE_TRIGGERED:
            return "a reschedule is asked for" + (f" by {', '.join(rebalancers)}" if rebalancers else "")
        case Trigger.DUPLICATED_OR_NON_WORKLOAD:
            return "what is not divided is decided anew on every run"
        case Trigger.TERMINATING_TARGET_CLUSTER:
            return "a cluster that it was on is being deleted, or is gone"
    return (
        "no pass was due: placement and replicas are those it was scheduled for, nobody asks for a "
        "reschedule, and no cluster of it is being deleted"
    )


def _memory(remembered: Remembered, cluster: str) -> Object:
    """What the published binding says."""
    facts: dict[str, Value] = {
        "affinityName": remembered.observed_affinity_name or None,
        "condition": remembered.condition or None,
        "clusters": [
            {"cluster": target.name, "replicas": target.replicas}
            for target in remembered.clusters
            if cluster in ("", target.name)
        ],
        "evictions": [task.from_cluster for task in remembered.graceful_eviction_tasks] or None,
        "rescheduleTriggeredAt": remembered.reschedule_triggered_at or None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _not_tried(decision: Decision, binding: Binding) -> list[Value]:
    """Affinity terms before the first that was tried: the pass began at the one observed before."""
    terms = binding.placement.cluster_affinities if binding.placement else ()
    names = [term.affinity_name for term in terms]
    if not decision.attempts or decision.attempts[0].affinity_name not in names:
        return []
    return [*names[: names.index(decision.attempts[0].affinity_name)]]


def _attempt(attempt: Attempt, stages: Stages, cluster: str) -> Object:
    failure = attempt.failure
    facts: dict[str, Value] = {
        "affinityName": attempt.affinity_name or None,
        "failure": {"class": failure.error_class.value, "message": failure.message} if failure else None,
        "terminating": list(stages.terminating) or None,
        "candidates": [_candidate(item) for item in stages.ranked if cluster in ("", item.cluster)] or None,
        "regions": _regions(stages) or None,
        "needed": stages.needed,
        "swaps": [{"out": swap.out, "taken": swap.taken} for swap in stages.swaps] or None,
        "spreadConstraintsIgnored": stages.constraints_ignored or None,
        "selected": list(stages.selected) or None,
        "divisions": [_division(division) for division in stages.divisions] or None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _candidate(candidate: Candidate) -> Object:
    return {
        "cluster": candidate.cluster,
        "score": candidate.score,
        "overflowOrder": candidate.overflow_order,
        "free": candidate.allocatable,
        "previous": candidate.previous,
        "bounds": [
            {"resource": bound.resource, "replicas": bound.replicas, "detail": bound.detail}
            for bound in candidate.bounds()
        ],
    }


def _regions(stages: Stages) -> list[Value]:
    return [
        {
            "name": region.name,
            "score": region.score,
            "available": region.available,
            "clusters": list(region.clusters),
            "counted": region.counted,
            "chosen": region.chosen,
        }
        for region in stages.regions
    ]


def _division(division: Division) -> Object:
    """How replicas were shared out; seat by seat where there are not too many."""
    descending = breaks_ties_descending(division.uid)
    facts: dict[str, Value] = {
        "strategy": division.strategy.value if division.strategy else None,
        "scaling": division.scaling.value or None,
        "overflowOrder": division.overflow_order,
        "replicas": division.replicas,
        "seats": division.seats,
        "weights": dict(division.weights) or None,
        "notNeeded": dict(division.cut) or None,
        "kept": {target.name: target.replicas for target in division.kept} or None,
        "result": {target.name: target.replicas for target in division.clusters},
        "ties": ("descending" if descending else "ascending") if division.weights else None,
        "tiesByUid": division.uid or None,
    }
    if division.weights and 0 < division.seats <= _ROUNDS:
        facts["rounds"] = [
            {
                "seat": item.seat,
                "to": item.winner,
                "weight": item.weight,
                "held": item.held,
                "quotient": item.quotient,
                "tied": list(item.tied[:_TIED]),
                "tiedCount": len(item.tied),
            }
            for item in rounds(division.seats, dict(division.weights), division.uid)
        ]
    return {key: value for key, value in facts.items() if value is not None}
