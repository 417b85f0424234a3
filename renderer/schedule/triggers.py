"""Whether a scheduling pass is due.

Source: Karmada pkg/scheduler/scheduler.go (doScheduleBinding), helper.go and event_handler.go,
pkg/util/binding.go.
"""

from __future__ import annotations

from typing import Final

from renderer.document.values import Object, Value, sequence
from renderer.match.fleet import Fleet
from renderer.model.binding import Binding
from renderer.model.decision import Trigger
from renderer.model.gates import FeatureGates
from renderer.model.instant import instant
from renderer.model.placement import Placement
from renderer.schedule.applied import applied_placement, normal_placement
from renderer.schedule.question import (
    DIVIDED,
    DUPLICATED,
    SchedulerOptions,
    is_workload,
    scheduling_type,
)
from renderer.schedule.units import int32

# A difference in one of these always counts; one in the others may not concern the term in force.
_DECISIVE: Final = ("clusterAffinity", "clusterTolerations", "spreadConstraints", "replicaScheduling")


def admitted(binding: Binding, options: SchedulerOptions) -> bool:
    """Whether the scheduler looks at the binding at all."""
    named = binding.scheduler_name or "default-scheduler"
    return named == options.scheduler_name and not binding.scheduling_suspended and binding.managed


def due(
    binding: Binding, placement: Placement, fleet: Fleet, gates: FeatureGates, options: SchedulerOptions
) -> Trigger:
    """The first reason for a pass that holds, or NONE."""
    if placement_changed(placement, binding.applied_placement, binding.observed_affinity_name):
        return Trigger.PLACEMENT_CHANGED
    if replicas_changed(binding, placement, gates):
        return Trigger.REPLICAS_CHANGED
    if reschedule_requested(binding):
        return Trigger.RESCHEDULE_TRIGGERED
    if not is_workload(binding) or scheduling_type(placement) == DUPLICATED:
        return Trigger.DUPLICATED_OR_NON_WORKLOAD
    if has_terminating_target(binding, fleet, options):
        return Trigger.TERMINATING_TARGET_CLUSTER
    return Trigger.NONE


def placement_changed(placement: Placement, applied: str, observed_affinity_name: str) -> bool:
    """Whether the placement differs from the one last scheduled for, as far as it concerns the result.

    A difference in terms other than the observed one is none, nor is one in workload affinity alone as long
    as a term is observed. An annotation that cannot be read counts as unchanged.
    """
    if not applied:
        return True
    before = applied_placement(applied)
    now = normal_placement(placement.raw)
    if before is None or before == now:
        return False
    if any(before.get(field) != now.get(field) for field in _DECISIVE):
        return True
    if not observed_affinity_name:
        return True
    was, is_now = _term(before, observed_affinity_name), _term(now, observed_affinity_name)
    return was is None or was != is_now


def placement_applied(placement: Placement, applied: str) -> bool:
    """Whether the annotation holds this very placement."""
    return bool(applied) and applied_placement(applied) == normal_placement(placement.raw)


def replicas_changed(binding: Binding, placement: Placement, gates: FeatureGates) -> bool:
    """Whether the previous result does not add up to the wanted replicas."""
    if placement.replica_scheduling is None:
        return False
    if gates.multiple_pod_templates_scheduling and binding.components and not binding.clusters:
        return True
    kind = placement.replica_scheduling.replica_scheduling_type
    if kind == DUPLICATED:
        return any(target.replicas != binding.replicas for target in binding.clusters)
    if kind == DIVIDED:
        return int32(sum(target.replicas for target in binding.clusters)) != binding.replicas
    return False


def reschedule_requested(binding: Binding) -> bool:
    """Whether a reschedule was asked for after the last pass; the first pass must have been."""
    asked, done = binding.reschedule_triggered_at, binding.last_scheduled_time
    return bool(asked and done) and instant(asked) > instant(done)


def has_terminating_target(binding: Binding, fleet: Fleet, options: SchedulerOptions) -> bool:
    """Whether a cluster of the previous result is being deleted (or, by option, is gone)."""
    for target in binding.clusters:
        place = fleet.position.get(target.name)
        if place is None:
            if options.vanished_is_terminating:
                return True
        elif fleet.clusters[place].deletion_timestamp:
            return True
    return False


def _term(placement: Object, name: str) -> Value:
    """The affinity term of that name; an empty name is written as an absent one."""
    terms = sequence(placement.get("clusterAffinities"))
    return next(
        (term for term in terms if isinstance(term, dict) and term.get("affinityName", "") == name), None
    )
