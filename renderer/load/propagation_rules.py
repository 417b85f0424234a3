"""What Karmada's validating webhooks have against a PropagationPolicy or ClusterPropagationPolicy.

Source: Karmada pkg/util/validation/validation.go, ValidatePropagationSpec.
"""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.field import ROOT, FieldError, Path, invalid
from renderer.load.names import label_key
from renderer.load.placement_rules import check_placement

SPEC = ROOT.child("spec")


def check_propagation(spec: Object, namespace: str) -> Iterator[FieldError]:
    """Everything wrong with a defaulted spec, in Karmada's order.

    `namespace` is the policy's, empty for a ClusterPropagationPolicy.
    """
    yield from check_placement(mapping(spec.get("placement")), SPEC.child("placement"))
    failover = mapping(spec.get("failover"))
    if failover.get("application") is not None and spec.get("propagateDeps") is not True:
        detail = "application failover is set, propagateDeps must be true"
        yield invalid(SPEC.child("propagateDeps"), False, detail)
    yield from _failover(failover, SPEC.child("failover"))
    yield from check_selector_namespaces(spec, namespace)
    yield from _preemption(spec)
    yield from _suspension(mapping(spec.get("suspension")), SPEC.child("suspension"))


def check_selector_namespaces(spec: Object, namespace: str) -> Iterator[FieldError]:
    """A namespaced policy selects in its own namespace only."""
    for index, selector in enumerate(sequence(spec.get("resourceSelectors")) if namespace else ()):
        if text(dig(selector, "namespace")) != namespace:
            yield invalid(
                SPEC.child("resourceSelectors").index(index).child("namespace"),
                text(dig(selector, "namespace")),
                "namespace of resource selector must be the same as the namespace of the policy",
            )


def _preemption(spec: Object) -> Iterator[FieldError]:
    if spec.get("preemption") != "Always":
        return
    for index, selector in enumerate(sequence(spec.get("resourceSelectors"))):
        if not dig(selector, "name"):
            yield invalid(
                SPEC.child("resourceSelectors").index(index).child("name"),
                "",
                "name cannot be empty if preemption is Always, "
                "the empty name may cause unexpected resources preemption",
            )


def _suspension(suspension: Object, path: Path) -> Iterator[FieldError]:
    if suspension.get("dispatching") is True and dig(suspension, "dispatchingOnClusters", "clusterNames"):
        # Karmada says the word twice in this path.
        detail = "suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames"
        yield invalid(path.child("suspension"), suspension, detail)


def _failover(failover: Object, path: Path) -> Iterator[FieldError]:
    application = failover.get("application")
    if isinstance(application, dict):
        yield from _application_failover(application, path.child("application"))
    yield from _state_preservation(failover.get("cluster"), path.child("cluster"))


def _application_failover(application: Object, path: Path) -> Iterator[FieldError]:
    seconds = dig(application, "decisionConditions", "tolerationSeconds")
    if isinstance(seconds, int) and seconds < 0:
        yield invalid(
            path.child("decisionConditions", "tolerationSeconds"),
            seconds,
            "must be greater than or equal to 0",
        )
    grace, grace_path = application.get("gracePeriodSeconds"), path.child("gracePeriodSeconds")
    gracefully = application.get("purgeMode") == "Gracefully"
    if not gracefully and grace is not None:
        yield invalid(grace_path, grace, "only takes effect when purgeMode is gracefully")
    if gracefully and grace is None:
        yield invalid(grace_path, None, "should not be empty when purgeMode is gracefully")
    if isinstance(grace, int) and grace <= 0:
        yield invalid(grace_path, grace, "must be greater than 0")
    yield from _state_preservation(application, path)


def _state_preservation(behavior: Value, path: Path) -> Iterator[FieldError]:
    rules = path.child("statePreservation", "rules")
    for index, rule in enumerate(sequence(dig(behavior, "statePreservation", "rules"))):
        alias = text(dig(rule, "aliasLabelName"))
        for detail in label_key(alias):
            yield invalid(rules.index(index).child("aliasLabelName"), alias, detail)
