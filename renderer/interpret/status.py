"""The part of a status that is collected from member clusters.

Source: Karmada pkg/resourceinterpreter/default/native/reflectstatus.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.interpret.typed import int32, integer, mistake
from renderer.model.identity import annotations_of
from renderer.model.interpretation import InterpretError

GENERATION: Final = "resourcetemplate.karmada.io/generation"

Reflect = Callable[[Object], Value]

_JOB_TIMES: Final = ("startTime", "completionTime")
_CONDITION_TIMES: Final = ("lastProbeTime", "lastTransitionTime")
_CONDITION_TEXTS: Final = ("reason", "message")


def whole_status(body: Object) -> Value:
    """The status as it is; None where there is none."""
    status = body.get("status", {})
    if not isinstance(status, dict):
        raise InterpretError("status is not a map")
    return status if "status" in body else None


def counted(
    type_name: str, counters: str, *, always: tuple[str, ...] = (), empty_is_none: bool = False
) -> Reflect:
    """Counters of a workload's status and the generations they are about; those that are 0 are left out.

    `counters` are names separated by spaces; `always` are those that are kept though 0.
    """

    def reflect(body: Object) -> Value:
        status = _typed(body, type_name)
        if status is None:
            return None
        numbers = (
            ("generation", integer(dig(body, "metadata", "generation")) or 0),
            ("resourceTemplateGeneration", _template_generation(body)),
            *((name, _number(status, name)) for name in counters.split()),
        )
        result: Object = {name: number for name, number in numbers if number or name in always}
        return None if empty_is_none and not result else result

    return reflect


def exact(type_name: str, *counters: str) -> Reflect:
    """Counters of a status, also those that are 0."""

    def reflect(body: Object) -> Value:
        status = _typed(body, type_name)
        return None if status is None else {name: int32(status.get(name)) for name in counters}

    return reflect


def disruption_budget_status(body: Object) -> Value:
    """Counters of a PodDisruptionBudget, and the pods being disrupted."""
    counters = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")
    result = exact("PodDisruptionBudgetStatus", *counters)(body)
    pods = mapping(dig(body, "status", "disruptedPods"))
    return {**mapping(result), "disruptedPods": pods} if pods and result is not None else result


def autoscaler_status(body: Object) -> Value:
    """Replicas of a HorizontalPodAutoscaler, and a place for metrics that stays empty."""
    status = _typed(body, "HorizontalPodAutoscalerStatus")
    if status is None:
        return None
    current, desired = (int32(status.get(name)) for name in ("currentReplicas", "desiredReplicas"))
    result: Object = {"desiredReplicas": desired, "currentMetrics": None}
    return {"currentReplicas": current, **result} if current else result


def job_status(body: Object) -> Value:
    """Conditions, times and counters of a Job."""
    status = _typed(body, "JobStatus")
    if status is None:
        return None
    result: dict[str, Value] = {}
    conditions = [_condition(item) for item in sequence(status.get("conditions"))]
    if conditions:
        result["conditions"] = conditions
    result.update((name, status[name]) for name in _JOB_TIMES if status.get(name) is not None)
    counters = ((name, int32(status.get(name))) for name in ("active", "succeeded", "failed"))
    return result | {name: number for name, number in counters if number}


def service_status(body: Object) -> Value:
    """The addresses of a load balancer; None for any other Service."""
    if dig(body, "spec", "type") != "LoadBalancer":
        return None
    status = _typed(body, "ServiceStatus")
    if status is None:
        return None
    entries = [_address(item) for item in sequence(dig(status, "loadBalancer", "ingress"))]
    return {"loadBalancer": {"ingress": entries} if entries else {}}


def _typed(body: Object, type_name: str) -> Object | None:
    status = whole_status(body)
    fault = mistake(type_name, status)
    if fault:
        raise InterpretError(f"its status does not fit {type_name}: {fault}")
    return None if status is None else mapping(status)


def _number(status: Object, name: str) -> int:
    return (integer(status.get(name)) or 0) if name == "observedGeneration" else int32(status.get(name))


def _template_generation(body: Object) -> int:
    written = annotations_of(body).get(GENERATION, "")
    try:
        return int(written, 0)
    except ValueError:
        raise InterpretError(f'annotation {GENERATION} is "{written}", not a number') from None


def _condition(item: Value) -> Object:
    condition: dict[str, Value] = {name: text(dig(item, name)) for name in ("type", "status")}
    condition.update((name, dig(item, name)) for name in _CONDITION_TIMES)
    condition.update((name, dig(item, name)) for name in _CONDITION_TEXTS if text(dig(item, name)))
    return condition


def _address(item: Value) -> Object:
    entry: dict[str, Value] = {
        name: dig(item, name) for name in ("ip", "hostname", "ipMode") if dig(item, name)
    }
    ports = [_port(port) for port in sequence(dig(item, "ports"))]
    return {**entry, "ports": ports} if ports else entry


def _port(item: Value) -> Object:
    port: Object = {"port": int32(dig(item, "port")), "protocol": text(dig(item, "protocol"))}
    return {**port, "error": dig(item, "error")} if dig(item, "error") else port
