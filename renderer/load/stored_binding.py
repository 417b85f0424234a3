"""A published binding to the model, whole: for the binding that stays as it was.

Reading the memory has made sure that every part has its type.
"""

from __future__ import annotations

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.placement import placement_of, whole
from renderer.model.binding import Binding, Component, ReplicaRequirements, binding_name
from renderer.model.previous import Remembered
from renderer.model.quantity import parse_quantity


def stored_binding(remembered: Remembered) -> Binding:
    """The binding with all that its policy and its template once gave it.

    The result of scheduling is not in it: that is recalled as for any other binding.
    """
    identity, spec = remembered.identity, mapping(remembered.raw.get("spec"))
    groups, preserve = mapping(spec.get("workloadAffinityGroups")), spec.get("preserveResourcesOnDeletion")
    return Binding(
        identity=identity,
        namespace=identity.namespace,
        name=binding_name(identity.kind, identity.name),
        uid=text(dig(spec, "resource", "uid")),
        placement=placement_of(mapping(spec.get("placement"))),
        replicas=remembered.replicas,
        replica_requirements=_requirements(spec.get("replicaRequirements")),
        components=tuple(map(_component, map(mapping, sequence(spec.get("components"))))),
        scheduler_name=text(spec.get("schedulerName")),
        scheduling_suspended=dig(spec, "suspension", "scheduling") is True,
        affinity_group=text(groups.get("affinityGroup")),
        anti_affinity_group=text(groups.get("antiAffinityGroup")),
        propagate_deps=remembered.propagate_deps,
        conflict_resolution=text(spec.get("conflictResolution")),
        preserve_resources_on_deletion=preserve if isinstance(preserve, bool) else None,
        failover=_object(spec.get("failover")),
        suspension=_object(spec.get("suspension")),
        schedule_priority=_priority(spec.get("schedulePriority")),
    )


def _object(value: Value) -> Object | None:
    return value if isinstance(value, dict) else None


def _component(value: Object) -> Component:
    return Component(
        name=text(value.get("name")),
        replicas=whole(value.get("replicas")),
        replica_requirements=_requirements(value.get("replicaRequirements")),
    )


def _requirements(value: Value) -> ReplicaRequirements | None:
    if not isinstance(value, dict):
        return None
    requests = ((name, parse_quantity(item)) for name, item in mapping(value.get("resourceRequest")).items())
    return ReplicaRequirements(
        node_claim=_object(value.get("nodeClaim")),
        resource_request=tuple((name, amount) for name, amount in requests if amount is not None),
        namespace=text(value.get("namespace")),
        priority_class_name=text(value.get("priorityClassName")),
        raw=value,
    )


def _priority(value: Value) -> int | None:
    return whole(value.get("priority")) if isinstance(value, dict) else None
