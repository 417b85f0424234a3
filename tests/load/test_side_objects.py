"""Rebalancers, taint policies and customizations as the model has them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderer.document.values import Object
from renderer.load.admit import admit
from renderer.load.side_objects import customization_of, rebalancer_of, taint_policy_of
from renderer.model.cluster import Taint
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import Identity
from renderer.model.placement import ClusterAffinity
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.taint_policy import ClusterTaintPolicy, MatchCondition
from tests.load.build import document

REBALANCER = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: evening, creationTimestamp: "2024-01-02T03:04:05Z"}
spec:
  workloads:
  - {apiVersion: apps/v1, kind: Deployment, namespace: web, name: frontend}
  - {apiVersion: v1, kind: Node, name: node-1}
"""
TAINTS = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: tired}
spec:
  targetClusters: {clusterNames: [east]}
  addOnConditions: [{conditionType: Ready, operator: In, statusValues: ["False"]}]
  removeOnConditions: [{conditionType: Ready, operator: NotIn, statusValues: ["False"]}]
  taints: [{key: tired, effect: NoSchedule, value: "yes"}]
"""
CUSTOMIZATION = """\
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: widgets}
spec:
  target: {apiVersion: example.io/v1, kind: Widget}
  customizations:
    replicaResource: {luaScript: "x = 1"}
"""


@pytest.mark.parametrize(
    ("text", "read", "expected", "name"),
    [
        pytest.param(
            REBALANCER,
            rebalancer_of,
            WorkloadRebalancer(
                name="evening",
                workloads=(
                    Identity("apps/v1", "Deployment", "web", "frontend"),
                    Identity("v1", "Node", "", "node-1"),
                ),
                created_at="2024-01-02T03:04:05Z",
            ),
            "WorkloadRebalancer evening",
            id="rebalancer",
        ),
        pytest.param(
            TAINTS,
            taint_policy_of,
            ClusterTaintPolicy(
                name="tired",
                target_clusters=ClusterAffinity(cluster_names=("east",)),
                add_on_conditions=(
                    MatchCondition(condition_type="Ready", operator="In", status_values=("False",)),
                ),
                remove_on_conditions=(
                    MatchCondition(condition_type="Ready", operator="NotIn", status_values=("False",)),
                ),
                taints=(Taint(key="tired", effect="NoSchedule", value="yes"),),
            ),
            "ClusterTaintPolicy tired",
            id="taint-policy",
        ),
        pytest.param(
            CUSTOMIZATION,
            customization_of,
            ResourceInterpreterCustomization(
                name="widgets", api_version="example.io/v1", kind="Widget", replica_resource="x = 1"
            ),
            "ResourceInterpreterCustomization widgets",
            id="customization",
        ),
    ],
)
def test_side_objects(text: str, read: Callable[[Object], object], expected: object, name: str) -> None:
    outcome, problems = admit(document(text))
    value = read(outcome.object)
    assert (value, str(value), problems) == (expected, name, ())
