"""Bindings and placements as vectors write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderer.model.binding import (
    Binding,
    Component,
    GracefulEvictionTask,
    ReplicaRequirements,
    TargetCluster,
)
from renderer.model.identity import Identity
from renderer.model.placement import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterPreferences,
    Placement,
    ReplicaScheduling,
    SpreadConstraint,
    StaticClusterWeight,
    Toleration,
)
from renderer.model.quantity import Quantity, parse_quantity
from renderer.model.selectors import FieldSelector, LabelSelector, Requirement

Json = Mapping[str, Any]

_MANAGED_BY = (
    "propagationpolicy.karmada.io/permanent-id",
    "clusterpropagationpolicy.karmada.io/permanent-id",
    "binding.karmada.io/managed-by",
)


def binding_of(body: Json) -> Binding:
    """A ResourceBinding object as the scheduler sees it."""
    meta, spec, status = body["metadata"], body["spec"], body.get("status") or {}
    resource, groups = spec["resource"], spec.get("workloadAffinityGroups") or {}
    labels = meta.get("labels") or {}
    return Binding(
        identity=Identity(
            resource["apiVersion"], resource["kind"], resource.get("namespace", ""), resource["name"]
        ),
        namespace=meta.get("namespace", ""),
        name=meta["name"],
        uid=resource.get("uid", ""),
        placement=placement_of(spec["placement"]) if "placement" in spec else None,
        replicas=spec.get("replicas", 0),
        replica_requirements=_requirements(spec.get("replicaRequirements")),
        components=tuple(
            Component(
                name=entry["name"],
                replicas=entry.get("replicas", 0),
                replica_requirements=_requirements(entry.get("replicaRequirements")),
            )
            for entry in spec.get("components") or ()
        ),
        scheduler_name=spec.get("schedulerName", ""),
        scheduling_suspended=bool((spec.get("suspension") or {}).get("scheduling")),
        managed=any(labels.get(key) for key in _MANAGED_BY),
        affinity_group=groups.get("affinityGroup", ""),
        anti_affinity_group=groups.get("antiAffinityGroup", ""),
        clusters=tuple(
            TargetCluster(
                name=entry["name"],
                replicas=entry.get("replicas", 0),
                components=tuple(
                    (part["name"], part.get("replicas", 0)) for part in entry.get("components") or ()
                ),
            )
            for entry in spec.get("clusters") or ()
        ),
        observed_affinity_name=status.get("schedulerObservingAffinityName", ""),
        applied_placement=(meta.get("annotations") or {}).get("policy.karmada.io/applied-placement", ""),
        last_scheduled_time=status.get("lastScheduledTime") or "",
        reschedule_triggered_at=spec.get("rescheduleTriggeredAt") or "",
        graceful_eviction_tasks=tuple(
            GracefulEvictionTask(from_cluster=entry["fromCluster"], raw=entry)
            for entry in spec.get("gracefulEvictionTasks") or ()
        ),
    )


def placement_of(value: Json) -> Placement:
    """A placement as written, not defaulted."""
    return Placement(
        cluster_affinity=_affinity(value["clusterAffinity"]) if "clusterAffinity" in value else None,
        cluster_affinities=tuple(map(_term, value.get("clusterAffinities") or ())),
        cluster_tolerations=tuple(
            Toleration(
                key=entry.get("key", ""),
                operator=entry.get("operator", ""),
                value=entry.get("value", ""),
                effect=entry.get("effect", ""),
                toleration_seconds=entry.get("tolerationSeconds"),
            )
            for entry in value.get("clusterTolerations") or ()
        ),
        spread_constraints=tuple(
            SpreadConstraint(
                spread_by_field=entry.get("spreadByField", ""),
                spread_by_label=entry.get("spreadByLabel", ""),
                min_groups=entry.get("minGroups", 0),
                max_groups=entry.get("maxGroups", 0),
            )
            for entry in value.get("spreadConstraints") or ()
        ),
        replica_scheduling=_scheduling(value.get("replicaScheduling")),
        raw=value,
    )


def _scheduling(value: Json | None) -> ReplicaScheduling | None:
    if value is None:
        return None
    preference = value.get("weightPreference")
    return ReplicaScheduling(
        replica_scheduling_type=value.get("replicaSchedulingType", ""),
        replica_division_preference=value.get("replicaDivisionPreference", ""),
        weight_preference=None
        if preference is None
        else ClusterPreferences(
            static_weight_list=tuple(
                StaticClusterWeight(
                    target_cluster=_affinity(entry.get("targetCluster") or {}), weight=entry.get("weight", 0)
                )
                for entry in preference.get("staticWeightList") or ()
            ),
            dynamic_weight=preference.get("dynamicWeight", ""),
        ),
    )


def _term(value: Json) -> ClusterAffinityTerm:
    return ClusterAffinityTerm(
        affinity_name=value.get("affinityName", ""),
        affinity=_affinity(value),
        overflow_affinities=tuple(map(_term, value.get("overflowAffinities") or ())),
        raw=value,
    )


def _affinity(value: Json) -> ClusterAffinity:
    labels, fields = value.get("labelSelector"), value.get("fieldSelector")
    return ClusterAffinity(
        label_selector=None
        if labels is None
        else LabelSelector(
            match_labels=tuple((labels.get("matchLabels") or {}).items()),
            match_expressions=tuple(map(_requirement, labels.get("matchExpressions") or ())),
        ),
        field_selector=None
        if fields is None
        else FieldSelector(match_expressions=tuple(map(_requirement, fields.get("matchExpressions") or ()))),
        cluster_names=tuple(value.get("clusterNames") or ()),
        exclude=tuple(value.get("exclude") or ()),
    )


def _requirement(value: Json) -> Requirement:
    return Requirement(key=value["key"], operator=value["operator"], values=tuple(value.get("values") or ()))


def _requirements(value: Json | None) -> ReplicaRequirements | None:
    if value is None:
        return None
    requests = value.get("resourceRequest") or {}
    return ReplicaRequirements(
        node_claim=value.get("nodeClaim"),
        resource_request=tuple((name, _quantity(amount)) for name, amount in requests.items()),
        namespace=value.get("namespace", ""),
        priority_class_name=value.get("priorityClassName", ""),
        raw=value,
    )


def _quantity(amount: object) -> Quantity:
    quantity = parse_quantity(amount) if isinstance(amount, str | int | float) else None
    if quantity is None:
        raise ValueError(f"{amount!r} is no quantity")
    return quantity
