"""From a claimed template to its binding, and a binding as Karmada writes it.

Source: Karmada pkg/detector/detector.go, BuildResourceBinding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from renderer.document.values import Object, Value, dig, text
from renderer.interpret.typed import integer
from renderer.model.binding import (
    Binding,
    BindingSnapshot,
    Component,
    ReplicaRequirements,
    TargetCluster,
    binding_name,
)
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity
from renderer.model.interpretation import Interpretation, InterpretError
from renderer.model.placement import WorkloadAffinityTerm
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template

# Every API server makes these two.
SYSTEM_PRIORITIES: Final = {"system-cluster-critical": 2000000000, "system-node-critical": 2000001000}


def build_binding(
    template: Template,
    policy: PropagationPolicy,
    interpretation: Interpretation,
    gates: FeatureGates,
    priorities: Mapping[str, int] = SYSTEM_PRIORITIES,
) -> Binding:
    """The binding of a claimed template, before it is scheduled.

    `priorities` are the values of the PriorityClasses by name. Raises InterpretError where the
    template could not be interpreted or names a PriorityClass that does not exist.
    """
    if interpretation.error:
        raise InterpretError(interpretation.error)
    identity, workload, placement = template.identity, interpretation.workload, policy.placement
    grouped = gates.workload_affinity and identity.namespace != ""
    return Binding(
        identity=identity,
        namespace=identity.namespace,
        name=binding_name(identity.kind, identity.name),
        uid=text(dig(template.body, "metadata", "uid")),
        placement=placement,
        replicas=workload.replicas if workload else 0,
        replica_requirements=_requirements(workload.requirements, identity, gates) if workload else None,
        components=interpretation.components,
        scheduler_name=policy.scheduler_name,
        affinity_group=_group(placement.workload_affinity, template) if grouped else "",
        anti_affinity_group=_group(placement.workload_anti_affinity, template) if grouped else "",
        propagate_deps=policy.propagate_deps,
        conflict_resolution=policy.conflict_resolution,
        preserve_resources_on_deletion=policy.preserve_resources_on_deletion,
        failover=_of_policy(policy, "failover"),
        suspension=_of_policy(policy, "suspension"),
        schedule_priority=_priority(policy, identity, gates, priorities),
    )


def binding_spec(binding: Binding) -> Object:
    """The spec of a ResourceBinding or ClusterResourceBinding, without what is empty."""
    requirements = binding.replica_requirements
    spec: dict[str, Value] = {
        "resource": _resource(binding.identity),
        "propagateDeps": binding.propagate_deps or None,
        "replicaRequirements": None if requirements is None else requirements.raw,
        "replicas": binding.replicas or None,
        "clusters": [_cluster(cluster) for cluster in binding.clusters] or None,
        "placement": binding.placement.raw if binding.placement else None,
        "gracefulEvictionTasks": [task.raw for task in binding.graceful_eviction_tasks] or None,
        "requiredBy": [_snapshot(snapshot) for snapshot in binding.required_by] or None,
        "schedulerName": (binding.scheduler_name if binding.placement else "") or None,
        "failover": binding.failover,
        "conflictResolution": binding.conflict_resolution or None,
        "rescheduleTriggeredAt": binding.reschedule_triggered_at or None,
        "suspension": binding.suspension,
        "preserveResourcesOnDeletion": binding.preserve_resources_on_deletion,
        "schedulePriority": _schedule_priority(binding.schedule_priority),
        "components": [_component(component) for component in binding.components] or None,
        "workloadAffinityGroups": _groups(binding),
    }
    return {key: value for key, value in spec.items() if value is not None}


def priority_values(templates: tuple[Template, ...]) -> Mapping[str, int]:
    """The values of all PriorityClasses: those every API server makes, and those of the workspace."""
    values = dict(SYSTEM_PRIORITIES)
    for template in templates:
        if template.identity.kind == "PriorityClass" and template.identity.group == "scheduling.k8s.io":
            values[template.identity.name] = integer(template.body.get("value")) or 0
    return values


def _requirements(
    requirements: ReplicaRequirements | None, identity: Identity, gates: FeatureGates
) -> ReplicaRequirements | None:
    """The requirements, with the template's namespace where quotas are looked at."""
    if requirements is None or requirements.namespace or not gates.resource_quota_estimate:
        return requirements
    raw = {**requirements.raw, **({"namespace": identity.namespace} if identity.namespace else {})}
    return replace(requirements, namespace=identity.namespace, raw=raw)


def _group(term: WorkloadAffinityTerm | None, template: Template) -> str:
    labels = dict(template.labels)
    if term is None or term.group_by_label_key not in labels:
        return ""
    return f"{term.group_by_label_key}={labels[term.group_by_label_key]}"


def _priority(
    policy: PropagationPolicy, identity: Identity, gates: FeatureGates, priorities: Mapping[str, int]
) -> int | None:
    name = policy.priority_class_name
    if not name or not gates.priority_based_scheduling or not identity.namespace:
        return None
    if name not in priorities:
        raise InterpretError(f'PriorityClass "{name}" does not exist')
    return priorities[name]


def _of_policy(policy: PropagationPolicy, field: str) -> Object | None:
    value = dig(policy.body, "spec", field)
    return value if isinstance(value, dict) else None


def _resource(identity: Identity) -> Object:
    resource: Object = {"apiVersion": identity.api_version, "kind": identity.kind, "name": identity.name}
    return {**resource, "namespace": identity.namespace} if identity.namespace else resource


def _cluster(cluster: TargetCluster) -> Object:
    result: dict[str, Value] = {"name": cluster.name}
    if cluster.replicas:
        result["replicas"] = cluster.replicas
    if cluster.components:
        result["components"] = [{"name": name, "replicas": count} for name, count in cluster.components]
    return result


def _snapshot(snapshot: BindingSnapshot) -> Object:
    result: dict[str, Value] = {"namespace": snapshot.namespace, "name": snapshot.name}
    if snapshot.clusters:
        result["clusters"] = [_cluster(cluster) for cluster in snapshot.clusters]
    return result


def _component(component: Component) -> Object:
    result: dict[str, Value] = {"name": component.name, "replicas": component.replicas}
    if component.replica_requirements is not None:
        result["replicaRequirements"] = component.replica_requirements.raw
    return result


def _schedule_priority(priority: int | None) -> Object | None:
    if priority is None:
        return None
    return {"priority": priority} if priority else {}


def _groups(binding: Binding) -> Object | None:
    groups = {"affinityGroup": binding.affinity_group, "antiAffinityGroup": binding.anti_affinity_group}
    return {key: value for key, value in groups.items() if value} or None
