"""Replicas of the built-in kinds: how many an object wants, and setting them.

Source: Karmada pkg/resourceinterpreter/default/native/replica.go, revisereplica.go.
"""

from __future__ import annotations

from renderer.document.edit import PathError, found, placed
from renderer.document.values import Object, dig
from renderer.interpret.requirements import requirements
from renderer.interpret.typed import int32, type_mistake
from renderer.model.interpretation import InterpretError, Workload


def fits(body: Object, kind: str) -> None:
    """Raise InterpretError where the object does not fit the Kubernetes type."""
    fault = type_mistake(body, kind)
    if fault:
        raise InterpretError(fault)


def scaled_replicas(body: Object, *, priority_class: bool = False) -> Workload:
    """Replicas of a Deployment, ReplicaSet or StatefulSet. Absent is 0: an API server writes the 1."""
    fits(body, str(body["kind"]))
    return Workload(
        replicas=int32(dig(body, "spec", "replicas")),
        requirements=requirements(dig(body, "spec", "template", "spec"), priority_class=priority_class),
    )


def job_replicas(body: Object, *, priority_class: bool = False) -> Workload:
    """Parallelism of a Job; more than its completions never run."""
    fits(body, "Job")
    parallelism = int32(dig(body, "spec", "parallelism"))
    completions = dig(body, "spec", "completions")
    return Workload(
        replicas=parallelism if completions is None else min(parallelism, int32(completions)),
        requirements=requirements(dig(body, "spec", "template", "spec"), priority_class=priority_class),
    )


def pod_replicas(body: Object, *, priority_class: bool = False) -> Workload:
    """A Pod is one replica."""
    fits(body, "Pod")
    return Workload(replicas=1, requirements=requirements(body.get("spec"), priority_class=priority_class))


def revise_replicas(body: Object, replicas: int) -> Object:
    """The object with spec.replicas set, if it has the field."""
    return _revised(body, replicas, "replicas")


def revise_parallelism(body: Object, replicas: int) -> Object:
    """The Job with spec.parallelism set, if it has the field."""
    return _revised(body, replicas, "parallelism")


def whole_number(body: Object, *path: str) -> int | None:
    """A whole number at a path, None where it is absent; InterpretError where it is anything else."""
    try:
        value, there = found(body, *path)
    except PathError as error:
        raise InterpretError(str(error)) from None
    if not there:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise InterpretError(f"{'.'.join(path)} is not a whole number")
    return value


def _revised(body: Object, replicas: int, field: str) -> Object:
    current = whole_number(body, "spec", field)
    return body if current is None or current == replicas else placed(body, replicas, "spec", field)
