"""The part of a status that is collected."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.interpret import interpreter
from renderer.interpret.native import ANY_KIND
from renderer.interpret.status import GENERATION
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.interpret.build import thing, workload


def reflect(body: Object) -> Value:
    """The status that is collected."""
    operation = interpreter(FeatureGates()).of(body).over(ANY_KIND).status
    assert operation is not None
    return operation(body)


def generated(body: Object, **status: Value) -> Object:
    """The object at generation 2 made of a template at generation 7."""
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    metadata = {**metadata, "generation": 2, "annotations": {GENERATION: "7"}}
    return {**body, "metadata": metadata, "status": status}


BOTH: Object = {"generation": 2, "resourceTemplateGeneration": 7}
AUTOSCALER = thing("HorizontalPodAutoscaler", api_version="autoscaling/v2")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            generated(workload(), replicas=3, readyReplicas=0, conditions=[]),
            {**BOTH, "replicas": 3},
            id="counters",
        ),
        pytest.param(
            generated(workload("StatefulSet"), observedGeneration=2),
            {**BOTH, "replicas": 0, "availableReplicas": 0},
            id="counters-that-are-kept-at-zero",
        ),
        pytest.param(
            generated(workload("ReplicaSet"), observedGeneration=2),
            {**BOTH, "replicas": 0, "observedGeneration": 2},
            id="replica-set",
        ),
        pytest.param(
            thing("Service", spec={"type": "ClusterIP"}, status={"loadBalancer": {}}),
            None,
            id="a-plain-service",
        ),
        pytest.param(
            thing(
                "Service",
                spec={"type": "LoadBalancer"},
                status={
                    "loadBalancer": {
                        "ingress": [
                            {"ip": "1.1.1.1", "ports": [{"port": 80, "protocol": "TCP", "error": "x"}]}
                        ]
                    }
                },
            ),
            {
                "loadBalancer": {
                    "ingress": [{"ip": "1.1.1.1", "ports": [{"port": 80, "protocol": "TCP", "error": "x"}]}]
                }
            },
            id="a-balancer",
        ),
        pytest.param(
            {**workload("Job"), "status": {"active": 1, "failed": 0, "conditions": [{"type": "Complete"}]}},
            {
                "conditions": [
                    {"type": "Complete", "status": "", "lastProbeTime": None, "lastTransitionTime": None}
                ],
                "active": 1,
            },
            id="job",
        ),
        pytest.param({**workload("Job"), "status": {}}, {}, id="a-job-that-has-not-begun"),
        pytest.param(
            {**AUTOSCALER, "status": {}}, {"desiredReplicas": 0, "currentMetrics": None}, id="autoscaler"
        ),
        pytest.param(
            thing(
                "PodDisruptionBudget",
                api_version="policy/v1",
                status={"currentHealthy": 1, "disruptedPods": {"p": "2024-01-01T00:00:00Z"}},
            ),
            {
                "disruptionsAllowed": 0,
                "currentHealthy": 1,
                "desiredHealthy": 0,
                "expectedPods": 0,
                "disruptedPods": {"p": "2024-01-01T00:00:00Z"},
            },
            id="disruption-budget",
        ),
        pytest.param(thing("Widget", status={"any": [1]}), {"any": [1]}, id="any-other-kind-whole"),
        pytest.param(thing("Widget"), None, id="no-status"),
        *(
            pytest.param(body, None, id=f"no-status-of-{body['kind']}")
            for body in (
                workload(),
                workload("Job"),
                AUTOSCALER,
                thing("PodDisruptionBudget", api_version="policy/v1"),
                thing("Service", spec={"type": "LoadBalancer"}),
            )
        ),
    ],
)
def test_status(body: Object, expected: Value) -> None:
    assert reflect(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({**workload(), "status": {}}, id="no-template-generation"),
        pytest.param(generated(workload(), replicas="3"), id="a-wrong-type"),
        pytest.param(thing("Widget", status=[]), id="no-map"),
    ],
)
def test_errors(body: Object) -> None:
    with pytest.raises(InterpretError):
        reflect(body)
