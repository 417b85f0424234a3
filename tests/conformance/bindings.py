"""Bindings as vectors write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from renderer.load.placement import placement_of
from renderer.model.binding import (
    Binding,
    Component,
    GracefulEvictionTask,
    ReplicaRequirements,
    TargetCluster,
)
from renderer.model.identity import Identity
from renderer.model.quantity import Quantity, parse_quantity

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
