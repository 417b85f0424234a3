"""Leaving out what a server wrote."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.prune import prune
from renderer.model.interpretation import InterpretError
from tests.interpret.build import thing, workload

UID_LABELS: Object = {
    "controller-uid": "u",
    "job-name": "j",
    "batch.kubernetes.io/controller-uid": "u",
    "batch.kubernetes.io/job-name": "j",
    "keep": "1",
}


def job(**spec: Value) -> Object:
    """A Job with the labels and the selector that a server gives it."""
    template: Object = {"metadata": {"labels": UID_LABELS}, "spec": {"containers": []}}
    return thing(
        "Job",
        api_version="batch/v1",
        spec={
            "template": template,
            "selector": {"matchLabels": UID_LABELS},
            "ttlSecondsAfterFinished": 5,
            **spec,
        },
    )


def test_server_metadata_and_status_go_and_the_rest_stays() -> None:
    metadata: Object = {
        "creationTimestamp": None,
        "deletionTimestamp": "x",
        "deletionGracePeriodSeconds": 3,
        "generation": 2,
        "managedFields": [],
        "resourceVersion": "7",
        "selfLink": "/x",
        "uid": "u",
        "ownerReferences": [],
        "finalizers": [],
        "generateName": "web-",
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
    }
    body = thing("ConfigMap", metadata=metadata, data={"a": "b"}, status={"phase": "x"})
    assert prune(body) == thing(
        "ConfigMap",
        metadata={"generateName": "web-", "annotations": metadata["annotations"]},
        data={"a": "b"},
    )


def test_what_needs_no_pruning_is_shared() -> None:
    body = thing("ConfigMap", data={"a": "b"})
    assert prune(body) is body


def test_metadata_that_is_no_map_is_left() -> None:
    body: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": None}
    assert prune(body) == body


def test_a_deployment_loses_its_revisions_whatever_its_group() -> None:
    annotations: Object = {
        "deployment.kubernetes.io/revision": "3",
        "deployment.kubernetes.io/revision-history": "1",
        "keep": "v",
    }
    for api_version in ("apps/v1", "apps.example.io/v9"):
        body = thing("Deployment", api_version=api_version, metadata={"annotations": annotations})
        expected = thing("Deployment", api_version=api_version, metadata={"annotations": {"keep": "v"}})
        assert prune(body) == expected


def test_a_job_loses_what_its_controller_wrote() -> None:
    spec = prune(job())["spec"]
    assert spec == {
        "template": {"metadata": {"labels": {"keep": "1"}}, "spec": {"containers": []}},
        "selector": {"matchLabels": {"job-name": "j", "batch.kubernetes.io/job-name": "j", "keep": "1"}},
    }


def test_a_job_with_a_manual_selector_keeps_its_labels() -> None:
    body = job(manualSelector=True)
    spec, original = prune(body)["spec"], body["spec"]
    assert isinstance(original, dict)
    assert spec == {key: value for key, value in original.items() if key != "ttlSecondsAfterFinished"}


def test_a_job_without_labels_is_pruned() -> None:
    body = workload("Job", parallelism=1)
    assert prune(body) == body


def test_emptied_maps_stay() -> None:
    body = thing("Job", api_version="batch/v1", spec={"selector": {"matchLabels": {"controller-uid": "u"}}})
    assert prune(body)["spec"] == {"selector": {"matchLabels": {}}}


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({"parallelism": "x"}, id="it-does-not-fit-its-type"),
        pytest.param({"selector": {"matchLabels": {"a": None}}}, id="a-label-that-is-null"),
        pytest.param({"selector": {"matchLabels": None}}, id="labels-that-are-null"),
    ],
)
def test_a_job_that_cannot_be_read_is_an_error(spec: Object) -> None:
    with pytest.raises(InterpretError):
        prune(thing("Job", api_version="batch.volcano.sh/v1alpha1", spec=spec))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}, {}, id="an-address"),
        pytest.param({"clusterIP": "", "ports": []}, {"ports": []}, id="an-empty-one"),
        pytest.param({"clusterIP": "None"}, {"clusterIP": "None"}, id="headless-stays"),
        pytest.param({"clusterIPs": ["10.0.0.1"]}, {"clusterIPs": ["10.0.0.1"]}, id="the-list-alone-stays"),
        pytest.param({"clusterIP": 5}, {"clusterIP": 5}, id="no-text-stays"),
    ],
)
def test_services(spec: Object, expected: Object) -> None:
    assert prune(thing("Service", spec=spec)) == thing("Service", spec=expected)


def test_a_token_secret_gets_null_data() -> None:
    annotations: Object = {"kubernetes.io/service-account.uid": "u", "keep": "v"}
    token = "kubernetes.io/service-account-token"
    body = thing("Secret", type=token, metadata={"annotations": annotations})
    assert prune(body) == thing("Secret", type=token, metadata={"annotations": {"keep": "v"}}, data=None)
    plain = thing("Secret", type="Opaque", metadata={"annotations": annotations}, data={"a": "b"})
    assert prune(plain) is plain


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(["web-token-1"], [], id="one"),
        pytest.param(["web-token-1", "web-token-2"], ["web-token-2"], id="the-next-one-is-stepped-over"),
        pytest.param(["web-token-1", "web-token-2", "web-token-3"], ["web-token-2"], id="three"),
        pytest.param(["api-token-1"], ["api-token-1"], id="of-another-account"),
    ],
)
def test_service_accounts(before: list[str], after: list[str]) -> None:
    body = thing("ServiceAccount", secrets=[{"name": name} for name in before])
    assert prune(body) == thing("ServiceAccount", secrets=[{"name": name} for name in after])


@pytest.mark.parametrize("entry", ["text", {}, {"name": 5}])
def test_a_secret_without_a_name_is_an_error(entry: Value) -> None:
    with pytest.raises(InterpretError):
        prune(thing("ServiceAccount", secrets=[entry]))


@pytest.mark.parametrize(("node", "kept"), [("node-1", {}), ("", {"volume.kubernetes.io/selected-node": ""})])
def test_a_claim_loses_the_node_chosen_for_it(node: str, kept: Object) -> None:
    annotations: Object = {"volume.kubernetes.io/selected-node": node}
    body = thing("PersistentVolumeClaim", metadata={"annotations": annotations})
    assert prune(body) == thing("PersistentVolumeClaim", metadata={"annotations": kept})
