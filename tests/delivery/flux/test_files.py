"""Whatever is set: what Flux is given is valid, complete, ordered, and has one writer for each object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter

import pytest

from renderer.document.values import Object, Value, dig, mapping, text
from renderer.model.delivery_engine import Engine
from renderer.model.identity import identity_of
from renderer.model.plan import Plan
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.crds import ORIGINALS, PROJECTS, Schemas, faults, originals
from tests.delivery.fleets import REPO
from tests.delivery.flux.fleet import CLUSTERS, TEAMS, WAYS, files, fleet
from tests.delivery.flux.flux import HUB, Flux, by_name, keys, read
from tests.workspaces import plan, workspace

EVERY_WAY = pytest.mark.parametrize("way", WAYS)


def tops(way: str) -> str:
    """Where on the branch the tree of a way lies."""
    return "rendered/shop" if "rendered/shop" in WAYS[way][1] else ""


def given(way: str) -> tuple[Plan, Flux]:
    """The plan of a way, and what Flux makes of it."""
    wanted = fleet(*WAYS[way])
    return wanted, Flux(wanted, tops(way))


@EVERY_WAY
def test_every_object_is_what_its_crd_describes(way: str) -> None:
    _, flux = given(way)
    objects = [body for own in flux.objects.values() for body in own]
    assert {text(body.get("kind")) for body in objects} >= {"Kustomization"}
    for body in objects:
        assert faults(body) == ()
        assert not ORIGINALS.is_dir() or faults(body, _originals()) == ()


@EVERY_WAY
def test_each_object_has_one_writer_in_its_cluster(way: str) -> None:
    _, flux = given(way)
    writers = Counter((item.cluster, key) for item in flux.applied for key in keys(item.objects))
    assert [key for key, number in writers.items() if number > 1] == []


@EVERY_WAY
def test_each_cluster_of_flux_gets_what_is_planned_and_no_other_gets_anything(way: str) -> None:
    wanted_plan, flux = given(way)
    delivery = wanted_plan.workspace.config.delivery
    for cluster in wanted_plan.clusters:
        directory = wanted_plan.tree.at(f"clusters/{cluster.slug}")
        assert isinstance(directory, Tree)
        wanted = [identity for path, identity in _planned(directory)]
        got = [
            key
            for item in flux.applied
            if item.cluster == cluster.slug and "/clusters/" in text(dig(item.body, "spec", "path"))
            for key in keys(item.objects)
        ]
        assert sorted(got) == (sorted(wanted) if delivery.engine_of(cluster) is Engine.FLUX else [])


@cache
def _originals() -> Schemas:
    """The CRDs with their patterns, where they are."""
    flux = (project for project in PROJECTS if project.startswith("flux"))
    return {name: schema for project in flux for name, schema in originals(ORIGINALS / project).items()}


def _planned(directory: Tree) -> list[tuple[str, tuple[str, str, str, str]]]:
    return [
        (path, identity_of(read(blob)[0]).key)
        for path, blob in walk(directory)
        if path.endswith(".yaml") and not path.endswith("kustomization.yaml")
    ]


@EVERY_WAY
def test_what_depends_on_something_finds_it_in_its_own_api_server_and_in_no_circle(way: str) -> None:
    _, flux = given(way)
    for server in flux.objects:
        kustomizations = by_name(flux.applied, server)
        graph = {name: item.needs for name, item in kustomizations.items()}
        assert {need for needs in graph.values() for need in needs} <= graph.keys()
        tuple(TopologicalSorter(graph).static_order())


@EVERY_WAY
def test_nothing_applied_lies_in_the_directory_of_another(way: str) -> None:
    _, flux = given(way)
    paths = sorted({f"{text(dig(item.body, 'spec', 'path'))}/" for item in flux.applied})
    inside = [(one, other) for one in paths for other in paths if one != other and other.startswith(one)]
    assert [pair for pair in inside if "/hub/parts/" not in pair[1]] == []


@EVERY_WAY
def test_rendered_again_it_is_the_same(way: str) -> None:
    wanted = workspace(files(*WAYS[way]))
    first = render(wanted).tree
    again = render(wanted, read_previous(first)).tree
    assert dict(walk(again)) == dict(walk(first))


def spec_of(of: Plan, name: str, server: str = HUB) -> Object:
    """What a Kustomization says."""
    return mapping(by_name(Flux(of).applied, server)[name].body.get("spec"))


def test_a_kustomization_says_what_goes_and_what_stays() -> None:
    assert spec_of(fleet(), "east") == {
        "interval": "1h",
        "retryInterval": "2m",
        "timeout": "5m",
        "path": "./clusters/east",
        "prune": True,
        "deletionPolicy": "Orphan",
        "wait": True,
        "sourceRef": {"kind": "GitRepository", "name": "krender"},
        "kubeConfig": {"secretRef": {"name": "east-kubeconfig"}},
    }


@pytest.mark.parametrize(
    ("name", "server", "field", "expected"),
    [
        pytest.param("north", HUB, "suspend", True, id="a-paused-cluster-is-suspended"),
        pytest.param("east", HUB, "suspend", None, id="another-is-not"),
        pytest.param("hub", HUB, "kubeConfig", None, id="the-hub-reaches-itself-without-a-kubeconfig"),
        pytest.param("west", "west", "kubeConfig", None, id="so-does-a-cluster-that-pulls"),
        pytest.param("west", "west", "dependsOn", None, id="which-waits-for-no-other"),
        pytest.param("west", "west", "wait", None, id="and-no-longer-than-it-must"),
        pytest.param("krender-hub", HUB, "path", "./delivery/flux/hub", id="the-hub-follows-its-directory"),
        pytest.param("krender-member", "west", "path", "./delivery/flux/members/west", id="so-does-a-member"),
    ],
)
def test_a_field(name: str, server: str, field: str, expected: Value) -> None:
    assert spec_of(fleet(), name, server).get(field) == expected


def test_what_serves_others_outlives_its_kustomization_whatever_workloads_do() -> None:
    given_plan = fleet("flux: {deletionPolicy: Delete, prune: false, serviceAccounts: all}")
    for item in Flux(given_plan).applied:
        spec = mapping(item.body.get("spec"))
        own = item.name in ("east", "north", "south", "hub", "west")
        assert (spec["deletionPolicy"], spec["prune"]) == (("Delete", False) if own else ("Orphan", True))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param("", {"branch": "rendered"}, id="the-branch-that-is-published"),
        pytest.param("revision: refs/heads/prod", {"branch": "prod"}, id="another"),
        pytest.param("revision: prod", {"branch": "prod"}, id="by-its-short-name"),
        pytest.param("revision: refs/tags/v1", {"tag": "v1"}, id="a-tag"),
        pytest.param("revision: refs/pull/1/head", {"name": "refs/pull/1/head"}, id="any-ref"),
        pytest.param(f"revision: {'a' * 40}", {"commit": "a" * 40}, id="a-commit"),
    ],
)
def test_flux_follows_the_revision(settings: str, expected: Object) -> None:
    source = _source(fleet(settings))
    assert dig(source, "spec", "ref") == expected
    assert dig(source, "spec", "url") == REPO


def _source(of: Plan, server: str = HUB) -> Object:
    (source,) = (body for body in Flux(of).objects[server] if text(body.get("kind")).endswith("Repository"))
    return source


def test_a_member_checks_out_its_own_directories_and_the_hub_none_of_krenders_records() -> None:
    teams = fleet("unit: namespace", TEAMS)
    assert dig(_source(teams, "west"), "spec", "sparseCheckout") == [
        "clusters/west",
        "delivery/flux/members/west",
        "delivery/flux/rbac/west",
    ]
    assert text(dig(_source(teams), "spec", "ignore")).splitlines() == [
        "/.krender/",
        "/delivery/argocd/",
        "/delivery/flux/members/",
        "/delivery/flux/parameters/",
    ]


def test_an_artifact_has_an_address_and_a_tag_and_its_secret() -> None:
    source = _source(fleet(*WAYS["from-an-artifact"]))
    assert source["kind"] == "OCIRepository"
    assert source["spec"] == {
        "interval": "1m",
        "url": "oci://r.example/fleet",
        "ref": {"tag": "v1"},
        "secretRef": {"name": "r"},
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            files(), files("flux: {source: oci, url: 'oci://r.example/f'}"), id="git-or-an-artifact"
        ),
        pytest.param(
            files(),
            {**files(), "clusters.yaml": CLUSTERS.replace("name: east,", "name: east, syncMode: Pull,")},
            id="push-or-pull",
        ),
        pytest.param(files(), files("flux: {serviceAccounts: all}"), id="with-accounts-or-without"),
    ],
)
def test_who_reads_it_how_changes_nothing_of_the_workloads(
    one: Mapping[str, str], other: Mapping[str, str]
) -> None:
    first, second = plan(one).tree, plan(other).tree
    assert first["clusters"] == second["clusters"]
    assert first["delivery"] != second["delivery"]


def test_a_directory_that_lost_its_last_object_is_applied_as_nothing() -> None:
    before = fleet("unit: namespace")
    less = {**files("unit: namespace"), "web.yaml": ""}
    after = plan(less, read_previous(before.tree))
    (emptied,) = (item for item in Flux(after).applied if item.name == "east.shop")
    assert emptied.objects == ()
    assert {unit.name for unit in after.units if unit.is_empty} == {
        f"{name}.{part}"
        for name in ("east", "far", "hub", "north", "west")
        for part in ("cluster-scoped", "shop")
    }


@pytest.mark.parametrize("change", ["engine: argocd", "engine: none", "syncMode: Pull"])
def test_a_kustomization_goes_when_somebody_else_applies_to_its_cluster(change: str) -> None:
    before = fleet()
    clusters = CLUSTERS.replace("name: east,", f"name: east, {change},")
    after = plan({**files(), "clusters.yaml": clusters}, read_previous(before.tree))
    assert "east" not in by_name(Flux(after).applied)
    assert "krender-hub" in by_name(Flux(after).applied)


def test_a_member_that_is_pushed_to_lets_its_own_kustomizations_go() -> None:
    before = fleet()
    clusters = CLUSTERS.replace("name: west, syncMode: Pull,", "name: west,")
    after = Flux(plan({**files(), "clusters.yaml": clusters}, read_previous(before.tree)))
    assert {(item.server, item.name) for item in after.applied if item.cluster == "west"} == {
        ("west", "krender-member"),
        (HUB, "west"),
    }
    assert "west" in by_name(after.applied)


@pytest.mark.parametrize("parts", [1, 16])
def test_the_last_cluster_that_leaves_the_hub_leaves_one_that_lets_go(parts: int) -> None:
    settings = f"flux: {{hubParts: {parts}}}"
    before = fleet(settings)
    config = files(settings)["krender.yaml"].replace("engine: flux", "engine: none").replace(REPO, "")
    without = {**files(), "krender.yaml": config.replace("repoURL: '', ", "")}
    clusters = "\n".join(line for line in CLUSTERS.splitlines() if "argocd" not in line)
    after = plan({**without, "clusters.yaml": clusters}, read_previous(before.tree))
    kustomizations = by_name(Flux(after).applied)
    assert len(kustomizations) == (1 if parts == 1 else 17)
    assert _source(after) == _source(before)


def test_names_are_those_of_no_unit() -> None:
    clusters = CLUSTERS.replace("name: east,", "name: krender-hub,").replace(
        "name: south,", "name: krender-wave-0,"
    )
    flux = Flux(plan({**files(), "clusters.yaml": clusters}))
    names = Counter((item.server, item.name) for item in flux.applied)
    assert set(names.values()) == {1}


def test_fields_that_somebody_else_writes_are_ignored_by_their_exact_names() -> None:
    settings = "autoscaled: ignore"
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\n"
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}\n---\n"
        "apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\n"
        "metadata: {name: scaler, namespace: shop}\nspec:\n  placement: {}\n"
        "  resourceSelectors: [{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler}]\n"
    )
    assert spec_of(fleet(settings, scaler=scaler), "east")["ignore"] == [
        {
            "paths": ["/spec/replicas"],
            "target": {"group": "apps", "kind": "Deployment", "name": "web", "namespace": "shop"},
        }
    ]
