"""From a claimed template to its binding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.values import Object
from renderer.interpret.binding import binding_spec, build_binding, priority_values
from renderer.interpret.interpret import interpret, interpreter
from renderer.model.binding import (
    Binding,
    BindingSnapshot,
    Component,
    GracefulEvictionTask,
    ReplicaRequirements,
    TargetCluster,
    binding_name,
)
from renderer.model.gates import FeatureGates
from renderer.model.identity import identity_of, labels_of
from renderer.model.interpretation import Interpretation, InterpretError
from renderer.model.placement import Placement, WorkloadAffinityTerm
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template
from tests.interpret.build import container, thing, workload

GATES = FeatureGates()
PLACEMENT: Object = {"clusterAffinity": {"clusterNames": ["east"]}}
POLICY = PropagationPolicy(
    name="p",
    namespace="shop",
    placement=Placement(raw=PLACEMENT),
    propagate_deps=True,
    conflict_resolution="Overwrite",
    preserve_resources_on_deletion=False,
    body={"spec": {"failover": {"cluster": {}}, "suspension": {"dispatching": True}}},
)


def build(body: Object, policy: PropagationPolicy = POLICY, gates: FeatureGates = GATES) -> Binding:
    """The binding of a template."""
    template = Template(identity=identity_of(body), body=body, labels=tuple(labels_of(body).items()))
    return build_binding(template, policy, interpret(body, interpreter(gates), gates), gates)


def test_a_workload_has_a_binding_with_all_that_the_policy_says() -> None:
    pod: Object = {"containers": [container(requests={"cpu": "100m"})]}
    body = thing(
        "Deployment", api_version="apps/v1", metadata={"uid": "u"}, spec=workload(replicas=3, pod=pod)["spec"]
    )
    binding = build(body)
    assert (binding.key, binding.uid, binding.replicas) == (("shop", "web-deployment"), "u", 3)
    assert binding_spec(binding) == {
        "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "namespace": "shop"},
        "propagateDeps": True,
        "replicaRequirements": {"resourceRequest": {"cpu": "100m"}},
        "replicas": 3,
        "placement": PLACEMENT,
        "schedulerName": "default-scheduler",
        "failover": {"cluster": {}},
        "conflictResolution": "Overwrite",
        "suspension": {"dispatching": True},
        "preserveResourcesOnDeletion": False,
    }


def test_a_kind_without_replicas_has_none() -> None:
    binding = build(thing("ConfigMap"))
    assert (binding.replicas, binding.replica_requirements, binding.is_workload) == (0, None, False)


def test_a_template_that_cannot_be_interpreted_has_no_binding() -> None:
    with pytest.raises(InterpretError):
        build(workload(replicas="x"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("system-node-critical", 2000001000, id="every-server-has-these"),
        pytest.param("shop-high", 7, id="of-the-workspace"),
        pytest.param("", None, id="not-asked-for"),
    ],
)
def test_priorities(name: str, expected: int | None) -> None:
    body: Object = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "shop-high"},
        "value": 7,
    }
    other = thing("ConfigMap", value=9)
    templates = (Template(identity=identity_of(item), body=item) for item in (body, other))
    priorities = priority_values(tuple(templates))
    config_map = thing("ConfigMap")
    template = Template(identity=identity_of(config_map), body=config_map)
    policy = replace(POLICY, priority_class_name=name)
    binding = build_binding(template, policy, Interpretation(), GATES, priorities)
    assert binding.schedule_priority == expected
    assert binding_spec(binding).get("schedulePriority") == (
        None if expected is None else {"priority": expected}
    )


def test_a_missing_priority_class_is_an_error_unless_nobody_looks() -> None:
    policy = replace(POLICY, priority_class_name="gone")
    with pytest.raises(InterpretError, match="gone"):
        build(thing("ConfigMap"), policy)
    assert (
        build(thing("ConfigMap"), policy, FeatureGates(priority_based_scheduling=False)).schedule_priority
        is None
    )
    assert build(thing("ClusterRole", metadata={"namespace": ""}), policy).schedule_priority is None


def test_a_priority_of_zero_is_written_as_nothing() -> None:
    binding = replace(build(thing("ConfigMap")), schedule_priority=0)
    assert binding_spec(binding)["schedulePriority"] == {}


@pytest.mark.parametrize(
    ("gate", "expected"), [(True, {"affinityGroup": "app=web"}), (False, None)], ids=["gate-on", "gate-off"]
)
def test_affinity_groups(gate: bool, expected: Object | None) -> None:
    placement = Placement(
        workload_affinity=WorkloadAffinityTerm(group_by_label_key="app"),
        workload_anti_affinity=WorkloadAffinityTerm(group_by_label_key="gone"),
    )
    body = thing("ConfigMap", metadata={"labels": {"app": "web"}})
    binding = build(body, replace(POLICY, placement=placement), FeatureGates(workload_affinity=gate))
    assert binding_spec(binding).get("workloadAffinityGroups") == expected


def test_requirements_carry_the_namespace_when_quotas_are_estimated() -> None:
    body = workload(replicas=1, pod={"nodeSelector": {}})
    needs = build(body, gates=FeatureGates(resource_quota_estimate=True)).replica_requirements
    assert needs is not None
    assert (needs.namespace, needs.raw) == ("shop", {"nodeClaim": {}, "namespace": "shop"})


def test_what_the_scheduler_and_others_add_is_written_too() -> None:
    cluster = TargetCluster(name="east", replicas=2, components=(("jm", 1),))
    needs = ReplicaRequirements(raw={"resourceRequest": {"cpu": "1"}})
    binding = replace(
        build(thing("ConfigMap")),
        clusters=(cluster, TargetCluster(name="west")),
        required_by=(
            BindingSnapshot(namespace="shop", name="x", clusters=(cluster,)),
            BindingSnapshot(namespace="", name="y"),
        ),
        graceful_eviction_tasks=(GracefulEvictionTask(from_cluster="north", raw={"fromCluster": "north"}),),
        components=(Component(name="jm", replicas=1, replica_requirements=needs), Component(name="tm")),
        reschedule_triggered_at="2024-01-01T00:00:00Z",
    )
    spec = binding_spec(binding)
    east: Object = {"name": "east", "replicas": 2, "components": [{"name": "jm", "replicas": 1}]}
    assert spec["clusters"] == [east, {"name": "west"}]
    assert spec["requiredBy"] == [
        {"namespace": "shop", "name": "x", "clusters": [east]},
        {"namespace": "", "name": "y"},
    ]
    assert spec["gracefulEvictionTasks"] == [{"fromCluster": "north"}]
    assert spec["components"] == [
        {"name": "jm", "replicas": 1, "replicaRequirements": needs.raw},
        {"name": "tm", "replicas": 0},
    ]
    assert spec["rescheduleTriggeredAt"] == "2024-01-01T00:00:00Z"


def test_a_binding_that_only_follows_has_no_scheduler() -> None:
    assert "schedulerName" not in binding_spec(replace(build(thing("ConfigMap")), placement=None))


@pytest.mark.parametrize(
    ("suspension", "east", "west"),
    [
        pytest.param(None, False, False, id="none"),
        pytest.param({"dispatching": True}, True, True, id="everywhere"),
        pytest.param({"dispatching": False}, False, False, id="said-to-be-off"),
        pytest.param({"dispatchingOnClusters": {"clusterNames": ["west"]}}, False, True, id="on-some"),
    ],
)
def test_suspension(suspension: Object | None, east: bool, west: bool) -> None:
    binding = replace(build(thing("ConfigMap")), suspension=suspension)
    assert (binding.suspends("east"), binding.suspends("west")) == (east, west)


def test_names() -> None:
    assert binding_name("Role", "ns:Reader") == "ns.reader-role"
