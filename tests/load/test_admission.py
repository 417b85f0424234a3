"""The way of an object through a live API server."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Object, Value, dig, sequence
from renderer.load.admission import admission
from renderer.load.objectmeta import check_metadata
from renderer.load.shape import value_at
from tests.load.build import POLICY, policy

DEFAULTS: Mapping[str, Value] = {
    "placement": {},
    "priority": 0,
    "preemption": "Never",
    "schedulerName": "default-scheduler",
    "conflictResolution": "Abort",
}


@pytest.mark.parametrize(
    ("spec", "changes"),
    [
        pytest.param({}, {}, id="defaults"),
        pytest.param({"priority": None}, {}, id="null-is-absent"),
        pytest.param({"preemption": ""}, {}, id="empty-word-is-absent"),
        pytest.param({"propagateDeps": False}, {}, id="false-is-absent"),
        pytest.param(
            {"preserveResourcesOnDeletion": False},
            {"preserveResourcesOnDeletion": False},
            id="false-of-three-values-stays",
        ),
        pytest.param({"placement": {"clusterAffinities": []}}, {}, id="empty-list-is-absent"),
        pytest.param(
            {"placement": {"replicaScheduling": {}}},
            {
                "placement": {
                    "replicaScheduling": {
                        "replicaSchedulingType": "Divided",
                        "replicaDivisionPreference": "Weighted",
                    }
                }
            },
            id="empty-replica-scheduling-divides-by-weight",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{}, {"spreadByLabel": "x", "minGroups": 2}]}},
            {
                "placement": {
                    "spreadConstraints": [
                        {"spreadByField": "cluster", "minGroups": 1},
                        {"spreadByLabel": "x", "minGroups": 2},
                    ]
                }
            },
            id="spread-constraints-count-clusters",
        ),
        pytest.param(
            {"propagateDeps": True, "failover": {"application": {"decisionConditions": {}}}},
            {
                "propagateDeps": True,
                "failover": {
                    "application": {
                        "decisionConditions": {"tolerationSeconds": 300},
                        "purgeMode": "Gracefully",
                        "gracePeriodSeconds": 600,
                    }
                },
            },
            id="application-failover",
        ),
        pytest.param(
            {"failover": {"cluster": {}}},
            {"failover": {"cluster": {"purgeMode": "Gracefully"}}},
            id="cluster-failover",
        ),
        pytest.param({"priority": 2.0}, {"priority": 2}, id="whole-float"),
    ],
)
def test_propagation_policy_is_defaulted(spec: Object, changes: Object) -> None:
    outcome = admission(policy(**spec), permanent_id="id")
    selectors = [{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "web"}]
    assert outcome.admitted
    assert outcome.object == {
        "apiVersion": POLICY,
        "kind": "PropagationPolicy",
        "metadata": {
            "name": "frontend",
            "namespace": "web",
            "labels": {"propagationpolicy.karmada.io/permanent-id": "id"},
            "finalizers": ["karmada.io/propagation-policy-controller"],
        },
        "spec": {"resourceSelectors": selectors, **DEFAULTS, **changes},
    }


def test_cluster_policy_keeps_its_selectors_and_has_no_namespace() -> None:
    body = {**policy("ClusterPropagationPolicy"), "metadata": {"name": "p", "namespace": "web"}}
    outcome = admission(body)
    assert dig(outcome.object, "metadata", "namespace") is None
    assert dig(outcome.object, "spec", "resourceSelectors") == [
        {"apiVersion": "apps/v1", "kind": "Deployment"}
    ]
    assert dig(outcome.object, "metadata", "finalizers") == [
        "karmada.io/cluster-propagation-policy-controller"
    ]


def test_service_imports_bring_their_dependencies() -> None:
    selector = {"apiVersion": "multicluster.x-k8s.io/v1alpha1", "kind": "ServiceImport"}
    assert dig(admission(policy(resourceSelectors=[selector])).object, "spec", "propagateDeps") is True


def test_permanent_id_follows_from_identity() -> None:
    label = "propagationpolicy.karmada.io/permanent-id"
    first, again = (dig(admission(policy()).object, "metadata", "labels", label) for _ in range(2))
    other = dig(admission({**policy(), "metadata": {"name": "x"}}).object, "metadata", "labels", label)
    assert first == again != other


def test_a_finalizer_is_added_once() -> None:
    finalizer = "karmada.io/propagation-policy-controller"
    body = {**policy(), "metadata": {"name": "p", "finalizers": [finalizer]}}
    assert dig(admission(body).object, "metadata", "finalizers") == [finalizer]


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        pytest.param("OverridePolicy", {}, {"overriders": {}}, id="override-policy-gets-overriders"),
        pytest.param("OverridePolicy", {"overrideRules": []}, {"overriders": {}}, id="no-rules-are-absent"),
        pytest.param(
            "OverridePolicy",
            {"overrideRules": [{}]},
            {"overriders": {}, "overrideRules": [{"overriders": {}}]},
            id="rule-gets-overriders",
        ),
        pytest.param("ClusterOverridePolicy", {}, {}, id="cluster-override-policy-stays"),
        pytest.param(
            "ClusterOverridePolicy", {"overrideRules": []}, {"overrideRules": []}, id="no-rules-stay"
        ),
    ],
)
def test_override_policy_is_written_back(kind: str, spec: Object, expected: Object) -> None:
    outcome = admission(policy(kind, **spec))
    assert (outcome.admitted, outcome.object["spec"]) == (True, expected)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param({"resourceSelectors": None}, ["spec.resourceSelectors"], id="no-selectors"),
        pytest.param({"resourceSelectors": []}, ["spec.resourceSelectors"], id="empty-selectors"),
        pytest.param({"preemption": "always"}, ["spec.preemption"], id="wrong-word"),
        pytest.param(
            {"placement": {"spreadConstraints": [{"minGroups": 1.5}]}},
            ["<nil>", "spec.placement.spreadConstraints[0].minGroups"],
            id="fraction",
        ),
        pytest.param(
            {"schedulePriority": {}}, ["spec.schedulePriority.priorityClassSource"], id="no-class-source"
        ),
        pytest.param(
            {"placement": {"clusterAffinities": [{}]}},
            ["spec.placement.clusterAffinities[0].affinityName"],
            id="no-affinity-name",
        ),
        pytest.param({"priority": 2**40}, ["<nil>"], id="beyond-32-bits"),
    ],
)
def test_schema_refuses(spec: Object, fields: list[str]) -> None:
    outcome = admission(policy(**spec))
    assert (outcome.admitted, [error.field for error in outcome.schema_errors]) == (False, fields)


@pytest.mark.parametrize(
    ("metadata", "fields"),
    [
        pytest.param({}, ["metadata.name"], id="no-name"),
        pytest.param({"generateName": "a-"}, ["metadata.name"], id="generated-name"),
        pytest.param({"generateName": "AB-", "name": "a"}, ["metadata.generateName"], id="bad-prefix"),
        pytest.param({"name": "A"}, ["metadata.name"], id="bad-name"),
        pytest.param({"name": "a", "namespace": "a.b"}, ["metadata.namespace"], id="bad-namespace"),
        pytest.param({"name": "a", "generation": -1}, ["metadata.generation"], id="negative-generation"),
        pytest.param({"name": "a", "labels": {"a b": "c d"}}, ["metadata.labels"] * 2, id="labels"),
        pytest.param({"name": "a", "annotations": {"a b": ""}}, ["metadata.annotations"], id="annotations"),
        pytest.param(
            {"name": "a", "finalizers": ["a b", "orphan", "foregroundDeletion"]},
            ["metadata.finalizers"] * 2,
            id="finalizers",
        ),
        pytest.param(
            {"name": "a", "ownerReferences": [{}]},
            [f"metadata.ownerReferences.{key}" for key in ("apiVersion", "kind", "name", "uid")],
            id="empty-owner",
        ),
        pytest.param(
            {
                "name": "a",
                "ownerReferences": [
                    {"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "u", "controller": True},
                    {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": True},
                ],
            },
            ["metadata.ownerReferences"] * 2,
            id="two-controllers-one-banned",
        ),
        pytest.param({"name": "a", "labels": {}, "annotations": {"Ex.io/A": None}}, [], id="fine"),
    ],
)
def test_metadata(metadata: Object, fields: list[str]) -> None:
    outcome = admission(
        {**policy(resourceSelectors=[{"kind": "Pod", "apiVersion": "v1"}]), "metadata": metadata}
    )
    assert [error.field for error in outcome.schema_errors] == fields


def test_a_cluster_kind_cannot_have_a_namespace() -> None:
    (error,) = check_metadata({"name": "a", "namespace": "b"}, namespaced=False)
    assert error.message == "metadata.namespace: Forbidden: not allowed on this type"


def test_a_namespaced_kind_needs_a_namespace() -> None:
    (error,) = check_metadata({"name": "a"}, namespaced=True)
    assert error.message == "metadata.namespace: Required value"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param({"kind": "Policy"}, 'no matches for kind "Policy" in version ""', id="unknown-kind"),
        pytest.param(
            {**policy(), "apiVersion": "policy.karmada.io/v1"},
            'no matches for kind "PropagationPolicy" in version "policy.karmada.io/v1"',
            id="unknown-version",
        ),
        pytest.param(
            {**policy(), "metadata": {"name": 1}},
            "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string",
            id="wrong-type",
        ),
        pytest.param(
            {**policy(), "metadata": "x"},
            "json: cannot unmarshal string into Go value of type v1.ObjectMeta",
            id="no-map",
        ),
    ],
)
def test_what_cannot_be_decoded(body: Object, text: str) -> None:
    outcome = admission(body)
    assert (outcome.admitted, outcome.decode_error) == (False, text)


def test_a_wrong_type_stops_the_mutating_webhook() -> None:
    outcome = admission(policy(priority="1"))
    assert (
        outcome.mutate_error
        == "json: cannot unmarshal string into Go struct field PropagationSpec.spec.priority of type int32"
    )
    assert [error.field for error in outcome.schema_errors] == ["spec.priority"]
    assert dig(outcome.object, "metadata", "labels") is None


def test_a_wrong_type_stops_the_validating_webhook_of_cluster_override_policies() -> None:
    outcome = admission(policy("ClusterOverridePolicy", targetCluster=1))
    place = "Go struct field OverrideSpec.spec.targetCluster of type v1alpha1.ClusterAffinity"
    assert outcome.denied == f"json: cannot unmarshal number into {place}"
    assert (outcome.webhook_errors, outcome.admitted) == ((), False)


def test_whole_numbers_are_written_without_a_point() -> None:
    plaintext: Value = [{"path": "/a", "operator": "add", "value": [1.0, 1.5, 2**70]}]
    outcome = admission(policy("ClusterOverridePolicy", overriders={"plaintext": plaintext}))
    value = sequence(value_at(outcome.object, "/spec/overriders/plaintext/0/value"))
    assert [type(item) for item in value] == [int, float, int]


def test_unknown_fields_alone_refuse_nothing() -> None:
    body = {**policy(x=1), "status": {}, "metadata": {"name": "a", "uidd": ""}}
    outcome = admission(body)
    assert (outcome.admitted, outcome.unknown_fields) == (True, ("metadata.uidd", "spec.x", "status"))


def test_several_errors_are_one_text() -> None:
    outcome = admission(policy(placement={"clusterTolerations": [{"operator": "Gt"}]}, preemption="Always"))
    assert outcome.denied == (
        '[spec.placement.clusterTolerations[0].operator: Unsupported value: "Gt": '
        'supported values: "", "Exists", "Equal", spec.resourceSelectors[0].name: Invalid value: "": '
        "name cannot be empty if preemption is Always, the empty name may cause unexpected resources "
        "preemption]"
    )


_SPECS = st.fixed_dictionaries(
    {},
    optional={
        "priority": st.one_of(st.none(), st.integers(-1, 1)),
        "propagateDeps": st.booleans(),
        "placement": st.fixed_dictionaries(
            {},
            optional={
                "clusterAffinity": st.just({}),
                "spreadConstraints": st.lists(
                    st.fixed_dictionaries({}, optional={"minGroups": st.integers(0, 2)})
                ),
                "replicaScheduling": st.just({}),
            },
        ),
    },
)


@given(_SPECS)
def test_what_is_admitted_is_admitted_again_unchanged(spec: Object) -> None:
    once = admission(policy(**spec), permanent_id="id")
    again = admission(once.object, permanent_id="id")
    assert (again.object, again.admitted) == (once.object, once.admitted)
