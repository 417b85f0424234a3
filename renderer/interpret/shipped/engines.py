"""Flink and Spark: FlinkDeployment, SparkApplication.

Source: Karmada …/resourcecustomizations/flink.apache.org, sparkoperator.k8s.io.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from typing import Final

from renderer.document.values import Object, Value
from renderer.interpret.operations import Kind, Operations
from renderer.interpret.shipped.pods import component, table_requirements
from renderer.interpret.shipped.values import counted, number, optional, replicas_of
from renderer.model.binding import Component
from renderer.model.interpretation import InterpretError, Workload
from renderer.model.quantity import parse_quantity

_JAVA_MEMORY: Final = re.compile(r"(\d+\.?\d*)([a-z]*)", re.ASCII)
_UNITS: Final = {"b": 0, "k": 1, "kb": 1, "m": 2, "mb": 2, "g": 3, "gb": 3, "t": 4, "tb": 4, "p": 5, "pb": 5}
_SUFFIXES: Final = ("B", "Ki", "Mi", "Gi", "Ti", "Pi")
_LEAST_OVERHEAD: Final = "384m"
_JVM_OVERHEAD: Final = 0.10
_OTHER_OVERHEAD: Final = 0.40

Memory = tuple[float, int]  # an amount and the power of 1024 of its unit


def engine_kinds() -> dict[Kind, Operations]:
    """The operations of both kinds."""
    return {
        ("flink.apache.org/v1beta1", "FlinkDeployment"): Operations(
            replica=_flink_replicas, components=_flink_components
        ),
        ("sparkoperator.k8s.io/v1beta2", "SparkApplication"): Operations(components=_spark_components),
    }


def _flink_replicas(body: Object) -> Workload:
    """Job and task managers together, with the cpu and the memory of the more demanding one."""
    request: dict[str, Value] = {}
    cpus = [_resource(body, part, "cpu") for part in ("taskManager", "jobManager")]
    found = [cpu for cpu in cpus if cpu is not None]
    if found:
        request["cpu"] = found[0] if len(found) == 1 else max(_amount(cpu) for cpu in found)
    # Of equal amounts the task manager's spelling counts.
    memories = [_resource(body, part, "memory") for part in ("taskManager", "jobManager")]
    given = [memory for memory in memories if memory is not None]
    if given:
        request["memory"] = given[0] if len(given) == 1 else max(given, key=_bytes)
    pod = optional(body, "spec", "podTemplate", "spec")
    table: dict[str, Value] = {
        "resourceRequest": request,
        "nodeClaim": {name: optional(pod, name) for name in ("nodeSelector", "tolerations")},
        "priorityClassName": optional(pod, "priorityClassName") or None,
        "namespace": optional(body, "metadata", "namespace") or None,
    }
    replicas = _managers(body, "jobManager") + _task_managers(body)
    return Workload(replicas=replicas_of(replicas), requirements=table_requirements(table))


def _flink_components(body: Object) -> tuple[Component, ...]:
    pod = optional(body, "spec", "podTemplate", "spec")
    parts = (
        ("jobmanager", "jobManager", _managers(body, "jobManager")),
        ("taskmanager", "taskManager", _task_managers(body)),
    )
    made = []
    for name, part, replicas in parts:
        memory = _resource(body, part, "memory")
        request: Object = {
            "cpu": _resource(body, part, "cpu"),
            "memory": None if memory is None else _bytes(memory),
        }
        table = {"resourceRequest": request, **_pod_part(pod, ("nodeSelector", "tolerations"))}
        made.append(component(name, replicas, table_requirements(table)))
    return tuple(made)


def _resource(body: Object, part: str, name: str) -> Value:
    return optional(body, "spec", part, "resource", name)


def _managers(body: Object, part: str) -> float:
    return counted(optional(body, "spec", part, "replicas"), 1)


def _task_managers(body: Object) -> float:
    """As many as are asked for, else what the parallelism needs, else one."""
    asked = number(optional(body, "spec", "taskManager", "replicas"))
    if asked is not None:
        return asked
    parallelism = number(optional(body, "spec", "job", "parallelism"))
    slots = number(optional(body, "spec", "flinkConfiguration", "taskmanager.numberOfTaskSlots"))
    return 1 if parallelism is None or not slots else ceil(parallelism / slots)


def _amount(value: Value) -> float:
    found = number(value)
    if found is None:
        raise InterpretError("cpu is not a number")
    return found


def _bytes(value: Value) -> float:
    """A quantity that is text, as a number (getResourceQuantity)."""
    quantity = parse_quantity(value) if isinstance(value, str) else None
    if quantity is None or quantity.amount < 0:
        raise InterpretError("memory is not a quantity")
    return float(quantity.amount)


def _pod_part(pod: Value, fields: tuple[str, ...]) -> Object:
    """Node claim and priority class of a pod spec."""
    claim: dict[str, Value] = {name: optional(pod, name) for name in fields}
    if "affinity" in claim:
        affinity = optional(claim.pop("affinity"), "nodeAffinity")
        claim["hardNodeAffinity"] = optional(affinity, "requiredDuringSchedulingIgnoredDuringExecution")
    present = any(value is not None for value in claim.values())
    table: Object = {"priorityClassName": optional(pod, "priorityClassName") or None}
    return {**table, "nodeClaim": claim} if present else table


def _spark_components(body: Object) -> tuple[Component, ...]:
    """The driver, and the executors: as many as are asked for, or as dynamic allocation begins with."""
    language = optional(body, "spec", "type")
    if not isinstance(language, str):
        raise InterpretError("spec.type is missing")
    usual = _JVM_OVERHEAD if language.lower() in ("java", "scala") else _OTHER_OVERHEAD
    factor = counted(optional(body, "spec", "memoryOverheadFactor"), usual)
    counts = [counted(optional(body, "spec", "executor", "instances"), 1)]
    dynamic = optional(body, "spec", "dynamicAllocation")
    if not _unset(optional(dynamic, "enabled")):
        counts += [counted(optional(dynamic, name), 1) for name in ("initialExecutors", "minExecutors")]
    return tuple(
        component(name, replicas, table_requirements(_spark_table(optional(body, "spec", name), factor)))
        for name, replicas in (("driver", 1.0), ("executor", max(counts)))
    )


def _spark_table(part: Value, factor: float) -> Object:
    cores, memory = optional(part, "cores"), optional(part, "memory")
    request: dict[str, Value] = {
        "cpu": 1 if _unset(cores) else cores,
        "memory": _total_memory("1g" if _unset(memory) else memory, optional(part, "memoryOverhead"), factor),
        **dict(_gpu(optional(part, "gpu"))),
    }
    fields = ("nodeSelector", "tolerations", "affinity")
    return {"resourceRequest": request, **_pod_part(part, fields)}


def _unset(value: Value) -> bool:
    return value is None or value is False


def _gpu(gpu: Value) -> Iterator[tuple[str, Value]]:
    name = optional(gpu, "name")
    count = counted(optional(gpu, "quantity"), 0)
    if isinstance(name, str) and name and count > 0:
        yield name, count


def _total_memory(memory: Value, overhead: Value, factor: float) -> str:
    """Memory with its overhead, in the smaller unit of the two."""
    amount, unit = _java_memory(memory)
    if overhead is None:
        least, least_unit = _java_memory(_LEAST_OVERHEAD)
        extra_unit = min(unit, least_unit)
        extra = max(_in_unit((amount * factor, unit), extra_unit), _in_unit((least, least_unit), extra_unit))
    else:
        extra, extra_unit = _java_memory(overhead)
    final = min(unit, extra_unit)
    total = _in_unit((amount, unit), final) + _in_unit((extra, extra_unit), final)
    return f"{total:f}{_SUFFIXES[final]}"


def _java_memory(value: Value) -> Memory:
    match = _JAVA_MEMORY.fullmatch(value.lower()) if isinstance(value, str) else None
    if match is None or match.group(2) not in _UNITS:
        raise InterpretError(f"{value} is no amount of memory with a unit")
    return float(match.group(1)), _UNITS[match.group(2)]


def _in_unit(memory: Memory, unit: int) -> float:
    amount, own = memory
    return amount * 1024.0 ** (own - unit)
