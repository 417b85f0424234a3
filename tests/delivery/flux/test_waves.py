"""Clusters get a commit wave after wave, and however many there are, what depends on what stays linear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from renderer.delivery.flux.waves import Waves
from renderer.delivery.names import Names
from renderer.document.values import dig, sequence
from renderer.model.delivery import Delivery
from renderer.model.plan import Plan
from renderer.model.tree import walk
from tests.crds import faults
from tests.delivery.flux.fleet import REST, files
from tests.delivery.flux.flux import Flux, by_name
from tests.workspaces import plan

HEAD = "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n  clusters:\n"


def of(clusters: Sequence[str], delivery: str = "") -> Plan:
    """A fleet of clusters, each as in `name: a, wave: 1`."""
    listed = "".join(f"  - {{{cluster}}}\n" for cluster in clusters)
    kept = files(delivery)
    return plan({"clusters.yaml": HEAD + listed, "rest.yaml": REST, "krender.yaml": kept["krender.yaml"]})


def applied_in_order(plan: Plan, stuck: Sequence[str] = ()) -> list[str]:
    """The Kustomizations of the hub in the order in which they get ready, if some never do or are suspended.

    A Kustomization goes on when all it depends on is ready with the same revision.
    """
    waiting = by_name(Flux(plan).applied)
    ready: list[str] = []
    while True:
        step = sorted(
            name
            for name, item in waiting.items()
            if name not in ready
            and name not in stuck
            and dig(item.body, "spec", "suspend") is not True
            and all(need in ready for need in item.needs)
        )
        if not step:
            return ready
        ready += step


def test_one_wave_has_no_gate_and_waits_for_nothing() -> None:
    for item in Flux(of(["name: a", "name: b"])).applied:
        assert item.needs == []
        assert dig(item.body, "spec", "wait") is None
    assert of(["name: a"]).tree.at("delivery/flux/nothing") is None


def test_a_wave_waits_for_the_one_before_and_so_does_the_next() -> None:
    fleet = of(["name: a", "name: b", "name: c, wave: 5", "name: d, wave: 10"])
    order = applied_in_order(fleet)
    assert order == ["a", "b", "krender-hub", "krender-wave-0", "c", "krender-wave-5", "d"]
    waits = [dig(by_name(Flux(fleet).applied)[name].body, "spec", "wait") for name in "abcd"]
    assert waits == [True] * 4


@pytest.mark.parametrize(
    ("clusters", "stuck", "never"),
    [
        pytest.param(
            ["name: a", "name: b, wave: 1", "name: c, wave: 2"], ["a"], {"b", "c"}, id="what-fails-holds"
        ),
        pytest.param(
            ["name: a", "name: b, wave: 1", "name: c, wave: 2"], ["b"], {"c"}, id="what-comes-after"
        ),
        pytest.param(
            ["name: a", "name: b, paused: true", "name: c, wave: 1"],
            [],
            {"b"},
            id="what-is-paused-holds-nothing",
        ),
        pytest.param(
            ["name: a", "name: b, wave: 1, paused: true", "name: c, wave: 2"],
            ["a"],
            {"b", "c"},
            id="a-wave-that-is-paused-is-passed-over",
        ),
        pytest.param(
            ["name: a", "name: b, wave: 1, syncMode: Pull", "name: c, wave: 2"],
            [],
            set(),
            id="so-is-one-that-pulls",
        ),
    ],
)
def test_what_does_not_get_ready(clusters: Sequence[str], stuck: Sequence[str], never: set[str]) -> None:
    fleet = of(clusters)
    order = applied_in_order(fleet, stuck)
    names = {unit.name for unit in fleet.units if unit.cluster.sync_mode == "Push"}
    assert names - set(order) - set(stuck) == never


def test_namespaces_follow_what_is_cluster_scoped_and_that_the_wave_before() -> None:
    wanted = files("unit: namespace")
    clusters = HEAD + "  - {name: a, labels: {stage: prod}}\n  - {name: b, wave: 1, labels: {stage: prod}}\n"
    fleet = plan({**wanted, "clusters.yaml": clusters})
    needs = {name: item.needs for name, item in by_name(Flux(fleet).applied).items()}
    assert needs["a.cluster-scoped"] == []
    assert needs["a.shop"] == needs["a.tools"] == ["a.cluster-scoped"]
    assert needs["b.cluster-scoped"] == ["krender-wave-0"]
    assert needs["b.shop"] == ["b.cluster-scoped"]


def large(number: int, waves: int = 4) -> Mapping[str, Sequence[str]]:
    """What depends on what in a fleet of that many clusters."""
    fleet = of([f"name: s{index:05}, wave: {index % waves}" for index in range(number)])
    return {item.name: item.needs for item in Flux(fleet).applied}


def test_what_depends_on_what_is_linear_and_no_gate_has_very_many() -> None:
    needs = large(600)
    edges = sum(map(len, needs.values()))
    assert edges < 2 * 600
    assert max(map(len, needs.values())) <= 100


def test_gates_of_very_many_are_of_more_groups() -> None:
    names = [f"s{index:05}" for index in range(5000)]
    waves = Waves(members={0: names, 1: ["t"]}, delivery=Delivery(), names=Names(names))
    (parts,) = waves.gate_parts("nothing").values()
    assert sorted(name for part in parts[:-1] for name in part.after) == names
    assert parts[-1].after == [part.name for part in parts[:-1]]
    assert max(len(part.after) for part in parts[:-1]) < 100


def test_one_more_cluster_changes_its_own_file_and_one_gate() -> None:
    names = [f"name: s{index:05}, wave: {index % 2}" for index in range(600)]
    one = {path: blob.data for path, blob in walk(of(names).tree) if "flux" in path}
    other = {path: blob.data for path, blob in walk(of([*names, "name: s99999"]).tree) if "flux" in path}
    changed = {path for path in {*one, *other} if one.get(path) != other.get(path)}
    assert changed == {
        "delivery/flux/hub/clusters/s99999.yaml",
        "delivery/flux/hub/kustomization.yaml",
        "delivery/flux/hub/waves/0.yaml",
        "delivery/flux/parameters/s99999/krender.app.json",
    }


# A hub in parts, and artifacts.


def test_a_part_has_its_clusters_whatever_the_others_are() -> None:
    names = [f"name: s{index:02}" for index in range(40)]
    one, other = (of(few, "flux: {hubParts: 16}").tree for few in (names, names[:20]))
    files = {path for path, _ in walk(other) if "hub/parts" in path}
    assert files < {path for path, _ in walk(one)}
    assert len([path for path in files if path.endswith("kustomization.yaml")]) == 16


def test_each_kustomization_of_a_cluster_has_an_artifact() -> None:
    fleet = of(["name: a", "name: b", "name: c, syncMode: Pull"], "flux: {artifactGenerator: true}")
    flux = Flux(fleet)
    for server, objects in flux.objects.items():
        (generator,) = (body for body in objects if body.get("kind") == "ArtifactGenerator")
        assert faults(generator) == ()
        artifacts = {dig(item, "name"): item for item in sequence(dig(generator, "spec", "artifacts"))}
        for item in by_name(flux.applied, server).values():
            source = dig(item.body, "spec", "sourceRef")
            if item.name.startswith("krender"):
                assert source == {"kind": "GitRepository", "name": "krender"}
                continue
            assert source == {"kind": "ExternalArtifact", "name": item.name}
            path = f"clusters/{item.cluster}"
            assert artifacts[item.name] == {
                "name": item.name,
                "originRevision": "@rendered",
                "copy": [{"from": f"@rendered/{path}/**", "to": f"@artifact/{path}/"}],
            }


def test_more_artifacts_than_a_generator_takes_are_told() -> None:
    names = [f"name: s{index:04}" for index in range(1001)]
    (problem,) = of(names, "flux: {artifactGenerator: true}").problems
    assert problem.what == "an ArtifactGenerator would have 1,001 artifacts"
    assert of(names, "flux: {artifactGenerator: true, hubParts: 16}").problems == ()
