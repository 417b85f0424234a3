"""What a template depends on."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.dependencies import verified
from renderer.interpret.interpret import interpret, interpreter
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import Dependency, Interpretation, InterpretError
from renderer.model.selectors import LabelSelector, Requirement
from tests.interpret.build import thing, workload

GATES = FeatureGates()


def read(body: Object) -> Interpretation:
    """The interpretation."""
    return interpret(body, interpreter(GATES), GATES)


def names(body: Object) -> list[str]:
    """Kind and name of each dependency."""
    return [f"{item.kind}/{item.name}" for item in read(body).dependencies]


def with_env(*env: Value, **more: Value) -> Object:
    """A pod spec whose one container has an environment."""
    return {"containers": [{"name": "app", "env": list(env), **more}]}


def volumes(*sources: Object) -> Object:
    """A pod spec with volumes."""
    return {"volumes": [{"name": f"v{index}", **source} for index, source in enumerate(sources)]}


SECRET_REF: Object = {"secretRef": {"name": "s"}}


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        pytest.param({}, [], id="none"),
        pytest.param(
            with_env(
                {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}},
                {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
                {"name": "C", "value": "x"},
            ),
            ["ConfigMap/c", "Secret/s"],
            id="env-optional-or-not",
        ),
        pytest.param(
            with_env(
                envFrom=[{"configMapRef": {"name": "c"}}, {"secretRef": {"name": "s"}}, {"configMapRef": {}}]
            ),
            ["ConfigMap/c", "Secret/s"],
            id="env-from-and-no-empty-names",
        ),
        pytest.param(
            {
                "initContainers": [{"name": "i", "envFrom": [{"configMapRef": {"name": "ci"}}]}],
                "ephemeralContainers": [{"name": "e", "envFrom": [{"configMapRef": {"name": "ce"}}]}],
            },
            ["ConfigMap/ce", "ConfigMap/ci"],
            id="init-and-ephemeral-containers",
        ),
        pytest.param(
            {"imagePullSecrets": [{"name": "p"}, {}], "serviceAccountName": "sa"},
            ["Secret/p", "ServiceAccount/sa"],
            id="pull-secrets-and-service-account",
        ),
        pytest.param(
            {"serviceAccountName": "default", "serviceAccount": "old"},
            [],
            id="the-default-account-is-everywhere",
        ),
        pytest.param(
            volumes(
                {"configMap": {"name": "c"}},
                {"secret": {"secretName": "s"}},
                {"persistentVolumeClaim": {"claimName": "p"}},
                {"projected": {"sources": [{"configMap": {"name": "pc"}}, {"secret": {"name": "ps"}}]}},
                {"emptyDir": {}},
            ),
            ["ConfigMap/c", "ConfigMap/pc", "Secret/ps", "Secret/s", "PersistentVolumeClaim/p"],
            id="volumes",
        ),
        pytest.param(
            volumes({"azureFile": {"secretName": "a"}, "secret": {"secretName": "b"}}),
            ["Secret/a"],
            id="only-the-first-source-of-a-volume",
        ),
        pytest.param(
            volumes(
                {"cephfs": {"secretRef": {"name": "ceph"}}},
                {"cinder": {"secretRef": {"name": "cinder"}}},
                {"flexVolume": {"secretRef": {"name": "flex"}}},
                {"rbd": {"secretRef": {"name": "rbd"}}},
                {"scaleIO": {"secretRef": {"name": "scale"}}},
                {"iscsi": {"secretRef": {"name": "iscsi"}}},
                {"storageos": {"secretRef": {"name": "os"}}},
                {"csi": {"nodePublishSecretRef": {"name": "csi"}}},
            ),
            [f"Secret/{name}" for name in ("ceph", "cinder", "csi", "flex", "iscsi", "os", "rbd", "scale")],
            id="secrets-of-volume-drivers",
        ),
        pytest.param(
            volumes({"secret": {"secretName": "s"}}, {"secret": {"secretName": "s"}}),
            ["Secret/s"],
            id="each-once",
        ),
    ],
)
def test_pods(pod: Object, expected: list[str]) -> None:
    for kind in ("Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "Job", "CronJob", "Pod"):
        assert names(workload(kind, pod=pod)) == expected


def test_a_stateful_set_makes_its_own_claims() -> None:
    pod = volumes(
        {"persistentVolumeClaim": {"claimName": "data"}}, {"persistentVolumeClaim": {"claimName": "x"}}
    )
    templates: list[Value] = [{"metadata": {"name": "data"}, "spec": {}}]
    assert names(workload("StatefulSet", pod=pod, volumeClaimTemplates=templates)) == [
        "PersistentVolumeClaim/x"
    ]


def ingress(*tls: Value) -> Object:
    """An Ingress with TLS entries."""
    return thing("Ingress", api_version="networking.k8s.io/v1", spec={"tls": list(tls)})


def test_an_ingress_needs_its_certificates_as_often_as_it_names_them() -> None:
    assert names(ingress({"secretName": "a"}, {"secretName": "a"})) == ["Secret/a", "Secret/a"]


def test_an_ingress_with_a_nameless_certificate_has_no_dependencies_at_all() -> None:
    interpretation = read(ingress({"secretName": "a"}, {"hosts": ["x"]}))
    assert interpretation.dependencies == ()
    assert interpretation.dependencies_error == "dependency 1: a Secret without name or labelSelector"
    assert interpretation.error == ""


def service_import(name: str) -> Object:
    """A ServiceImport."""
    return thing(
        "ServiceImport", api_version="multicluster.x-k8s.io/v1alpha1", metadata={"name": name}, spec={}
    )


def test_a_service_import_needs_the_derived_service_and_its_slices() -> None:
    assert [item.to_json() for item in read(service_import("api")).dependencies] == [
        {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "derived-api"},
        {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "namespace": "shop",
            "labelSelector": {"matchLabels": {"kubernetes.io/service-name": "derived-api"}},
        },
    ]


def test_a_name_too_long_for_a_label_is_an_error() -> None:
    assert read(service_import("a" * 60)).dependencies_error


@pytest.mark.parametrize(
    "item",
    [
        pytest.param(Dependency(api_version="", kind="Secret", name="s"), id="no-api-version"),
        pytest.param(Dependency(api_version="v1", kind="", name="s"), id="no-kind"),
        pytest.param(Dependency(api_version="v1", kind="Secret"), id="nothing-named"),
        pytest.param(
            Dependency(
                api_version="v1",
                kind="Secret",
                label_selector=LabelSelector(match_expressions=(Requirement(key="a", operator="In"),)),
            ),
            id="invalid-selector",
        ),
    ],
)
def test_a_dependency_that_could_not_exist_is_an_error(item: Dependency) -> None:
    with pytest.raises(InterpretError):
        verified((item,))


def test_expressions_are_written_as_karmada_writes_them() -> None:
    expressions = (
        Requirement(key="a", operator="In", values=("x",)),
        Requirement(key="b", operator="Exists"),
    )
    item = Dependency(
        api_version="v1", kind="Secret", label_selector=LabelSelector(match_expressions=expressions)
    )
    assert item.to_json()["labelSelector"] == {
        "matchExpressions": [
            {"key": "a", "operator": "In", "values": ["x"]},
            {"key": "b", "operator": "Exists"},
        ]
    }
