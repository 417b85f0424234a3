"""Guards where engines deliver: what goes with a cluster or an Application, and what of it they delete."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.publish.guards.guards import stops
from renderer.publish.guards.stop import Stop
from tests.delivery.argocd import fleet as argocd
from tests.delivery.flux import fleet as flux
from tests.publish.test_guards import change
from tests.workspaces import FLEET, POLICY, SHOP

KEEPING = "preserveResourcesOnDeletion: true"
CASCADE = "argocd: {preserveResourcesOnDeletion: false}"
DELETE = "flux: {deletionPolicy: Delete}"


def without(files: Mapping[str, str], name: str) -> Mapping[str, str]:
    """The workspace without a cluster."""
    kept = [line for line in files["clusters.yaml"].splitlines() if f"name: {name}," not in line]
    return {**files, "clusters.yaml": "\n".join(kept) + "\n"}


def renamed(files: Mapping[str, str], name: str) -> Mapping[str, str]:
    """The workspace with a cluster that has another name."""
    text = files["clusters.yaml"].replace(f"name: {name},", f"name: other, previousName: {name},")
    return {**files, "clusters.yaml": text}


def lost(before: Mapping[str, str], after: Mapping[str, str]) -> Stop:
    """What lost-clusters says."""
    (stop,) = (stop for stop in stops(change(before, after)) if stop.guard == "lost-clusters")
    return stop


@pytest.mark.parametrize(
    ("files", "cluster", "thing", "why"),
    [
        pytest.param(
            argocd.files(),
            "east",
            "3 objects in 1 Application: east",
            "; Argo CD deletes the Applications, and leaves their objects where they are",
            id="argo-cd-leaves-objects",
        ),
        pytest.param(
            argocd.files(CASCADE),
            "east",
            "3 objects in 1 Application: east",
            "; Argo CD deletes the Applications, and their objects with them",
            id="argo-cd-takes-them-along",
        ),
        pytest.param(
            argocd.files(CASCADE),
            "west",
            "3 objects in 1 Application: west",
            "; the Argo CD of a cluster that pulls finds nothing to read, and deletes nothing",
            id="argo-cd-in-the-cluster",
        ),
        pytest.param(
            flux.files(),
            "east",
            "4 objects in 1 Kustomization: east",
            "; Flux deletes the Kustomizations, and leaves their objects where they are",
            id="flux-leaves-objects",
        ),
        pytest.param(
            flux.files(DELETE),
            "east",
            "4 objects in 1 Kustomization: east",
            "; Flux deletes the Kustomizations, and their objects with them",
            id="flux-takes-them-along",
        ),
        pytest.param(
            argocd.files(), "none", "3 objects would be deleted", "", id="nobody-that-krender-knows"
        ),
    ],
)
def test_a_lost_cluster_is_told_with_what_its_engine_does(
    files: Mapping[str, str], cluster: str, thing: str, why: str
) -> None:
    stop = lost(files, without(files, cluster))
    assert stop.objects == (f"Cluster {cluster}: {thing}",)
    assert stop.why == f"all that is published for a cluster goes with it{why}"


def test_what_is_to_be_preserved_is_named_until_it_is_marked() -> None:
    kept = {**SHOP, "policy.yaml": POLICY.replace("spec:\n", f"spec:\n  {KEEPING}\n")}
    fewer = "\n".join(line for line in FLEET.splitlines() if "name: east," not in line)
    stop = lost(kept, {**kept, "fleet.yaml": fewer})
    assert stop.objects[1:] == (
        "Deployment shop/web on east: to be preserved on deletion, but not marked so yet",
    )
    assert stop.fix.startswith("put it back, and place nothing there first")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(argocd.files(CASCADE), ["Application east"], id="argo-cd-takes-objects-along"),
        pytest.param(argocd.files(), [], id="argo-cd-leaves-them"),
        pytest.param(flux.files(DELETE), ["Kustomization east"], id="flux-takes-objects-along"),
        pytest.param(
            flux.files("flux: {deletionPolicy: MirrorPrune}"), ["Kustomization east"], id="as-it-prunes"
        ),
        pytest.param(
            flux.files("flux: {deletionPolicy: MirrorPrune, prune: false}"), [], id="and-it-does-not"
        ),
        pytest.param(flux.files(), [], id="flux-leaves-them"),
    ],
)
def test_units_that_take_objects_of_a_renamed_cluster_along_are_stopped(
    files: Mapping[str, str], expected: list[str]
) -> None:
    found = [stop for stop in stops(change(files, renamed(files, "east"))) if stop.guard == "cascading-units"]
    assert [name for stop in found for name in stop.objects] == expected
    assert all("publish that and have it applied" in stop.fix for stop in found)


def test_so_are_those_of_a_cluster_that_another_takes_over() -> None:
    files = argocd.files(CASCADE)
    pulling = {
        **files,
        "clusters.yaml": files["clusters.yaml"].replace("name: east,", "name: east, syncMode: Pull,"),
    }
    assert [stop.objects for stop in stops(change(files, pulling))] == [("Application east",)]


def test_a_waiver_lets_one_go() -> None:
    files = argocd.files(
        CASCADE,
        "  guards: {waivers: [{guard: cascading-units, objects: [Application east], reason: empty}]}\n",
    )
    assert stops(change(files, renamed(files, "east"))) == ()


def test_files_of_the_delivery_are_no_objects_to_any_guard() -> None:
    one, other = argocd.files(), argocd.files("unit: namespace, prefix: p-")
    assert stops(change(one, other)) == ()
    assert stops(change(flux.files("unit: namespace"), flux.files())) == ()
    none = {**one, "krender.yaml": one["krender.yaml"].replace("engine: argocd", "engine: none")}
    assert stops(change(one, none)) == ()
