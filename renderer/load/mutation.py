"""What Karmada's mutating webhooks make of a policy that is created.

The webhook reads the whole object into its struct and writes it back, which is most of what it does.
Source: Karmada pkg/webhook/propagationpolicy, clusterpropagationpolicy, overridepolicy.
"""

from __future__ import annotations

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.typed import Struct, need, normal_object
from renderer.load.typed_policies import OVERRIDE_SPEC, PROPAGATION_SPEC

_SERVICE_IMPORT = ("multicluster.x-k8s.io/v1alpha1", "ServiceImport")
_GRACE_PERIOD_SECONDS = 600


def mutate_propagation(body: Object, namespace: str, permanent_id: str) -> Object:
    """A PropagationPolicy or ClusterPropagationPolicy (no `namespace`) after its mutating webhook.

    Raises DecodeError where the spec does not fit the struct.
    """
    kind = text(body.get("kind"))
    spec = _spec(body, PROPAGATION_SPEC)
    spec = _selector_namespaces(spec, namespace)
    spec = {**spec, "placement": _placement(mapping(spec.get("placement")))}
    if any(_is_service_import(selector) for selector in sequence(spec.get("resourceSelectors"))):
        spec = {**spec, "propagateDeps": True}
    application = dig(spec, "failover", "application")
    if isinstance(application, dict):
        failover = {**mapping(spec.get("failover")), "application": _grace_period(application)}
        spec = {**spec, "failover": failover}
    prefix = kind.lower()
    finalizer = f"karmada.io/{'cluster-' if not namespace else ''}propagation-policy-controller"
    metadata = mapping(body.get("metadata"))
    finalizers = list(sequence(metadata.get("finalizers")))
    labels = {**mapping(metadata.get("labels")), f"{prefix}.karmada.io/permanent-id": permanent_id}
    if finalizer not in finalizers:
        finalizers.append(finalizer)
    return {**body, "metadata": {**metadata, "labels": labels, "finalizers": finalizers}, "spec": spec}


def mutate_override(body: Object, namespace: str) -> Object:
    """An OverridePolicy after its mutating webhook. Raises DecodeError like its sibling."""
    return {**body, "spec": _selector_namespaces(_spec(body, OVERRIDE_SPEC), namespace)}


def _spec(body: Object, kind: Struct) -> Object:
    whole = Struct(f"v1alpha1.{text(body.get('kind'))}", (need("spec", kind),))
    return mapping(normal_object({"spec": body.get("spec")}, whole)["spec"])


def _selector_namespaces(spec: Object, namespace: str) -> Object:
    selectors = spec.get("resourceSelectors")
    if not namespace or not isinstance(selectors, list):
        return spec
    filled = [
        selector if dig(selector, "namespace") else {**mapping(selector), "namespace": namespace}
        for selector in selectors
    ]
    return {**spec, "resourceSelectors": filled}


def _is_service_import(selector: Value) -> bool:
    return (dig(selector, "apiVersion"), dig(selector, "kind")) == _SERVICE_IMPORT


def _placement(placement: Object) -> Object:
    result = dict(placement)
    constraints = placement.get("spreadConstraints")
    if isinstance(constraints, list):
        result["spreadConstraints"] = [_spread(mapping(item)) for item in constraints]
    scheduling = mapping(placement.get("replicaScheduling"))
    if scheduling.get("replicaSchedulingType") == "Divided" and not scheduling.get(
        "replicaDivisionPreference"
    ):
        result["replicaScheduling"] = {**scheduling, "replicaDivisionPreference": "Weighted"}
    return result


def _spread(constraint: Object) -> Object:
    result = dict(constraint)
    if not constraint.get("spreadByField") and not constraint.get("spreadByLabel"):
        result["spreadByField"] = "cluster"
    if not constraint.get("minGroups"):
        result["minGroups"] = 1
    return result


def _grace_period(application: Object) -> Object:
    if application.get("purgeMode") == "Gracefully" and application.get("gracePeriodSeconds") is None:
        return {**application, "gracePeriodSeconds": _GRACE_PERIOD_SECONDS}
    return application
