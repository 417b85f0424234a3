"""Is an object with a status healthy? The built-in rules.

Source: Karmada pkg/resourceinterpreter/default/native/healthy.go.
"""

from __future__ import annotations

from renderer.document.values import Object, dig, sequence, text
from renderer.interpret.typed import int32, integer
from renderer.interpret.workloads import fits


def rollout_health(body: Object) -> bool:
    """Deployment, StatefulSet: the current generation is observed, updated and available."""
    fits(body, str(body["kind"]))
    updated = _count(body, "updatedReplicas")
    return (
        _observed(body)
        and (_replicas(body) is None or updated >= int32(_replicas(body)))
        and _count(body, "availableReplicas") >= updated
    )


def replica_set_health(body: Object) -> bool:
    """The current generation is observed, and as many are available as are wanted."""
    fits(body, "ReplicaSet")
    wanted = _replicas(body)
    return _observed(body) and (wanted is None or _count(body, "availableReplicas") >= int32(wanted))


def daemon_set_health(body: Object) -> bool:
    """The current generation is observed, and every wanted pod is updated and available."""
    fits(body, "DaemonSet")
    updated = _count(body, "updatedNumberScheduled")
    return (
        _observed(body)
        and updated >= _count(body, "desiredNumberScheduled")
        and _count(body, "numberAvailable") >= updated
    )


def service_health(body: Object) -> bool:
    """A load balancer needs an address, any other Service is healthy."""
    fits(body, "Service")
    return text(dig(body, "spec", "type")) != "LoadBalancer" or _has_address(body)


def ingress_health(body: Object) -> bool:
    """It has an address."""
    fits(body, "Ingress")
    return _has_address(body)


def claim_health(body: Object) -> bool:
    """A PersistentVolumeClaim is bound."""
    fits(body, "PersistentVolumeClaim")
    return text(dig(body, "status", "phase")) == "Bound"


def pod_health(body: Object) -> bool:
    """It has succeeded, or runs and is ready."""
    fits(body, "Pod")
    phase = text(dig(body, "status", "phase"))
    conditions = sequence(dig(body, "status", "conditions"))
    ready = next((item for item in conditions if dig(item, "type") == "Ready"), None)
    return phase == "Succeeded" or (phase == "Running" and dig(ready, "status") == "True")


def disruption_budget_health(body: Object) -> bool:
    """At least as many pods are healthy as are wanted."""
    fits(body, "PodDisruptionBudget")
    return _count(body, "currentHealthy") >= _count(body, "desiredHealthy")


def _observed(body: Object) -> bool:
    observed = integer(dig(body, "status", "observedGeneration")) or 0
    return observed == (integer(dig(body, "metadata", "generation")) or 0)


def _count(body: Object, field: str) -> int:
    return int32(dig(body, "status", field))


def _replicas(body: Object) -> int | None:
    return integer(dig(body, "spec", "replicas"))


def _has_address(body: Object) -> bool:
    entries = sequence(dig(body, "status", "loadBalancer", "ingress"))
    return any(text(dig(entry, "ip")) or text(dig(entry, "hostname")) for entry in entries)
