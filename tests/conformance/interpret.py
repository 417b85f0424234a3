"""Vectors `interpret`: what the resource interpreter says about one object.

Values only a running control plane would use (AggregateStatus, Retain of kinds without a script) are not
computed; the hooks list still names them, from the table of built-in kinds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from renderer.document.values import Object, Value
from renderer.interpret.binding import binding_spec
from renderer.interpret.interpret import interpreter
from renderer.interpret.lua.customized import customized_layer
from renderer.interpret.native import ANY_KIND
from renderer.interpret.operations import Operations
from renderer.interpret.prune import prune
from renderer.interpret.shipped.layer import shipped_layer
from renderer.load.side_objects import customization_of
from renderer.model.binding import Binding, Component
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity
from renderer.model.instant import EPOCH
from renderer.model.interpretation import Dependency, InterpretError, Workload
from tests.conformance.verdict import Verdict

FAILED: Final[Object] = {"failed": True}

_KRUISE = "apps.kruise.io/v1alpha1"
_FLUX = (
    ("kustomize.toolkit.fluxcd.io/v1", "Kustomization"),
    ("helm.toolkit.fluxcd.io/v2beta1", "HelmRelease"),
    ("source.toolkit.fluxcd.io/v1", "GitRepository"),
    *(
        ("source.toolkit.fluxcd.io/v1beta2", kind)
        for kind in ("Bucket", "HelmChart", "HelmRepository", "OCIRepository")
    ),
)
_KYVERNO = tuple(("kyverno.io/v1", kind) for kind in ("Policy", "ClusterPolicy"))
# What only a running control plane asks for: which kinds have it, besides what the product computes.
_RETAINED = {
    ("apps/v1", "Deployment"),
    ("batch/v1", "Job"),
    *(
        ("v1", kind)
        for kind in (
            "Pod",
            "Service",
            "ServiceAccount",
            "PersistentVolumeClaim",
            "PersistentVolume",
            "Secret",
        )
    ),
    (_KRUISE, "SidecarSet"),
    (_KRUISE, "BroadcastJob"),
    ("argoproj.io/v1alpha1", "Workflow"),
    *_FLUX,
}
_AGGREGATED = {
    *(("apps/v1", kind) for kind in ("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet")),
    *(("batch/v1", kind) for kind in ("Job", "CronJob")),
    *(("v1", kind) for kind in ("Pod", "Service", "PersistentVolume", "PersistentVolumeClaim")),
    ("networking.k8s.io/v1", "Ingress"),
    ("policy/v1", "PodDisruptionBudget"),
    ("autoscaling/v2", "HorizontalPodAutoscaler"),
    *_KYVERNO,
    *(kind for kind in shipped_layer() if kind[1] != "Workflow"),
}
_HEALTHY = {*_KYVERNO, *(kind for kind in shipped_layer() if kind[1] != "AdvancedCronJob")}


def run(vector: Mapping[str, Any]) -> Verdict:
    """Interpret the object in every way that the vector recorded, and compare."""
    given = vector["input"]
    got = normal(answers(given, given["object"], given.get("reviseReplica", [0, 1, 5])))
    expected = normal(vector["expect"])
    return Verdict(
        category=f"interpret/{_category(vector)}",
        expected=expected,
        got=got,
        passed=json_text(got) == json_text(expected),
    )


def answers(given: Mapping[str, Any], body: Object, counts: list[int]) -> Value:
    """All that the interpreter says; a key is absent where the kind has no such operation."""
    gates, customizations = FeatureGates(), customizations_of(given)
    custom = customized_layer(customizations, now=EPOCH, gates=gates)
    ask = interpreter(gates, custom).of(body).over(ANY_KIND)
    hooks = _hooks(body, ask, customizations)
    got: dict[str, Value] = {"hooks": hooks, "pruned": _answer(lambda: {"object": prune(body)})}
    if ask.replica is not None:
        replica = ask.replica
        got["replica"] = _answer(lambda: _replica(replica(body)))
    if ask.revise is not None and counts:
        got["revise"] = {str(count): _revised(ask.revise, body, count) for count in counts}
    if ask.components is not None:
        components = ask.components
        got["components"] = _answer(lambda: {"components": _components(components(body))})
    if ask.dependencies is not None:
        dependencies = ask.dependencies
        got["dependencies"] = _answer(lambda: _listed(dependencies(body)))
    if "status" in body and ask.health is not None:
        health = ask.health
        got["health"] = _answer(lambda: {"healthy": health(body)})
    if "status" in body and ask.status is not None:
        status = ask.status
        got["status"] = _answer(lambda: {"status": status(body)})
    if "observed" in given and ask.retain is not None:
        retain = ask.retain
        got["retain"] = _answer(lambda: {"object": retain(body, given["observed"])})
    return got


def customizations_of(given: Mapping[str, Any]) -> list[ResourceInterpreterCustomization]:
    """The customizations that a vector gives."""
    return [customization_of(item) for item in given.get("customizations", ())]


def _category(vector: Mapping[str, Any]) -> str:
    if "customizations" in vector["input"]:
        return "lua"
    return "thirdparty" if "thirdparty" in vector.get("tags", []) else "native"


def _replica(workload: Workload) -> Value:
    needs = workload.requirements
    return {"replicas": workload.replicas, "requirements": None if needs is None else needs.raw}


def _components(components: tuple[Component, ...]) -> Value:
    binding = Binding(identity=Identity("", "", "", ""), components=components)
    return binding_spec(binding).get("components", [])


def _revised(revise: Callable[[Object, int], Object], body: Object, count: int) -> Value:
    return _answer(lambda: {"object": revise(body, count)})


def _listed(dependencies: tuple[Dependency, ...]) -> Value:
    items = [item.to_json() for item in dependencies]
    return {"items": sorted(items, key=lambda item: json.dumps(item, separators=(",", ":")))}


def _hooks(
    body: Object, operations: Operations, customizations: list[ResourceInterpreterCustomization]
) -> list[Value]:
    kind = (body.get("apiVersion"), body.get("kind"))
    aggregated = any(
        item.status_aggregation for item in customizations if (item.api_version, item.kind) == kind
    )
    available = (
        ("InterpretReplica", operations.replica is not None),
        ("InterpretComponent", operations.components is not None),
        ("ReviseReplica", operations.revise is not None),
        ("InterpretDependency", operations.dependencies is not None),
        ("InterpretHealth", operations.health is not None or kind in _HEALTHY),
        ("InterpretStatus", True),
        ("Retain", operations.retain is not None or kind in _RETAINED),
        ("AggregateStatus", aggregated or kind in _AGGREGATED),
    )
    return [name for name, there in available if there]


def _answer(compute: Callable[[], Value]) -> Value:
    try:
        return compute()
    except InterpretError:
        return FAILED


def normal(value: Value) -> Value:
    """Failures without their words; 3.0 as 3, which JSON does not tell apart; what is empty left out."""
    if isinstance(value, dict):
        if "error" in value or "panic" in value:
            return FAILED
        return {key: normal(item) for key, item in value.items() if key != "revise" or item}
    if isinstance(value, list):
        return [normal(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def json_text(value: Value) -> str:
    """JSON with keys in order, so that two values can be compared exactly."""
    return json.dumps(value, sort_keys=True)
