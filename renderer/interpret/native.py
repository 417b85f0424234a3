"""The built-in kinds: which operations each has.

Source: Karmada pkg/resourceinterpreter/default/native.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from renderer.interpret.dependencies import (
    ingress_dependencies,
    of_pod_at,
    service_import_dependencies,
    stateful_set_dependencies,
)
from renderer.interpret.health import (
    claim_health,
    daemon_set_health,
    disruption_budget_health,
    ingress_health,
    pod_health,
    replica_set_health,
    rollout_health,
    service_health,
)
from renderer.interpret.operations import Kind, Layer, Operations
from renderer.interpret.status import (
    autoscaler_status,
    counted,
    disruption_budget_status,
    job_status,
    service_status,
    whole_status,
)
from renderer.interpret.workloads import (
    job_replicas,
    pod_replicas,
    revise_parallelism,
    revise_replicas,
    scaled_replicas,
)

APPS: Final = "apps/v1"
BATCH: Final = "batch/v1"
_TEMPLATE: Final = ("spec", "template", "spec")


# Every kind has a status operation, also those that no layer knows.
ANY_KIND: Final = Operations(status=whole_status)


@cache
def native_layer(*, priority_class: bool = False) -> Layer:
    """The built-in operations; `priority_class` makes requirements carry the priority class."""
    scaled = partial(scaled_replicas, priority_class=priority_class)
    layer: dict[Kind, Operations] = {
        (APPS, "Deployment"): Operations(
            replica=scaled,
            revise=revise_replicas,
            dependencies=of_pod_at(*_TEMPLATE),
            health=rollout_health,
            status=_DEPLOYMENT_STATUS,
        ),
        (APPS, "ReplicaSet"): Operations(
            replica=scaled,
            revise=revise_replicas,
            dependencies=of_pod_at(*_TEMPLATE),
            health=replica_set_health,
            status=_REPLICA_SET_STATUS,
        ),
        (APPS, "StatefulSet"): Operations(
            replica=scaled,
            revise=revise_replicas,
            dependencies=stateful_set_dependencies,
            health=rollout_health,
            status=_STATEFUL_SET_STATUS,
        ),
        (BATCH, "Job"): Operations(
            replica=partial(job_replicas, priority_class=priority_class),
            revise=revise_parallelism,
            dependencies=of_pod_at(*_TEMPLATE),
            status=job_status,
        ),
        ("v1", "Pod"): Operations(
            replica=partial(pod_replicas, priority_class=priority_class),
            dependencies=of_pod_at("spec"),
            health=pod_health,
        ),
    }
    return layer | _OTHER_KINDS


_DEPLOYMENT_STATUS: Final = counted(
    "DeploymentStatus",
    "observedGeneration replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas",
    empty_is_none=True,
)
_REPLICA_SET_STATUS: Final = counted(
    "ReplicaSetStatus",
    "replicas readyReplicas availableReplicas observedGeneration",
    always=("replicas",),
)
_STATEFUL_SET_STATUS: Final = counted(
    "StatefulSetStatus",
    "replicas readyReplicas currentReplicas updatedReplicas availableReplicas",
    always=("replicas", "availableReplicas"),
)
_DAEMON_SET_STATUS: Final = counted(
    "DaemonSetStatus",
    "currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady observedGeneration "
    "updatedNumberScheduled numberAvailable numberUnavailable",
    always=("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"),
)
_OTHER_KINDS: Final[dict[Kind, Operations]] = {
    (APPS, "DaemonSet"): Operations(
        dependencies=of_pod_at(*_TEMPLATE), health=daemon_set_health, status=_DAEMON_SET_STATUS
    ),
    (BATCH, "CronJob"): Operations(dependencies=of_pod_at("spec", "jobTemplate", *_TEMPLATE)),
    ("networking.k8s.io/v1", "Ingress"): Operations(dependencies=ingress_dependencies, health=ingress_health),
    ("multicluster.x-k8s.io/v1alpha1", "ServiceImport"): Operations(dependencies=service_import_dependencies),
    ("v1", "Service"): Operations(health=service_health, status=service_status),
    ("v1", "PersistentVolumeClaim"): Operations(health=claim_health),
    ("autoscaling/v2", "HorizontalPodAutoscaler"): Operations(status=autoscaler_status),
    ("policy/v1", "PodDisruptionBudget"): Operations(
        health=disruption_budget_health, status=disruption_budget_status
    ),
}
