"""Documents of the admitted kinds, from the file to the model."""

from __future__ import annotations

import pytest

from renderer.load.policy_objects import is_policy_object, policy_object_of
from renderer.model.cluster import Taint
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.identity import Identity
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity
from renderer.model.policy import PropagationPolicy
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.model.taint_policy import ClusterTaintPolicy, MatchCondition
from tests.load.build import document, report

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
    ("text", "expected", "name"),
    [
        pytest.param(
            REBALANCER,
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
            ResourceInterpreterCustomization(
                name="widgets", api_version="example.io/v1", kind="Widget", replica_resource="x = 1"
            ),
            "ResourceInterpreterCustomization widgets",
            id="customization",
        ),
    ],
)
def test_side_objects(text: str, expected: object, name: str) -> None:
    read, problems = policy_object_of(document(text))
    assert (read, problems, str(read)) == (expected, (), name)


def test_a_policy_without_namespace_goes_to_the_default_one() -> None:
    text = (
        "apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nmetadata: {name: p}\n"
        "spec: {resourceSelectors: [{apiVersion: v1, kind: Pod}]}\n"
    )
    read, problems = policy_object_of(document(text), namespace="shop")
    assert isinstance(read, PropagationPolicy)
    assert (read.namespace, read.resource_selectors[0].namespace, problems) == ("shop", "shop", ())
    assert read.document is not None


def test_a_quota_is_admitted_and_means_nothing_to_a_render() -> None:
    text = (
        "apiVersion: policy.karmada.io/v1alpha1\nkind: FederatedResourceQuota\n"
        "metadata: {name: q}\nspec: {overall: {cpu: 1}}\n"
    )
    assert policy_object_of(document(text)) == (None, ())


OVERRIDE = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata:
  name: mirror
  annotations: {krender.io/values: VALUE}
spec: {overriders: {}}
"""


def test_the_annotation_makes_values_templates() -> None:
    read, problems = policy_object_of(document(OVERRIDE.replace("VALUE", "jinja2")))
    assert isinstance(read, OverridePolicy)
    assert (read.templated, problems) == (True, ())


def test_another_value_of_the_annotation_is_refused() -> None:
    read, (problem,) = policy_object_of(document(OVERRIDE.replace("VALUE", "jinja"), "p.yaml"))
    assert read is None
    assert report(problem) == (
        'p.yaml:5:17: OverridePolicy default/mirror: the annotation krender.io/values cannot be "jinja"\n'
        "  annotations: {krender.io/values: jinja}\n"
        "why: only Jinja2 expressions are known; the values would be taken literally\n"
        "fix: write jinja2, or remove the annotation"
    )


def test_a_refused_policy_is_none() -> None:
    read, problems = policy_object_of(document(TAINTS.replace("effect: NoSchedule, ", "")))
    assert read is None
    assert [problem.what for problem in problems] == [
        "ClusterTaintPolicy tired: spec.taints[0].effect is missing"
    ]


def test_a_warning_does_not_refuse() -> None:
    read, (problem,) = policy_object_of(
        document(TAINTS.replace("name: tired}", "name: tired, namespace: x}"))
    )
    assert (read is not None, problem.severity) == (True, "warning")


@pytest.mark.parametrize(
    ("api_version", "kind", "known"),
    [
        ("policy.karmada.io/v1alpha1", "OverridePolicy", True),
        ("cluster.karmada.io/v1alpha1", "Cluster", False),
        ("apps/v1", "Deployment", False),
    ],
)
def test_kinds(api_version: str, kind: str, known: bool) -> None:
    assert is_policy_object(api_version, kind) is known
