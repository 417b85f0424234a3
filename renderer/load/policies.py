"""Admitted policy objects to the model.

The functions take an object as admission leaves it. They also take one that was never admitted, as
Karmada's own code would read it, and raise DecodeError where it could not.
"""

from __future__ import annotations

from renderer.document.source import Document
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.overriders import overriders_of
from renderer.load.placement import placement_of, whole
from renderer.load.selectors import optional_affinity_of, resource_selectors_of, texts
from renderer.load.typed import normal_object
from renderer.load.typed_policies import OVERRIDE_SPEC, PROPAGATION_SPEC
from renderer.model.identity import annotations_of
from renderer.model.overrides import OverridePolicy, RuleWithCluster
from renderer.model.policy import PropagationPolicy, Suspension

VALUES_ANNOTATION = "krender.io/values"
VALUES_JINJA2 = "jinja2"


def propagation_policy_of(body: Object, document: Document | None = None) -> PropagationPolicy:
    """A PropagationPolicy or ClusterPropagationPolicy, by whether it has a namespace."""
    spec = normal_object(body.get("spec"), PROPAGATION_SPEC)
    preserve = spec.get("preserveResourcesOnDeletion")
    return PropagationPolicy(
        name=_name(body),
        namespace=_namespace(body),
        resource_selectors=resource_selectors_of(spec.get("resourceSelectors")),
        placement=placement_of(mapping(spec.get("placement"))),
        priority=whole(spec.get("priority")),
        propagate_deps=spec.get("propagateDeps") is True,
        conflict_resolution=text(spec.get("conflictResolution")) or "Abort",
        preserve_resources_on_deletion=preserve if isinstance(preserve, bool) else None,
        suspension=_suspension(spec.get("suspension")),
        scheduler_name=text(spec.get("schedulerName")) or "default-scheduler",
        dependent_overrides=texts(spec.get("dependentOverrides")),
        activation_preference=text(spec.get("activationPreference")),
        preemption=text(spec.get("preemption")) or "Never",
        priority_class_name=text(dig(spec, "schedulePriority", "priorityClassName")),
        deleting=dig(body, "metadata", "deletionTimestamp") is not None,
        body=body,
        document=document,
    )


def override_policy_of(body: Object, document: Document | None = None) -> OverridePolicy:
    """An OverridePolicy or ClusterOverridePolicy, by whether it has a namespace."""
    spec = normal_object(body.get("spec"), OVERRIDE_SPEC)
    return OverridePolicy(
        name=_name(body),
        namespace=_namespace(body),
        resource_selectors=resource_selectors_of(spec.get("resourceSelectors")),
        rules=_rules(spec),
        templated=annotations_of(body).get(VALUES_ANNOTATION) == VALUES_JINJA2,
        body=body,
        document=document,
    )


def _name(body: Object) -> str:
    return text(dig(body, "metadata", "name"))


def _namespace(body: Object) -> str:
    return text(dig(body, "metadata", "namespace"))


def _suspension(value: Value) -> Suspension | None:
    if not isinstance(value, dict):
        return None
    return Suspension(
        dispatching=value.get("dispatching") is True,
        dispatching_on_clusters=texts(dig(value, "dispatchingOnClusters", "clusterNames")),
    )


def _rules(spec: Object) -> tuple[RuleWithCluster, ...]:
    """The rules; without any, the legacy pair is one, even if it changes nothing."""
    rules = [mapping(rule) for rule in sequence(spec.get("overrideRules"))]
    if not rules:
        return (_rule(spec, "/spec/overriders"),)
    return tuple(_rule(rule, f"/spec/overrideRules/{index}/overriders") for index, rule in enumerate(rules))


def _rule(value: Object, pointer: str) -> RuleWithCluster:
    return RuleWithCluster(
        target_cluster=optional_affinity_of(value.get("targetCluster")),
        overriders=overriders_of(mapping(value.get("overriders"))),
        pointer=pointer,
    )
