"""Fields that an object cannot do without."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.misfits import all_types
from renderer.interpret.refused import refused
from renderer.interpret.required import REQUIRED, missing

CONTAINER: Object = {"name": "c", "image": "i"}
TEMPLATE: Object = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [CONTAINER]}}


def deployment(spec: Value) -> Object:
    """A Deployment with this spec."""
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}


def pod(**container: Value) -> Object:
    """A Pod whose container has these fields, too."""
    spec: Object = {"containers": [{**CONTAINER, **container}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(deployment({"selector": {}, "template": TEMPLATE}), [], id="whole"),
        pytest.param(deployment({"template": TEMPLATE}), ["spec.selector"], id="no-selector"),
        pytest.param(
            deployment({"selector": None, "template": TEMPLATE}), ["spec.selector"], id="null-is-none"
        ),
        pytest.param(deployment({}), ["spec.selector", "spec.template"], id="both-are-told"),
        pytest.param(deployment(None), ["spec"], id="what-is-below-is-not-told"),
        pytest.param(deployment([]), [], id="another-type-is-a-misfit"),
        pytest.param(
            pod(env=[{"value": "x"}, {"name": "y"}]), ["spec.containers[0].env[0].name"], id="in-a-list"
        ),
        pytest.param(pod(livenessProbe={"httpGet": {"port": 80}}), [], id="a-path-is-defaulted"),
        pytest.param({**deployment({}), "apiVersion": "example.org/v1"}, [], id="unknown-kind"),
    ],
)
def test_missing(body: Object, expected: list[str]) -> None:
    assert [str(item) for item in missing(body)] == expected


def test_the_table_names_types_and_their_fields() -> None:
    known = all_types()
    assert [
        f"{name}.{field}"
        for name, fields in REQUIRED.items()
        for field in fields
        if field not in known[name].fields
    ] == []


def workload(kind: str, **pod: Value) -> Object:
    """A workload, whole but for these fields of its pods."""
    template: Object = {"spec": {"containers": [CONTAINER], **pod}}
    version = "batch/v1" if "Job" in kind else "apps/v1"
    spec: Object = {"template": template} if kind == "Job" else {"selector": {}, "template": template}
    if kind == "CronJob":
        spec = {"schedule": "@daily", "jobTemplate": {"spec": {"template": template}}}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "w"}, "spec": spec}


def service(*ports: Object) -> Object:
    """A Service with these ports."""
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [*ports]}}


MOUNTS: Object = {**CONTAINER, "volumeMounts": [{"name": "data", "mountPath": "/data"}]}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(workload("Job", restartPolicy="Never"), {}, id="a-job-that-ends"),
        pytest.param(workload("Job"), {"spec.template.spec.restartPolicy": ""}, id="always-by-default"),
        pytest.param(
            workload("CronJob", restartPolicy="Always"),
            {"spec.jobTemplate.spec.template.spec.restartPolicy": '"Never" or "OnFailure"'},
            id="always",
        ),
        pytest.param(workload("Deployment"), {}, id="a-deployment-goes-on"),
        pytest.param(
            workload("Deployment", restartPolicy="Never"),
            {"spec.template.spec.restartPolicy": '"Always"'},
            id="a-deployment-that-ends",
        ),
        pytest.param(
            workload("DaemonSet", containers=[MOUNTS]),
            {"spec.template.spec.containers[0].volumeMounts[0].name": "the name of a volume"},
            id="no-such-volume",
        ),
        pytest.param(
            workload("DaemonSet", containers=[MOUNTS], volumes=[{"name": "data", "emptyDir": {}}]),
            {},
            id="one",
        ),
        pytest.param(workload("StatefulSet", containers=[MOUNTS]), {}, id="a-claim-may-be-a-volume"),
        pytest.param(service({"port": 80}), {}, id="one-port-needs-no-name"),
        pytest.param(
            service({"port": 80, "name": "a"}, {"port": 81}), {"spec.ports[1].name": ""}, id="two-ports-do"
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a b": "", "..a": "", "a.b-c_D": "", "é": ""}},
            {f"data.{key}": "a key of letters, digits, '-', '_' and '.'" for key in ("a b", "..a", "é")},
            id="keys-are-names-of-files",
        ),
        pytest.param({"apiVersion": "x/v1", "kind": "Service", "spec": 7}, {}, id="another-group"),
    ],
)
def test_refused(body: Object, expected: dict[str, str]) -> None:
    assert {str(item): item.wanted for item in refused(body)} == expected
