"""Vectors `interpret`: what the resource interpreter says about one object.

Values only a running control plane would use (Retain, AggregateStatus) are not computed; the hooks list
still names them, from the table of built-in kinds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from renderer.interpret.interpret import interpreter
from renderer.interpret.native import ANY_KIND
from renderer.interpret.operations import Operations
from renderer.interpret.prune import prune
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.conformance.verdict import Verdict

FAILED = {"failed": True}

_RETAINED = {
    ("apps/v1", "Deployment"),
    ("batch/v1", "Job"),
    *(
        ("v1", kind)
        for kind in ("Pod", "Service", "ServiceAccount", "PersistentVolumeClaim", "PersistentVolume")
    ),
    ("v1", "Secret"),
}
_AGGREGATED = {
    *(("apps/v1", kind) for kind in ("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet")),
    *(("batch/v1", kind) for kind in ("Job", "CronJob")),
    *(("v1", kind) for kind in ("Pod", "Service", "PersistentVolume", "PersistentVolumeClaim")),
    ("networking.k8s.io/v1", "Ingress"),
    ("policy/v1", "PodDisruptionBudget"),
    ("autoscaling/v2", "HorizontalPodAutoscaler"),
}


def run(vector: Mapping[str, Any]) -> Verdict:
    """Interpret the object in every way that the vector recorded, and compare."""
    given, expected = vector["input"], _normal(vector["expect"])
    body = given["object"]
    operations = interpreter(FeatureGates()).of(body).over(ANY_KIND)
    got: dict[str, Any] = {"hooks": _hooks(body, operations)}
    got["pruned"] = _answer(lambda: {"object": prune(body)})
    if operations.replica is not None:
        got["replica"] = _answer(lambda: _replica(operations, body))
    if operations.revise is not None:
        counts = given.get("reviseReplica", [0, 1, 5])
        got["revise"] = {
            str(count): _answer(lambda n=count: _revised(operations, body, n)) for count in counts
        }
    if operations.dependencies is not None:
        got["dependencies"] = _answer(lambda: _dependencies(operations, body))
    if "status" in body:
        if operations.health is not None:
            got["health"] = _answer(lambda: {"healthy": operations.health(body)})
        got["status"] = _answer(lambda: {"status": operations.status(body)})
    got = {key: value for key, value in _normal(got).items() if value != {}}
    expected = {key: value for key, value in expected.items() if value != {}}
    return Verdict(
        category=f"interpret/{_category(vector)}", expected=expected, got=got, passed=_same(got, expected)
    )


def _category(vector: Mapping[str, Any]) -> str:
    tags = vector.get("tags", [])
    if "customizations" in vector["input"]:
        return "lua"
    return "thirdparty" if "thirdparty" in tags else "native"


def _replica(operations: Operations, body: Any) -> Any:
    assert operations.replica is not None
    workload = operations.replica(body)
    needs = workload.requirements
    return {"replicas": workload.replicas, "requirements": None if needs is None else needs.raw}


def _revised(operations: Operations, body: Any, count: int) -> Any:
    assert operations.revise is not None
    return {"object": operations.revise(body, count)}


def _dependencies(operations: Operations, body: Any) -> Any:
    assert operations.dependencies is not None
    items = [item.to_json() for item in operations.dependencies(body)]
    return {"items": sorted(items, key=lambda item: json.dumps(item, separators=(",", ":")))}


def _hooks(body: Any, operations: Operations) -> list[str]:
    kind = (body.get("apiVersion"), body.get("kind"))
    available = (
        ("InterpretReplica", operations.replica is not None),
        ("InterpretComponent", operations.components is not None),
        ("ReviseReplica", operations.revise is not None),
        ("InterpretDependency", operations.dependencies is not None),
        ("InterpretHealth", operations.health is not None),
        ("InterpretStatus", True),
        ("Retain", kind in _RETAINED),
        ("AggregateStatus", kind in _AGGREGATED),
    )
    return [name for name, there in available if there]


def _answer(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except InterpretError:
        return FAILED


def _normal(value: Any) -> Any:
    """Failures without their words; 3.0 as 3, which JSON does not tell apart."""
    if isinstance(value, dict):
        if "error" in value or "panic" in value:
            return FAILED
        return {key: _normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _same(left: Any, right: Any) -> bool:
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
