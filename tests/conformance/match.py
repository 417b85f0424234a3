"""Vectors `match`: claims and bindings, the history of claims, and dependencies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from renderer.document.values import Object, Value, dig, text
from renderer.interpret.binding import binding_spec, build_binding, priority_values
from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.lua.customized import customized_layer
from renderer.load.admission import Admission, admission
from renderer.load.policies import propagation_policy_of
from renderer.match.claims import claim
from renderer.match.skip import SkipOptions
from renderer.match.sticky import ControlPlane, Propagated
from renderer.model.binding import Binding, TargetCluster, binding_name
from renderer.model.claim import Claim, Outcome
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity, identity_of, labels_of
from renderer.model.instant import EPOCH
from renderer.model.interpretation import InterpretError
from renderer.model.placement import Placement
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template
from renderer.schedule.dependents import distribute
from tests.conformance.gates import gates_of
from tests.conformance.interpret import customizations_of
from tests.conformance.verdict import Verdict

POLICY_KINDS: Final = ("PropagationPolicy", "ClusterPropagationPolicy")
_SKIPPED: Final = {Outcome.API_SKIPPED: "apiSkipped", Outcome.OBJECT_SKIPPED: "objectSkipped"}


def run(vector: Mapping[str, Any]) -> Verdict:
    """Run one vector of any of the three operations."""
    op, given = vector["op"], vector["input"]
    got = {"match": _match, "sequence": _sequence, "deps": _deps}[op](given)
    expected = _without_words(vector["expect"])
    return Verdict(
        category=f"match/{op}",
        expected=expected,
        got=got,
        passed=json.dumps(got, sort_keys=True) == json.dumps(expected, sort_keys=True),
    )


def template_of(body: Object) -> Template:
    """The template a vector gives."""
    return Template(identity=identity_of(body), body=body, labels=tuple(labels_of(body).items()))


def refusal(admitted: Admission) -> str:
    """Which part of admission refuses an object; empty where none does."""
    parts = (
        ("decode", admitted.decode_error),
        ("mutate", admitted.mutate_error),
        ("schema", admitted.schema_errors),
        ("webhook", admitted.denied),
    )
    return next((name for name, error in parts if error), "")


def _match(given: Mapping[str, Any]) -> Value:
    gates = gates_of(given.get("featureGates"))
    policies: list[PropagationPolicy] = []
    rejected: list[Value] = []
    for body in (*given["propagationPolicies"], *given["clusterPropagationPolicies"]):
        answer = admission(body)
        reason = refusal(answer)
        if reason:
            rejected.append({**_reference(body), "reason": reason})
        else:
            policies.append(propagation_policy_of(answer.object))
    overrides = [
        (text(dig(body, "metadata", "namespace")), text(dig(body, "metadata", "name")))
        for body in (*given.get("overridePolicies", ()), *given.get("clusterOverridePolicies", ()))
    ]
    options = SkipOptions(
        namespaces=tuple(given.get("skippedPropagatingNamespaces", ["kube-.*"])),
        apis=given.get("skippedPropagatingAPIs", ""),
    )
    templates = tuple(template_of(body) for body in given["templates"])
    results = [_result(item, templates, gates) for item in claim(templates, policies, overrides, options)]
    return {"results": results, **({"rejected": rejected} if rejected else {})}


def _result(decided: Claim, templates: tuple[Template, ...], gates: FeatureGates) -> Value:
    policy = decided.policy
    result: dict[str, Value] = {
        "template": _identity(decided.template.identity),
        "claimedBy": None if policy is None else _policy(policy.namespace, policy.name),
    }
    if decided.outcome in _SKIPPED:
        result["skipped"] = _SKIPPED[decided.outcome]
    if decided.outcome is Outcome.BLOCKED:
        result["error"] = True
    if policy is None:
        return result
    interpretation = interpret(decided.template.body, interpreter(gates), gates)
    try:
        binding = build_binding(decided.template, policy, interpretation, gates, priority_values(templates))
    except InterpretError:
        return {**result, "error": True}
    kind = "ResourceBinding" if binding.namespace else "ClusterResourceBinding"
    return {**result, "binding": {"kind": kind, "name": binding.name, "spec": binding_spec(binding)}}


def _sequence(given: Mapping[str, Any]) -> Value:
    gates = gates_of(given.get("featureGates"))
    plane = ControlPlane(preemption=gates.propagation_policy_preemption)
    steps: list[Value] = []
    for step in given["steps"]:
        refused = _take(plane, step)
        entries = sorted(plane.objects.values(), key=lambda entry: entry.template.identity)
        claims = [_claim(entry) for entry in entries]
        steps.append({"claims": claims, **({"error": True} if refused else {})})
    return {"steps": steps}


def _take(plane: ControlPlane, step: Mapping[str, Any]) -> bool:
    """Apply or delete what the step says; True where admission refuses it."""
    body: Object = step.get("apply") or step["delete"]
    kind = text(body.get("kind"))
    key = (text(dig(body, "metadata", "namespace")), text(dig(body, "metadata", "name")))
    if "delete" in step:
        if kind in POLICY_KINDS:
            plane.delete_policy(key)
        elif kind.endswith("OverridePolicy"):
            plane.delete_override(key)
        else:
            plane.delete_template(identity_of(body))
    elif kind in POLICY_KINDS:
        answer = admission(body)
        if refusal(answer):
            return True
        plane.apply_policy(propagation_policy_of(answer.object))
    elif kind.endswith("OverridePolicy"):
        plane.apply_override(key)
    else:
        plane.apply_template(template_of(body))
    return False


def _claim(entry: Propagated) -> Value:
    result: dict[str, Value] = {
        "template": _identity(entry.template.identity),
        "claimedBy": None if entry.claimed_by is None else _policy(*entry.claimed_by),
    }
    return result if entry.bound is None else {**result, "bindingPlacement": entry.bound.placement.raw}


def _deps(given: Mapping[str, Any]) -> Value:
    gates = FeatureGates()
    templates = [template_of(body) for body in given["templates"]]
    bodies = {template.identity: template.body for template in templates}
    ask = interpreter(gates, customized_layer(customizations_of(given), now=EPOCH, gates=gates))
    interpretations = {identity: interpret(body, ask, gates) for identity, body in bodies.items()}
    done = distribute([_binding(item) for item in given["bindings"]], interpretations, templates)
    placed: dict[str, list[str]] = {}
    for binding in done.bindings:
        if binding.identity in bodies:
            identity = binding.identity
            for cluster in binding.target_clusters:
                name = f"{identity.kind}/{identity.namespace}/{identity.name}"
                placed.setdefault(cluster.name, []).append(name)
    result: dict[str, Value] = {
        "bindings": [_attached(binding) for binding in sorted(done.bindings, key=lambda item: item.key)],
        "placedOn": {name: sorted(objects) for name, objects in placed.items()},
    }
    errors: list[Value] = [{"binding": "/".join(error.binding), "error": True} for error in done.errors]
    return {**result, "errors": errors} if errors else result


def _binding(item: Mapping[str, Any]) -> Binding:
    identity = Identity(item["apiVersion"], item["kind"], item["namespace"], item["name"])
    clusters = [TargetCluster(name=one["name"], replicas=one.get("replicas", 0)) for one in item["clusters"]]
    return Binding(
        identity=identity,
        namespace=identity.namespace,
        name=binding_name(identity.kind, identity.name),
        placement=Placement(),
        scheduler_name="",
        clusters=tuple(clusters),
        propagate_deps=item["propagateDeps"],
        conflict_resolution=item.get("conflictResolution", ""),
        preserve_resources_on_deletion=item.get("preserveResourcesOnDeletion"),
    )


def _attached(binding: Binding) -> Value:
    return {
        "attached": binding.placement is None,
        "namespace": binding.namespace,
        "name": binding.name,
        "spec": binding_spec(binding),
    }


def _identity(identity: Identity) -> Value:
    result = {"apiVersion": identity.api_version, "kind": identity.kind, "name": identity.name}
    return {**result, "namespace": identity.namespace} if identity.namespace else result


def _policy(namespace: str, name: str) -> Value:
    if namespace:
        return {"kind": "PropagationPolicy", "name": name, "namespace": namespace}
    return {"kind": "ClusterPropagationPolicy", "name": name}


def _reference(body: Object) -> Object:
    namespace = text(dig(body, "metadata", "namespace"))
    if body.get("kind") == "PropagationPolicy":
        namespace = namespace or "default"
    reference: Object = {"kind": body.get("kind"), "name": dig(body, "metadata", "name")}
    return {**reference, "namespace": namespace} if namespace else reference


def _without_words(value: Value) -> Value:
    """The same with errors that only say that there is one."""
    if isinstance(value, dict):
        return {key: True if key == "error" else _without_words(item) for key, item in value.items()}
    return [_without_words(item) for item in value] if isinstance(value, list) else value
