"""Admitted objects beside the policies to the model: rebalancers, taint policies, customizations."""

from __future__ import annotations

from renderer.document.source import Document
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.customization_rules import script_of
from renderer.load.selectors import optional_affinity_of, texts
from renderer.model.cluster import Taint
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import Identity
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.taint_policy import ClusterTaintPolicy, MatchCondition


def rebalancer_of(body: Object, document: Document | None = None) -> WorkloadRebalancer:
    """A WorkloadRebalancer."""
    return WorkloadRebalancer(
        name=text(dig(body, "metadata", "name")),
        workloads=tuple(
            Identity(*(text(item.get(key)) for key in ("apiVersion", "kind", "namespace", "name")))
            for item in map(mapping, sequence(dig(body, "spec", "workloads")))
        ),
        created_at=text(dig(body, "metadata", "creationTimestamp")),
        document=document,
    )


def taint_policy_of(body: Object, document: Document | None = None) -> ClusterTaintPolicy:
    """A ClusterTaintPolicy."""
    spec = mapping(body.get("spec"))
    return ClusterTaintPolicy(
        name=text(dig(body, "metadata", "name")),
        created_at=text(dig(body, "metadata", "creationTimestamp")),
        target_clusters=optional_affinity_of(spec.get("targetClusters")),
        add_on_conditions=_conditions(spec.get("addOnConditions")),
        remove_on_conditions=_conditions(spec.get("removeOnConditions")),
        taints=tuple(
            Taint(key=text(item.get("key")), value=text(item.get("value")), effect=text(item.get("effect")))
            for item in map(mapping, sequence(spec.get("taints")))
        ),
        document=document,
    )


def _conditions(value: Value) -> tuple[MatchCondition, ...]:
    return tuple(
        MatchCondition(
            condition_type=text(item.get("conditionType")),
            operator=text(item.get("operator")),
            status_values=texts(item.get("statusValues")),
        )
        for item in map(mapping, sequence(value))
    )


def customization_of(body: Object, document: Document | None = None) -> ResourceInterpreterCustomization:
    """A ResourceInterpreterCustomization."""
    return ResourceInterpreterCustomization(
        name=text(dig(body, "metadata", "name")),
        api_version=text(dig(body, "spec", "target", "apiVersion")),
        kind=text(dig(body, "spec", "target", "kind")),
        retention=script_of(body, "retention"),
        replica_resource=script_of(body, "replicaResource"),
        component_resource=script_of(body, "componentResource"),
        replica_revision=script_of(body, "replicaRevision"),
        status_reflection=script_of(body, "statusReflection"),
        status_aggregation=script_of(body, "statusAggregation"),
        health_interpretation=script_of(body, "healthInterpretation"),
        dependency_interpretation=script_of(body, "dependencyInterpretation"),
        document=document,
    )
