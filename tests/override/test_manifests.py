"""What the clusters of a binding get: shares, rules that name clusters, and what fails."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value, dig
from renderer.interpret.interpret import interpreter
from renderer.model.binding import Binding, TargetCluster
from renderer.model.gates import FeatureGates
from renderer.model.identity import identity_of
from renderer.model.placement import Placement, ReplicaScheduling
from renderer.model.plan import Manifest
from renderer.model.template import Template
from renderer.override.manifests import Manifests
from renderer.override.order import RuleIndex
from tests.override.build import cluster, policy, workload

JOB: Object = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "j", "namespace": "shop"},
    "spec": {"parallelism": 3, "completions": 7, "template": {}},
}


def made(
    body: Object, clusters: dict[str, int] | list[tuple[str, int]], *policies: str, spoil: bool = False
) -> list[Manifest]:
    """The manifests on clusters with replicas; policies for named ones rename or spoil the object."""
    template = Template(identity=identity_of(body), body=body)
    targets = tuple(
        TargetCluster(name=name, replicas=replicas)
        for name, replicas in (clusters.items() if isinstance(clusters, dict) else clusters)
    )
    binding = Binding(
        identity=template.identity,
        namespace="shop",
        placement=Placement(replica_scheduling=ReplicaScheduling(replica_scheduling_type="Divided")),
        replicas=sum(target.replicas for target in targets),
        clusters=targets,
    )
    index = RuleIndex(
        policy(
            name, SPOILT if spoil else renamed(name), namespace="", target={"clusterNames": [name, "nowhere"]}
        )
        for name in policies
    )
    gates = FeatureGates()
    manifests = Manifests(index, [cluster(name) for name in ("south", "north", "east", "west")], gates)
    return list(manifests.of(template, template.body, binding, interpreter(gates).of(template.body)))


SPOILT: dict[str, Value] = {"plaintext": [{"operator": "replace", "path": "/spec/template", "value": "x"}]}


def renamed(name: str) -> dict[str, Value]:
    """Overriders that name the object after the cluster."""
    return {"plaintext": [{"operator": "replace", "path": "/metadata/name", "value": name}]}


def test_clusters_with_equal_shares_share_a_manifest() -> None:
    found = made(workload(), {"west": 2, "north": 1, "east": 2})
    assert [(item.clusters, item.replicas) for item in found] == [(("east", "west"), 2), (("north",), 1)]
    assert [dig(item.body, "spec", "replicas") for item in found] == [2, 1]


def test_the_last_entry_of_a_repeated_name_counts_as_the_last_work_written_would() -> None:
    found = made(workload(), [("east", 1), ("west", 1), ("east", 3)])
    assert [(item.clusters, item.replicas) for item in found] == [(("east",), 3), (("west",), 1)]


def test_a_cluster_that_nobody_has_gets_nothing() -> None:
    assert made(workload(), {"gone": 4}) == []


def test_a_rule_for_each_cluster_gives_each_a_manifest_of_its_own() -> None:
    found = made(workload(), {"west": 1, "south": 1, "north": 1, "east": 1}, "south", "east")
    assert [(item.clusters, item.identity.name) for item in found] == [
        (("east",), "east"),
        (("north", "west"), "web"),
        (("south",), "south"),
    ]


def test_completions_are_part_of_a_share() -> None:
    found = made(JOB, {"east": 1, "north": 1, "west": 1})
    assert [(item.clusters, item.completions) for item in found] == [
        (("east",), 3),
        (("north", "west"), 2),
    ]


@pytest.mark.parametrize("completions", ["7", 7.5])
def test_completions_that_are_no_number_fail_on_every_cluster(completions: Value) -> None:
    body: Object = {**JOB, "spec": {"parallelism": 3, "completions": completions}}
    (found,) = made(body, {"west": 2, "east": 1})
    assert (found.clusters, found.body) == (("east", "west"), None)
    assert found.problem is not None


@pytest.mark.parametrize(
    ("body", "overrides", "count"),
    [
        pytest.param({**workload(), "spec": "none"}, (), 2, id="replicas-that-cannot-be-set"),
        pytest.param(JOB, ("east",), 1, id="an-override-that-leaves-nothing-to-prune"),
    ],
)
def test_what_cannot_be_written_reaches_no_cluster(
    body: Object, overrides: tuple[str, ...], count: int
) -> None:
    found = made(body, {"east": 1, "west": 1}, *overrides, spoil=True)
    failed = [name for item in found if item.problem for name in item.clusters]
    assert len(failed) == count
    assert all(item.body is None for item in found if item.problem)
