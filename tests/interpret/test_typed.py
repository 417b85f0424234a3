"""Does an object fit its Kubernetes type?"""

from __future__ import annotations

import pytest

from renderer.document.values import Value
from renderer.interpret.typed import int32, integer, mistake, type_mistake
from tests.interpret.build import thing, workload


@pytest.mark.parametrize(
    ("type_name", "value", "expected"),
    [
        pytest.param("PodSpec", {"hostNetwork": True}, "", id="fits"),
        pytest.param("PodSpec", {"hostNetwork": "yes"}, "hostNetwork is not true or false", id="bool"),
        pytest.param("PodSpec", {"hostNetwork": None}, "", id="null-fits-everything"),
        pytest.param("PodSpec", {"notAField": 1}, "", id="unknown-fields-are-fine"),
        pytest.param("PodSpec", [], "it is not a map", id="map-of-fields"),
        pytest.param("PodSpec", {"priority": 3.0}, "", id="a-float-without-a-rest-is-whole"),
        pytest.param("PodSpec", {"priority": 3.5}, "priority is not a whole number", id="a-rest"),
        pytest.param("PodSpec", {"priority": True}, "priority is not a whole number", id="no-boolean"),
        pytest.param("PodSpec", {"nodeName": 5}, "nodeName is not a string", id="string"),
        pytest.param("PodSpec", {"containers": {}}, "containers is not a list", id="list"),
        pytest.param(
            "PodSpec", {"containers": [{"args": [1]}]}, "containers[0].args[0] is not a string", id="path"
        ),
        pytest.param("PodSpec", {"containers": [None]}, "", id="null-in-a-list"),
        pytest.param("PodSpec", {"nodeSelector": {"a": 1}}, "nodeSelector.a is not a string", id="map"),
        pytest.param("PodSpec", {"nodeSelector": []}, "nodeSelector is not a map", id="no-map"),
        pytest.param("PodSpec", {"overhead": {"cpu": "1x"}}, "overhead.cpu is not a quantity", id="quantity"),
        pytest.param("PodSpec", {"overhead": {"cpu": 0.5}}, "", id="a-number-is-a-quantity"),
        pytest.param("TCPSocketAction", {"port": "http"}, "", id="port-name"),
        pytest.param(
            "TCPSocketAction",
            {"port": 2**31},
            "port is not a whole number or a string",
            id="port-beyond-32-bits",
        ),
        pytest.param("ObjectMeta", {"creationTimestamp": "2024-02-29T23:59:59Z"}, "", id="time"),
        pytest.param("ObjectMeta", {"creationTimestamp": "2024-02-29T23:59:59.5+01:00"}, "", id="offset"),
        pytest.param("ManagedFieldsEntry", {"fieldsV1": [1, "x"]}, "", id="anything"),
    ],
)
def test_mistake(type_name: str, value: Value, expected: str) -> None:
    assert mistake(type_name, value) == expected


@pytest.mark.parametrize(
    "time",
    [
        pytest.param("2023-02-29T00:00:00Z", id="no-such-day"),
        pytest.param("2024-01-01T24:00:00Z", id="no-such-hour"),
        pytest.param("2024-01-01T00:00:00", id="no-zone"),
        pytest.param("2024-01-01 00:00:00Z", id="no-t"),
        pytest.param("2024-01-01T00:00:00+25:00", id="no-such-zone"),
        pytest.param(5, id="a-number"),
        pytest.param("", id="empty"),
    ],
)
def test_what_is_no_time(time: Value) -> None:
    expected = "creationTimestamp is not a time (RFC 3339)"
    assert mistake("ObjectMeta", {"creationTimestamp": time}) == expected


@pytest.mark.parametrize(
    "kind", ["Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "Job", "CronJob", "Pod"]
)
def test_plain_workloads_fit(kind: str) -> None:
    assert type_mistake(workload(kind), kind) == ""


def test_the_kind_is_named() -> None:
    body = thing("Service", spec={"ports": [{"port": "80"}]})
    assert (
        type_mistake(body, "Service") == "it does not fit Service: spec.ports[0].port is not a whole number"
    )


@pytest.mark.parametrize(
    ("value", "number", "wrapped"),
    [
        pytest.param(3, 3, 3, id="integer"),
        pytest.param(3.0, 3, 3, id="float"),
        pytest.param(3.5, None, 0, id="a-rest"),
        pytest.param("3", None, 0, id="text"),
        pytest.param(True, None, 0, id="boolean"),
        pytest.param(None, None, 0, id="null"),
        pytest.param(2**31, 2**31, -(2**31), id="wraps-around"),
    ],
)
def test_numbers(value: Value, number: int | None, wrapped: int) -> None:
    assert integer(value) == number
    assert int32(value) == wrapped
