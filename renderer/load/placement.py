"""JSON to a placement, from a policy's spec or a binding's.

Source: Karmada pkg/apis/policy/v1alpha1/propagation_types.go.
"""

from __future__ import annotations

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.selectors import affinity_of, optional_affinity_of
from renderer.load.typed import normal_object
from renderer.load.typed_policies import PLACEMENT
from renderer.model.placement import (
    ClusterAffinityTerm,
    ClusterPreferences,
    Placement,
    ReplicaScheduling,
    SpreadConstraint,
    StaticClusterWeight,
    Toleration,
    WorkloadAffinityTerm,
)


def placement_of(value: Object) -> Placement:
    """The placement that JSON states, admitted or not.

    `raw` and the terms' `raw` are the JSON as Karmada would write it: keys in its order, empty optional
    fields left out, so that two placements that mean the same to Karmada compare equal. Raises
    DecodeError where Karmada could not read it.
    """
    raw = normal_object(value, PLACEMENT)
    workload_affinity = mapping(raw.get("workloadAffinity"))
    return Placement(
        cluster_affinity=optional_affinity_of(raw.get("clusterAffinity")),
        cluster_affinities=tuple(_term(mapping(item)) for item in sequence(raw.get("clusterAffinities"))),
        cluster_tolerations=tuple(
            _toleration(mapping(item)) for item in sequence(raw.get("clusterTolerations"))
        ),
        spread_constraints=tuple(_spread(mapping(item)) for item in sequence(raw.get("spreadConstraints"))),
        replica_scheduling=_replica_scheduling(raw.get("replicaScheduling")),
        workload_affinity=_workload_affinity(workload_affinity.get("affinity")),
        workload_anti_affinity=_workload_affinity(workload_affinity.get("antiAffinity")),
        raw=raw,
    )


def whole(value: Value) -> int:
    """A whole number, 0 where there is none."""
    return value if isinstance(value, int) else 0


def _term(value: Object) -> ClusterAffinityTerm:
    return ClusterAffinityTerm(
        affinity_name=text(value.get("affinityName")),
        affinity=affinity_of(value),
        overflow_affinities=tuple(_term(mapping(item)) for item in sequence(value.get("overflowAffinities"))),
        raw=value,
    )


def _toleration(value: Object) -> Toleration:
    seconds = value.get("tolerationSeconds")
    return Toleration(
        key=text(value.get("key")),
        operator=text(value.get("operator")),
        value=text(value.get("value")),
        effect=text(value.get("effect")),
        toleration_seconds=None if seconds is None else whole(seconds),
    )


def _spread(value: Object) -> SpreadConstraint:
    return SpreadConstraint(
        spread_by_field=text(value.get("spreadByField")),
        spread_by_label=text(value.get("spreadByLabel")),
        min_groups=whole(value.get("minGroups")),
        max_groups=whole(value.get("maxGroups")),
    )


def _replica_scheduling(value: Value) -> ReplicaScheduling | None:
    if not isinstance(value, dict):
        return None
    return ReplicaScheduling(
        replica_scheduling_type=text(value.get("replicaSchedulingType")),
        replica_division_preference=text(value.get("replicaDivisionPreference")),
        weight_preference=_weights(value.get("weightPreference")),
    )


def _weights(value: Value) -> ClusterPreferences | None:
    if not isinstance(value, dict):
        return None
    return ClusterPreferences(
        static_weight_list=tuple(
            StaticClusterWeight(
                target_cluster=affinity_of(mapping(item.get("targetCluster"))),
                weight=whole(item.get("weight")),
            )
            for item in map(mapping, sequence(value.get("staticWeightList")))
        ),
        dynamic_weight=text(value.get("dynamicWeight")),
    )


def _workload_affinity(value: Value) -> WorkloadAffinityTerm | None:
    if not isinstance(value, dict):
        return None
    return WorkloadAffinityTerm(group_by_label_key=text(dig(value, "groupByLabelKey")))
