"""Policy objects as the model has them."""

from __future__ import annotations

import json

import pytest

from renderer.document.values import Object
from renderer.load.overriders import overriders_of
from renderer.load.placement import placement_of
from renderer.load.policies import override_policy_of, propagation_policy_of
from renderer.load.typed import DecodeError
from renderer.model.overrides import (
    CommandArgsOverrider,
    FieldOverrider,
    ImageOverrider,
    LabelAnnotationOverrider,
    Overriders,
    PatchOperation,
    RuleWithCluster,
)
from renderer.model.placement import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterPreferences,
    Placement,
    ReplicaScheduling,
    SpreadConstraint,
    StaticClusterWeight,
    Toleration,
    WorkloadAffinityTerm,
)
from renderer.model.policy import PropagationPolicy, Suspension
from renderer.model.selectors import FieldSelector, LabelSelector, Requirement, ResourceSelector
from tests.load.build import policy

EAST = ClusterAffinity(cluster_names=("east",))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({}, Placement(), id="empty"),
        pytest.param(
            {"clusterAffinity": {}}, Placement(cluster_affinity=ClusterAffinity()), id="empty-affinity-is-one"
        ),
        pytest.param(
            {
                "clusterAffinity": {
                    "labelSelector": {
                        "matchLabels": {"b": "1", "a": "2"},
                        "matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}],
                    },
                    "fieldSelector": {"matchExpressions": [{"key": "zone", "operator": "NotIn"}]},
                    "exclude": ["west"],
                }
            },
            Placement(
                cluster_affinity=ClusterAffinity(
                    label_selector=LabelSelector(
                        match_labels=(("a", "2"), ("b", "1")),
                        match_expressions=(Requirement(key="k", operator="In", values=("v",)),),
                    ),
                    field_selector=FieldSelector(
                        match_expressions=(Requirement(key="zone", operator="NotIn"),)
                    ),
                    exclude=("west",),
                )
            ),
            id="affinity",
        ),
        pytest.param(
            {
                "clusterAffinities": [
                    {
                        "affinityName": "a",
                        "clusterNames": ["east"],
                        "overflowAffinities": [{"affinityName": "b", "clusterNames": ["east"]}],
                    }
                ]
            },
            Placement(
                cluster_affinities=(
                    ClusterAffinityTerm(
                        affinity_name="a",
                        affinity=EAST,
                        overflow_affinities=(
                            ClusterAffinityTerm(
                                affinity_name="b",
                                affinity=EAST,
                                raw={"affinityName": "b", "clusterNames": ["east"]},
                            ),
                        ),
                    ),
                )
            ),
            id="terms",
        ),
        pytest.param(
            {
                "clusterTolerations": [
                    {"key": "a", "operator": "Exists", "tolerationSeconds": 0},
                    {"value": "v", "effect": "NoExecute"},
                ]
            },
            Placement(
                cluster_tolerations=(
                    Toleration(key="a", operator="Exists", toleration_seconds=0),
                    Toleration(value="v", effect="NoExecute"),
                )
            ),
            id="tolerations",
        ),
        pytest.param(
            {
                "spreadConstraints": [
                    {"spreadByField": "zone", "spreadByLabel": "l", "minGroups": 1, "maxGroups": 2},
                    None,
                ]
            },
            Placement(
                spread_constraints=(
                    SpreadConstraint(spread_by_field="zone", spread_by_label="l", min_groups=1, max_groups=2),
                    SpreadConstraint(),
                )
            ),
            id="spread",
        ),
        pytest.param(
            {
                "replicaScheduling": {
                    "replicaSchedulingType": "Divided",
                    "replicaDivisionPreference": "Weighted",
                    "weightPreference": {
                        "staticWeightList": [{"targetCluster": {"clusterNames": ["east"]}, "weight": 3}],
                        "dynamicWeight": "AvailableReplicas",
                    },
                }
            },
            Placement(
                replica_scheduling=ReplicaScheduling(
                    replica_scheduling_type="Divided",
                    replica_division_preference="Weighted",
                    weight_preference=ClusterPreferences(
                        static_weight_list=(StaticClusterWeight(target_cluster=EAST, weight=3),),
                        dynamic_weight="AvailableReplicas",
                    ),
                )
            ),
            id="weights",
        ),
        pytest.param(
            {"replicaScheduling": {}}, Placement(replica_scheduling=ReplicaScheduling()), id="no-weights"
        ),
        pytest.param(
            {"replicaScheduling": {"weightPreference": {}}},
            Placement(replica_scheduling=ReplicaScheduling(weight_preference=ClusterPreferences())),
            id="empty-weights-are-some",
        ),
        pytest.param(
            {
                "workloadAffinity": {
                    "affinity": {"groupByLabelKey": "a"},
                    "antiAffinity": {"groupByLabelKey": "b"},
                }
            },
            Placement(
                workload_affinity=WorkloadAffinityTerm(group_by_label_key="a"),
                workload_anti_affinity=WorkloadAffinityTerm(group_by_label_key="b"),
            ),
            id="workload-affinity",
        ),
    ],
)
def test_placement(value: Object, expected: Placement) -> None:
    assert placement_of(value) == expected


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        pytest.param({"clusterAffinities": [], "clusterAffinity": None}, "{}", id="empty-lists-and-nulls-go"),
        pytest.param(
            {"spreadConstraints": [{"minGroups": 1, "maxGroups": 0, "spreadByField": "zone"}]},
            '{"spreadConstraints": [{"spreadByField": "zone", "minGroups": 1}]}',
            id="zeros-go-and-order-is-karmadas",
        ),
        pytest.param(
            {"clusterAffinity": {"exclude": [], "labelSelector": {"matchLabels": {}}}},
            '{"clusterAffinity": {"labelSelector": {}}}',
            id="an-empty-selector-stays",
        ),
        pytest.param(
            {"replicaScheduling": {"weightPreference": {"staticWeightList": [{"weight": 1.0}]}}},
            '{"replicaScheduling": {"weightPreference": {"staticWeightList": '
            '[{"targetCluster": {}, "weight": 1}]}}}',
            id="required-fields-appear",
        ),
    ],
)
def test_raw_placement_is_karmadas_json(value: Object, raw: str) -> None:
    assert json.dumps(placement_of(value).raw) == raw


def test_raw_term_is_karmadas_json() -> None:
    (term,) = placement_of({"clusterAffinities": [{"exclude": [], "affinityName": "a"}]}).cluster_affinities
    assert term.raw == {"affinityName": "a"}


def test_a_placement_of_wrong_types_cannot_be_read() -> None:
    with pytest.raises(DecodeError):
        placement_of({"clusterAffinity": []})


def test_propagation_policy() -> None:
    body = policy(
        priority=2,
        propagateDeps=True,
        conflictResolution="Overwrite",
        preserveResourcesOnDeletion=False,
        suspension={"dispatching": True, "dispatchingOnClusters": {"clusterNames": ["east"]}},
        schedulerName="mine",
        dependentOverrides=["o"],
        activationPreference="Lazy",
        preemption="Always",
        schedulePriority={"priorityClassSource": "KubePriorityClass", "priorityClassName": "high"},
        placement={"clusterAffinity": {"clusterNames": ["east"]}},
    )
    assert propagation_policy_of(body) == PropagationPolicy(
        name="frontend",
        namespace="web",
        resource_selectors=(ResourceSelector(api_version="apps/v1", kind="Deployment"),),
        placement=Placement(cluster_affinity=EAST),
        priority=2,
        propagate_deps=True,
        conflict_resolution="Overwrite",
        preserve_resources_on_deletion=False,
        suspension=Suspension(dispatching=True, dispatching_on_clusters=("east",)),
        scheduler_name="mine",
        dependent_overrides=("o",),
        activation_preference="Lazy",
        preemption="Always",
        priority_class_name="high",
    )


def test_propagation_policy_that_was_never_admitted_has_defaults() -> None:
    expected = PropagationPolicy(
        name="frontend", resource_selectors=(ResourceSelector(api_version="apps/v1", kind="Deployment"),)
    )
    assert propagation_policy_of(policy("ClusterPropagationPolicy")) == expected


def test_a_policy_with_a_deletion_time_is_being_deleted() -> None:
    body = {**policy(), "metadata": {"name": "p", "deletionTimestamp": "2024-01-01T00:00:00Z"}}
    assert propagation_policy_of(body).deleting


def test_resource_selectors() -> None:
    selector: Object = {
        "apiVersion": "v1",
        "kind": "Pod",
        "namespace": "web",
        "name": "a",
        "labelSelector": {},
    }
    (read,) = propagation_policy_of(policy(resourceSelectors=[selector])).resource_selectors
    assert read == ResourceSelector(
        api_version="v1", kind="Pod", namespace="web", name="a", label_selector=LabelSelector()
    )


OVERRIDERS: Object = {
    "fieldOverrider": [{"fieldPath": "/f", "yaml": [{"subPath": "/y", "operator": "remove"}]}],
    "plaintext": [
        {"path": "/a", "operator": "add", "value": {"b": [{"d": 1, "c": 2}], "a": 1}},
        {"path": "/b", "operator": "add", "value": None},
    ],
    "imageOverrider": [
        {"component": "Tag", "operator": "replace", "value": "1", "predicate": {"path": "/p"}}
    ],
    "commandOverrider": [{"containerName": "c", "operator": "add", "value": ["x"]}],
    "argsOverrider": [{"containerName": "c", "operator": "remove"}],
    "labelsOverrider": [{"operator": "add", "value": {"b": "2", "a": "1"}}],
    "annotationsOverrider": [],
}


def test_overriders() -> None:
    assert overriders_of(OVERRIDERS) == Overriders(
        image_overrider=(
            ImageOverrider(component="Tag", operator="replace", value="1", predicate_path="/p"),
        ),
        command_overrider=(CommandArgsOverrider(container_name="c", operator="add", value=("x",)),),
        args_overrider=(CommandArgsOverrider(container_name="c", operator="remove"),),
        labels_overrider=(LabelAnnotationOverrider(operator="add", value=(("a", "1"), ("b", "2"))),),
        field_overrider=(
            FieldOverrider(field_path="/f", yaml=(PatchOperation(path="/y", operator="remove"),)),
        ),
        plaintext=(
            PatchOperation(
                path="/a", operator="add", value={"b": [{"d": 1, "c": 2}], "a": 1}, has_value=True
            ),
            PatchOperation(path="/b", operator="add"),
        ),
    )


def test_raw_overriders_are_what_karmada_records() -> None:
    assert json.dumps(overriders_of(OVERRIDERS).raw, separators=(",", ":")) == (
        '{"plaintext":[{"path":"/a","operator":"add","value":{"a":1,"b":[{"c":2,"d":1}]}},'
        '{"path":"/b","operator":"add","value":null}],'
        '"imageOverrider":[{"predicate":{"path":"/p"},"component":"Tag","operator":"replace","value":"1"}],'
        '"commandOverrider":[{"containerName":"c","operator":"add","value":["x"]}],'
        '"argsOverrider":[{"containerName":"c","operator":"remove"}],'
        '"labelsOverrider":[{"operator":"add","value":{"a":"1","b":"2"}}],'
        '"fieldOverrider":[{"fieldPath":"/f","yaml":[{"subPath":"/y","operator":"remove","value":null}]}]}'
    )


def test_an_image_overrider_without_predicate_has_none() -> None:
    (image,) = overriders_of({"imageOverrider": [{"component": "Tag", "operator": "remove"}]}).image_overrider
    assert image.predicate_path is None


@pytest.mark.parametrize(
    ("spec", "rules"),
    [
        pytest.param(
            {
                "overrideRules": [
                    {"overriders": {}},
                    {"targetCluster": {"clusterNames": ["east"]}, "overriders": {}},
                ]
            },
            (
                RuleWithCluster(pointer="/spec/overrideRules/0/overriders"),
                RuleWithCluster(target_cluster=EAST, pointer="/spec/overrideRules/1/overriders"),
            ),
            id="rules",
        ),
        pytest.param(
            {"targetCluster": {"clusterNames": ["east"]}, "overriders": {}},
            (RuleWithCluster(target_cluster=EAST, pointer="/spec/overriders"),),
            id="legacy-pair-is-one-rule",
        ),
        pytest.param(
            {"overrideRules": []}, (RuleWithCluster(pointer="/spec/overriders"),), id="no-rules-are-one"
        ),
    ],
)
def test_override_rules(spec: Object, rules: tuple[RuleWithCluster, ...]) -> None:
    assert override_policy_of(policy("OverridePolicy", **spec)).rules == rules


def test_override_policy() -> None:
    body = policy("OverridePolicy", resourceSelectors=[{"apiVersion": "v1", "kind": "Pod"}])
    read = override_policy_of(body)
    assert (read.name, read.namespace, read.templated) == ("frontend", "web", False)
    assert read.resource_selectors == (ResourceSelector(api_version="v1", kind="Pod"),)


def test_values_of_an_annotated_policy_are_templates() -> None:
    metadata: Object = {"name": "o", "annotations": {"krender.io/values": "jinja2"}}
    assert override_policy_of({**policy("OverridePolicy"), "metadata": metadata}).templated
