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
from renderer.interpret.operations import Kind, Layer, Operations
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


@cache
def native_layer(*, priority_class: bool = False) -> Layer:
    """The built-in operations; `priority_class` makes requirements carry the priority class."""
    scaled = partial(scaled_replicas, priority_class=priority_class)
    of_template = of_pod_at(*_TEMPLATE)
    layer: dict[Kind, Operations] = {
        (APPS, "Deployment"): Operations(replica=scaled, revise=revise_replicas, dependencies=of_template),
        (APPS, "ReplicaSet"): Operations(replica=scaled, revise=revise_replicas, dependencies=of_template),
        (APPS, "StatefulSet"): Operations(
            replica=scaled, revise=revise_replicas, dependencies=stateful_set_dependencies
        ),
        (APPS, "DaemonSet"): Operations(dependencies=of_template),
        (BATCH, "Job"): Operations(
            replica=partial(job_replicas, priority_class=priority_class),
            revise=revise_parallelism,
            dependencies=of_template,
        ),
        (BATCH, "CronJob"): Operations(dependencies=of_pod_at("spec", "jobTemplate", *_TEMPLATE)),
        ("v1", "Pod"): Operations(
            replica=partial(pod_replicas, priority_class=priority_class), dependencies=of_pod_at("spec")
        ),
        ("networking.k8s.io/v1", "Ingress"): Operations(dependencies=ingress_dependencies),
        ("multicluster.x-k8s.io/v1alpha1", "ServiceImport"): Operations(
            dependencies=service_import_dependencies
        ),
    }
    return layer
