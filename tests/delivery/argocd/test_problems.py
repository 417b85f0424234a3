"""What Argo CD cannot be given is said, with its place and a fix, and takes nothing away that is there."""

from __future__ import annotations

import pytest

from renderer.check.failures import failures
from renderer.delivery.argocd.problems import too_large
from renderer.load.config import read_config
from renderer.model.tree import Node, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.delivery.argocd.fleet import CLUSTERS, files, fleet
from tests.delivery.argocd.hub import applications
from tests.workspaces import workspace

NAMELESS = CLUSTERS.replace(', server: "https://north.example:6443"', "")
ODD = CLUSTERS.replace("name: north", "name: North_1")
LONG = CLUSTERS.replace("name: north", f"name: {'n' * 58}")


@pytest.mark.parametrize(
    ("settings", "clusters", "where", "what"),
    [
        pytest.param(
            "argocd: {destination: server}",
            NAMELESS,
            "clusters.yaml:7:5",
            "Cluster north has no server",
            id="a-destination-by-server-needs-one",
        ),
        pytest.param(
            "argocd: {destination: server, generator: applications}",
            NAMELESS,
            "clusters.yaml:7:5",
            "Cluster north has no server",
            id="whatever-the-applications-come-from",
        ),
        pytest.param(
            "argocd: {generator: directories}",
            ODD,
            "clusters.yaml:7:5",
            "Cluster North_1: the path clusters/north-1 does not tell all of Application north-1",
            id="a-path-does-not-tell-an-odd-name",
        ),
        pytest.param(
            "unit: namespace, argocd: {generator: directories}",
            LONG,
            "clusters.yaml:7:5",
            f"Cluster {'n' * 58}: the path clusters/{'n' * 58}/_cluster does not tell all of Application "
            f"{'n' * 52}-e2c5b580c3",
            id="nor-a-name-that-was-cut",
        ),
        pytest.param(
            "argocd: {generator: directories, destination: server}",
            CLUSTERS,
            "krender.yaml:4:105",
            "delivery.argocd: the generator directories and the destination server do not go together",
            id="nor-any-server",
        ),
    ],
)
def test_what_cannot_be_given_is_said(settings: str, clusters: str, where: str, what: str) -> None:
    found = failures(fleet(settings, clusters=clusters))
    assert (str(found[0].where), found[0].what) == (where, what)
    assert {problem.rule for problem in found} == {"KR017"}
    assert all(problem.why and problem.fix for problem in found)


def test_without_a_repository_what_was_given_before_stays() -> None:
    before = fleet()
    settings = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {delivery: {engine: argocd}}\n"
    loaded = workspace({**files(), "krender.yaml": settings}, lenient=True)
    assert "delivery.repoURL is not set" in loaded.problems[0].what
    after = render(loaded, read_previous(before.tree))
    assert after.tree.at("delivery/argocd") == before.tree.at("delivery/argocd")


def test_a_cluster_that_pulls_needs_no_server() -> None:
    assert failures(fleet("argocd: {destination: server}")) == ()


def test_an_odd_name_and_a_long_one_are_no_matter_to_files() -> None:
    for clusters in (ODD, LONG):
        result = fleet("unit: namespace", clusters=clusters)
        assert failures(result) == ()
        assert len(applications(result)) == 10


@pytest.mark.parametrize(
    ("settings", "clusters"),
    [
        pytest.param("argocd: {destination: server}", NAMELESS, id="one-cluster"),
        pytest.param(
            "argocd: {destination: server, generator: applications}", NAMELESS, id="its-application"
        ),
        pytest.param("argocd: {generator: directories}", ODD, id="one-of-a-set-of-directories"),
    ],
)
def test_what_was_given_before_stays(settings: str, clusters: str) -> None:
    before = fleet(settings)
    after = fleet(settings, previous=read_previous(before.tree), clusters=clusters)
    assert after.problems
    kept, was = (
        {
            path: blob.data.partition(b"description")[0] + blob.data.partition(b"sourceRepos")[2]
            for path, blob in walk(result.tree)
            if path.startswith("delivery/")
        }
        for result in (after, before)
    )
    assert kept == was


def test_an_object_that_no_api_server_would_take_is_not_published() -> None:
    hub = "delivery/argocd/hub"
    files: dict[str, bytes | Node] = {
        f"{hub}/appproject.krender.yaml": b" " * 1_500_000,
        f"{hub}/appproject.shops.yaml": b" " * 1_000_000,
        "delivery/argocd/members/west/x.yaml": b" " * 1_500_000,
    }
    config, _ = read_config(
        b"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {delivery: {engine: argocd, argocd: {}}}\n"
    )
    (problem,) = too_large(files, hub, config)
    assert str(problem.where) == "krender.yaml:3:35"
    assert problem.what == "appproject.krender.yaml would have 1.5 MB"
