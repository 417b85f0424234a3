"""Replicas of the built-in kinds, read and set."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.interpret import interpret, interpreter
from renderer.interpret.operations import Operations
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import InterpretError
from tests.interpret.build import container, thing, workload

GATES = FeatureGates()
ASK = interpreter(GATES)


@pytest.mark.parametrize(
    ("body", "replicas"),
    [
        pytest.param(workload(replicas=3), 3, id="deployment"),
        pytest.param(workload("StatefulSet", replicas=2.0), 2, id="a-float-without-a-rest"),
        pytest.param(workload("ReplicaSet"), 0, id="absent-is-zero"),
        pytest.param(workload(replicas=None), 0, id="null-is-zero"),
        pytest.param(workload(replicas=2**31), -(2**31), id="wraps-around"),
        pytest.param(workload("Job", parallelism=5), 5, id="parallelism"),
        pytest.param(workload("Job", parallelism=5, completions=2), 2, id="no-more-than-completions"),
        pytest.param(workload("Job", completions=2), 0, id="a-job-without-parallelism"),
        pytest.param(workload("Pod"), 1, id="a-pod-is-one"),
        pytest.param(workload("DaemonSet"), None, id="a-daemon-set-has-none"),
        pytest.param(thing("Deployment", api_version="apps/v1beta1"), None, id="other-versions-have-none"),
    ],
)
def test_replicas(body: Object, replicas: int | None) -> None:
    workload = interpret(body, ASK, GATES).workload
    assert (None if workload is None else workload.replicas) == replicas


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(workload(replicas="3"), id="text"),
        pytest.param(workload(replicas=3.5), id="a-rest"),
        pytest.param(workload(replicas=1, pod={"hostNetwork": "yes"}), id="a-wrong-type-anywhere"),
        pytest.param(workload(pod={"containers": [container(requests={"cpu": "1x"})]}), id="no-quantity"),
    ],
)
def test_a_misfit_is_an_error_of_every_question(body: Object) -> None:
    interpretation = interpret(body, ASK, GATES)
    assert interpretation.workload is None
    assert interpretation.error.startswith("it does not fit Deployment: ")
    assert interpretation.dependencies_error == interpretation.error


def revise(body: Object, replicas: int) -> Object:
    """The object with its replicas set."""
    operation = ASK.of(body).revise
    assert operation is not None
    return operation(body, replicas)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        pytest.param(workload(replicas=3), "replicas", id="deployment"),
        pytest.param(workload("StatefulSet", replicas=3), "replicas", id="stateful-set"),
        pytest.param(workload("Job", parallelism=3), "parallelism", id="job"),
    ],
)
def test_revised(body: Object, field: str) -> None:
    before = repr(body)
    spec = revise(body, 5)["spec"]
    assert isinstance(spec, dict)
    assert spec[field] == 5
    assert repr(body) == before


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(workload(), id="absent"),
        pytest.param(thing("Deployment", api_version="apps/v1"), id="no-spec"),
    ],
)
def test_a_field_that_is_absent_stays_absent(body: Object) -> None:
    assert revise(body, 5) is body


@pytest.mark.parametrize("value", [None, 3.0, "3", True])
def test_a_field_of_another_type_is_an_error(value: Value) -> None:
    with pytest.raises(InterpretError, match=r"spec\.replicas is not a whole number"):
        revise(workload(replicas=value), 5)


def test_a_spec_that_is_no_map_is_an_error() -> None:
    with pytest.raises(InterpretError):
        revise(thing("Deployment", api_version="apps/v1", spec=[]), 5)


def test_the_first_layer_that_has_an_operation_answers() -> None:
    def one(body: Object, replicas: int) -> Object:
        return {"revised": replicas, **body}

    custom = {("apps/v1", "Deployment"): Operations(revise=one)}
    operations = interpreter(GATES, custom).of(workload(replicas=3))
    assert operations.revise is one
    assert operations.replica is ASK.of(workload()).replica


def test_components_come_before_replicas_when_their_gate_is_open() -> None:
    custom = {("apps/v1", "Deployment"): Operations(components=lambda _: ())}
    gates = FeatureGates(multiple_pod_templates_scheduling=True)
    body = workload(replicas=3)
    assert interpret(body, interpreter(gates, custom), gates).workload is None
    assert interpret(body, interpreter(GATES, custom), GATES).workload is not None


def test_the_priority_class_counts_when_its_gate_is_open() -> None:
    gates = FeatureGates(resource_quota_estimate=True)
    body = workload(replicas=1, pod={"priorityClassName": "high", "nodeSelector": {}})
    workload_read = interpret(body, interpreter(gates), gates).workload
    assert workload_read is not None
    assert workload_read.requirements is not None
    assert workload_read.requirements.priority_class_name == "high"
