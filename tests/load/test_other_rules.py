"""What the validating webhooks have against quotas, taint policies and customizations."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.load.admission import admission
from tests.load.build import POLICY


def quota(**spec: Value) -> Object:
    """A FederatedResourceQuota."""
    metadata = {"name": "q", "namespace": "web"}
    return {"apiVersion": POLICY, "kind": "FederatedResourceQuota", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param(
            {"overall": {"cpu": 1, "memory": "1Gi", "hugepages-2Mi": 1, "count/pods": "2"}}, [], id="fine"
        ),
        pytest.param({"overall": {"foo": 1}}, ["spec.overall[foo]"] * 2, id="unknown-resource"),
        pytest.param({"overall": {"storage": 1}}, ["spec.overall[storage]"], id="resource-without-quota"),
        pytest.param({"overall": {"a b": 1}}, ["spec.overall[a b]"] * 2, id="bad-name"),
        pytest.param({"overall": {"pods": "1500m"}}, ["spec.overall[pods]"], id="half-a-pod"),
        pytest.param(
            {
                "overall": {
                    "nvidia.com/gpu": "500m",
                    "requests.nvidia.com/gpu": "500m",
                    "x.kubernetes.io/y": "500m",
                }
            },
            ["spec.overall[nvidia.com/gpu]"],
            id="half-a-device",
        ),
        pytest.param({"overall": {"cpu": "-1"}}, ["spec.overall[cpu]"] * 2, id="negative"),
        pytest.param(
            {
                "overall": {"cpu": 3},
                "staticAssignments": [
                    {"clusterName": "a", "hard": {"cpu": 2}},
                    {"clusterName": "b", "hard": {"cpu": 2, "memory": 1}},
                ],
            },
            ["spec.overall[cpu]", "spec.staticAssignments[1].hard[memory]"],
            id="more-than-there-is",
        ),
        pytest.param(
            {"overall": {}, "staticAssignments": [{"clusterName": "", "hard": {"pods": None}}]},
            ["spec.staticAssignments[0].clusterName"],
            id="cluster-name",
        ),
    ],
)
def test_quota_webhook_refuses(spec: Object, fields: list[str]) -> None:
    outcome = admission(quota(**spec))
    assert [error.field for error in outcome.denials] == fields
    assert (bool(outcome.denied), outcome.webhook_errors) == (bool(fields), ())


def test_quota_with_a_long_name_is_refused() -> None:
    body = {**quota(overall={}), "metadata": {"name": "q" * 64}}
    assert admission(body).denied.endswith("must be no more than 63 characters")


def test_quota_with_no_quantity_is_refused() -> None:
    outcome = admission(quota(overall={"cpu": "lots"}))
    assert [error.field for error in outcome.schema_errors] == ["spec.overall.cpu"]
    assert outcome.denied.startswith("quantities must match")


def test_a_status_is_not_looked_at() -> None:
    assert admission({**quota(overall={}), "status": {"overall": 1}}).schema_errors == ()


@pytest.mark.parametrize(
    ("taints", "messages"),
    [
        pytest.param([{"key": "a", "effect": "NoSchedule"}], "", id="fine"),
        pytest.param(
            [{"key": "a", "effect": "NoExecute"}],
            "spec.taints[0]: Forbidden: Configuring taint",
            id="no-execute",
        ),
        pytest.param(
            [{"key": "a", "effect": "NoSchedule"}] * 2,
            'spec.taints[0]: Duplicate value: "Duplicate taint',
            id="twice",
        ),
    ],
)
def test_taint_policy_webhook_refuses(taints: Value, messages: str) -> None:
    body: Object = {
        "apiVersion": POLICY,
        "kind": "ClusterTaintPolicy",
        "metadata": {"name": "t"},
        "spec": {"taints": taints},
    }
    assert admission(body).denied.startswith(messages)
    assert admission(body).admitted == (not messages)


def test_no_execute_taints_are_admitted_where_that_is_allowed() -> None:
    body: Object = {
        "apiVersion": POLICY,
        "kind": "ClusterTaintPolicy",
        "metadata": {"name": "t"},
        "spec": {"taints": [{"key": "a", "effect": "NoExecute"}]},
    }
    assert admission(body, allow_no_execute=True).admitted


def customization(name: str = "a", kind: str = "Widget", **scripts: str) -> Object:
    """A ResourceInterpreterCustomization."""
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": name},
        "spec": {
            "target": {"apiVersion": "example.io/v1", "kind": kind},
            "customizations": {rule: {"luaScript": script} for rule, script in scripts.items()},
        },
    }


@pytest.mark.parametrize(
    ("other", "denied"),
    [
        pytest.param(
            customization("b", retention="x = 1"),
            "conflicting with InterpreterOperation(Retain) of existing ResourceInterpreterCustomization(b)",
            id="same-question",
        ),
        pytest.param(customization("a", retention="x = 1"), "", id="itself"),
        pytest.param(customization("b", "Gadget", retention="x = 1"), "", id="other-kind"),
        pytest.param(customization("b", retention=""), "", id="empty-script"),
        pytest.param(customization("b", replicaResource="x = 1"), "", id="other-question"),
        pytest.param(customization("b", dependencyInterpretation="x = 1"), "", id="dependencies-add-up"),
    ],
)
def test_customizations_conflict(other: Object, denied: str) -> None:
    body = customization("a", retention="x = 1", dependencyInterpretation="x = 1")
    assert admission(body, existing=[other]).denied == denied


def test_customization_must_compile() -> None:
    pytest.importorskip("lupa.lua51")
    denied = admission(customization(retention="x = = 1")).denied
    assert denied.startswith("InterpreterOperation(Retain) Lua script error: line 1: ")


def test_rebalancer_needs_workloads() -> None:
    body: Object = {
        "apiVersion": "apps.karmada.io/v1alpha1",
        "kind": "WorkloadRebalancer",
        "metadata": {"name": "r"},
    }
    outcome = admission({**body, "spec": {"workloads": []}})
    assert [error.field for error in outcome.schema_errors] == ["spec.workloads"]
