"""Health of the built-in kinds."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.interpret import interpreter
from renderer.model.gates import FeatureGates
from tests.interpret.build import thing, workload


def with_status(body: Object, **status: Value) -> Object:
    """The object at generation 2, with a status."""
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    return {**body, "metadata": {**metadata, "generation": 2}, "status": status}


DEPLOYMENT = workload(replicas=3)
INGRESS = thing("Ingress", api_version="networking.k8s.io/v1", spec={})
BALANCER = thing("Service", spec={"type": "LoadBalancer"})
BUDGET = thing("PodDisruptionBudget", api_version="policy/v1", spec={})
ADDRESS: Object = {"ingress": [{"ip": "1.1.1.1"}]}


@pytest.mark.parametrize(
    ("body", "healthy"),
    [
        pytest.param(
            with_status(DEPLOYMENT, observedGeneration=2, updatedReplicas=3, availableReplicas=3),
            True,
            id="rolled-out",
        ),
        pytest.param(
            with_status(DEPLOYMENT, observedGeneration=1, updatedReplicas=3, availableReplicas=3),
            False,
            id="an-old-generation",
        ),
        pytest.param(
            with_status(DEPLOYMENT, observedGeneration=2, updatedReplicas=2, availableReplicas=2),
            False,
            id="not-all-updated",
        ),
        pytest.param(
            with_status(DEPLOYMENT, observedGeneration=2, updatedReplicas=3, availableReplicas=2),
            False,
            id="not-all-available",
        ),
        pytest.param(
            with_status(workload("StatefulSet"), observedGeneration=2), True, id="no-replicas-wanted"
        ),
        pytest.param(
            with_status(workload("ReplicaSet", replicas=2), observedGeneration=2, availableReplicas=1),
            False,
            id="replica-set",
        ),
        pytest.param(
            with_status(
                workload("DaemonSet"),
                observedGeneration=2,
                updatedNumberScheduled=2,
                desiredNumberScheduled=3,
            ),
            False,
            id="daemon-set-not-everywhere",
        ),
        pytest.param(
            with_status(
                workload("DaemonSet"),
                observedGeneration=2,
                updatedNumberScheduled=3,
                desiredNumberScheduled=3,
                numberAvailable=3,
            ),
            True,
            id="daemon-set",
        ),
        pytest.param(with_status(thing("Service", spec={})), True, id="a-plain-service"),
        pytest.param(with_status(BALANCER, loadBalancer={}), False, id="a-balancer-without-address"),
        pytest.param(with_status(BALANCER, loadBalancer=ADDRESS), True, id="a-balancer"),
        pytest.param(
            with_status(INGRESS, loadBalancer={"ingress": [{"hostname": "a"}]}),
            True,
            id="ingress-with-a-name",
        ),
        pytest.param(with_status(INGRESS), False, id="ingress-without-address"),
        pytest.param(
            with_status(thing("PersistentVolumeClaim", spec={}), phase="Bound"), True, id="a-bound-claim"
        ),
        pytest.param(with_status(workload("Pod"), phase="Succeeded"), True, id="a-pod-that-is-done"),
        pytest.param(
            with_status(workload("Pod"), phase="Running", conditions=[{"type": "Ready", "status": "True"}]),
            True,
            id="a-ready-pod",
        ),
        pytest.param(with_status(workload("Pod"), phase="Running"), False, id="a-pod-that-is-not-ready"),
        pytest.param(with_status(BUDGET, currentHealthy=1, desiredHealthy=2), False, id="a-budget-exceeded"),
    ],
)
def test_health(body: Object, healthy: bool) -> None:
    operation = interpreter(FeatureGates()).of(body).health
    assert operation is not None
    assert operation(body) is healthy
