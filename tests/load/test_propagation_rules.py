"""What the validating webhooks have against a propagation policy."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.load.admission import admission
from renderer.load.propagation_rules import check_propagation
from tests.load.build import policy

DIVIDED: Object = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"}
BY_SIZE: Object = {"fieldSelector": {"matchExpressions": [{"key": "size", "operator": "In"}]}}
TERM: Object = {"affinityName": "a", "clusterNames": ["a"]}


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param(
            {"placement": {"clusterAffinity": {}, "clusterAffinities": [TERM]}},
            ["spec.placement"],
            id="both-affinities",
        ),
        pytest.param(
            {"placement": {"clusterAffinity": BY_SIZE}},
            ["spec.placement.clusterAffinity.fieldSelector"],
            id="field-selector-key",
        ),
        pytest.param(
            {"placement": {"clusterAffinities": [{**TERM, **BY_SIZE}]}},
            ["spec.placement.clusterAffinities[0].fieldSelector"],
            id="field-selector-of-a-term",
        ),
        pytest.param(
            {"placement": {"clusterAffinities": [TERM, TERM]}},
            ["spec.placement.clusterAffinities"],
            id="two-terms-of-one-name",
        ),
        pytest.param(
            {"placement": {"clusterAffinities": [{**TERM, "affinityName": "a b"}]}},
            ["spec.placement.clusterAffinities[0]"],
            id="bad-term-name",
        ),
        pytest.param(
            {"placement": {"clusterAffinities": [{**TERM, "overflowAffinities": [{"affinityName": "b"}]}]}},
            ["spec.placement.clusterAffinities[0].overflowAffinities"],
            id="overflow-of-duplicates",
        ),
        pytest.param(
            {
                "placement": {
                    "replicaScheduling": {
                        "replicaSchedulingType": "Divided",
                        "weightPreference": {"staticWeightList": []},
                    },
                    "clusterAffinities": [{**TERM, "overflowAffinities": [{"affinityName": "b"}]}],
                }
            },
            ["spec.placement.clusterAffinities[0].overflowAffinities"],
            id="overflow-of-static-weights",
        ),
        pytest.param(
            {
                "placement": {
                    "replicaScheduling": {
                        "replicaSchedulingType": "Divided",
                        "weightPreference": {"dynamicWeight": "AvailableReplicas"},
                    },
                    "clusterAffinities": [{**TERM, "overflowAffinities": [{"affinityName": "b"}]}],
                }
            },
            [],
            id="overflow-of-dynamic-weights",
        ),
        pytest.param(
            {
                "placement": {
                    "replicaScheduling": DIVIDED,
                    "clusterAffinities": [
                        {"affinityName": "a", "overflowAffinities": [{"affinityName": "b"}]}
                    ],
                }
            },
            ["spec.placement.clusterAffinities[0].overflowAffinities"],
            id="overflow-from-everywhere",
        ),
        pytest.param(
            {
                "placement": {
                    "replicaScheduling": DIVIDED,
                    "clusterAffinities": [
                        {
                            "affinityName": "a",
                            "labelSelector": {},
                            "overflowAffinities": [{"affinityName": "a"}, {"affinityName": "b c"}],
                        }
                    ],
                }
            },
            [
                "spec.placement.clusterAffinities[0].overflowAffinities[0].affinityName",
                "spec.placement.clusterAffinities[0].overflowAffinities[1].affinityName",
            ],
            id="overflow-names",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{"spreadByField": "cluster", "spreadByLabel": "x"}]}},
            ["spec.placement.spreadConstraints[0]"],
            id="two-ways-to-spread",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{"minGroups": -1, "maxGroups": -1}]}},
            ["spec.placement.spreadConstraints[0]"] * 2,
            id="negative-groups",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{"minGroups": 2, "maxGroups": 1}]}},
            ["spec.placement.spreadConstraints[0]"],
            id="less-than-least",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{}, {}, {}]}},
            ["spec.placement.spreadConstraints"],
            id="repetition-told-once",
        ),
        pytest.param(
            {"placement": {"spreadConstraints": [{"spreadByField": "region"}]}},
            ["spec.placement.spreadConstraints"],
            id="regions-without-clusters",
        ),
        pytest.param(
            {
                "placement": {
                    "workloadAffinity": {
                        "affinity": {"groupByLabelKey": "a"},
                        "antiAffinity": {"groupByLabelKey": "a"},
                    }
                }
            },
            ["spec.placement.workloadAffinity"],
            id="together-and-apart",
        ),
        pytest.param(
            {"placement": {"workloadAffinity": {"antiAffinity": {"groupByLabelKey": "a b"}}}},
            ["spec.placement.workloadAffinity.antiAffinity.groupByLabelKey"],
            id="bad-group-key",
        ),
        pytest.param(
            {"placement": {"clusterTolerations": [{"operator": "Exists"}, {"operator": "Gt"}]}},
            ["spec.placement.clusterTolerations[1].operator"],
            id="toleration-operator",
        ),
        pytest.param(
            {"failover": {"application": {"decisionConditions": {}, "purgeMode": "Never"}}},
            ["spec.propagateDeps"],
            id="failover-without-dependencies",
        ),
        pytest.param(
            {
                "propagateDeps": True,
                "failover": {
                    "application": {
                        "decisionConditions": {"tolerationSeconds": -1},
                        "gracePeriodSeconds": 0,
                        "statePreservation": {"rules": [{"aliasLabelName": "a b"}]},
                    }
                },
            },
            [
                "spec.failover.application.decisionConditions.tolerationSeconds",
                "spec.failover.application.gracePeriodSeconds",
                "spec.failover.application.statePreservation.rules[0].aliasLabelName",
            ],
            id="failover-numbers",
        ),
        pytest.param(
            {
                "propagateDeps": True,
                "failover": {
                    "application": {
                        "decisionConditions": {},
                        "purgeMode": "Directly",
                        "gracePeriodSeconds": 1,
                    }
                },
            },
            ["spec.failover.application.gracePeriodSeconds"],
            id="grace-without-graceful",
        ),
        pytest.param(
            {"resourceSelectors": [{"apiVersion": "v1", "kind": "Pod", "namespace": "x"}]},
            ["spec.resourceSelectors[0].namespace"],
            id="foreign-namespace",
        ),
        pytest.param(
            {
                "preemption": "Always",
                "resourceSelectors": [{"apiVersion": "v1", "kind": "Pod", "name": "a"}],
                "placement": {
                    "clusterAffinity": {
                        "fieldSelector": {"matchExpressions": [{"key": "zone", "operator": "In"}]}
                    }
                },
            },
            [],
            id="named-selector-and-known-fact",
        ),
        pytest.param(
            {"preemption": "Always"}, ["spec.resourceSelectors[0].name"], id="preemption-needs-names"
        ),
        pytest.param(
            {"suspension": {"dispatching": True, "dispatchingOnClusters": {"clusterNames": ["a"]}}},
            ["spec.suspension.suspension"],
            id="suspended-twice",
        ),
        pytest.param(
            {"suspension": {"dispatching": True, "dispatchingOnClusters": {}}}, [], id="suspended-once"
        ),
    ],
)
def test_propagation_webhook_refuses(spec: Object, fields: list[str]) -> None:
    outcome = admission(policy(**spec))
    assert [error.field for error in outcome.webhook_errors] == fields
    assert outcome.admitted == (not fields)


def test_a_graceful_removal_needs_a_grace_period() -> None:
    """Admission never gets here: its mutating webhook gives one."""
    failover: Object = {"application": {"decisionConditions": {}, "purgeMode": "Gracefully"}}
    (error,) = check_propagation({"propagateDeps": True, "failover": failover}, "")
    assert error.message == (
        "spec.failover.application.gracePeriodSeconds: Invalid value: null: "
        "should not be empty when purgeMode is gracefully"
    )


@pytest.mark.parametrize("operator", ["Exists", "DoesNotExist", "Gt", ""])
def test_facts_of_clusters_are_only_compared_with_lists(operator: str) -> None:
    selector: Object = {"matchExpressions": [{"key": "zone", "operator": operator}]}
    (error,) = admission(policy(placement={"clusterAffinity": {"fieldSelector": selector}})).webhook_errors
    assert error.detail == f'unsupported operator "{operator}", must be In or NotIn'
