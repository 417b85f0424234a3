"""Replicas that an autoscaler owns: left out, handed over, or left alone."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.delivery.adapt.published import Published
from renderer.document.patch import ABSENT, Maybe
from renderer.match.fleet import Fleet
from renderer.model.cluster import Cluster
from renderer.model.places import CLUSTERS
from renderer.model.tree import tree_of
from tests import test_failover as failover
from tests.delivery.adapt.scaled import (
    ALL,
    HPA,
    KEDA,
    adaptations,
    at,
    history,
    left_alone,
    made,
    settings,
)
from tests.workspaces import FLEET, WEB

ALONE: Final = ("Deployment web /spec/replicas",)
SCALED: Final = {"hpa.yaml": HPA}
TO_EAST: Final = (
    ALL.replace("name: all", "name: hpa")
    .replace("{apiVersion: apps/v1, kind: Deployment}, {apiVersion: apps/v1, kind: StatefulSet}, ", "")
    .replace("labelSelector: {matchLabels: {stage: prod}}", "clusterNames: [east]")
)


@pytest.mark.parametrize(
    ("engine", "autoscaler", "setting", "replicas", "alone"),
    [
        pytest.param("argocd", HPA, {}, ABSENT, (), id="left-out-of-what-is-new"),
        pytest.param("flux", HPA, {}, ABSENT, (), id="with-flux-too"),
        pytest.param("argocd", KEDA, {}, ABSENT, (), id="by-keda-whose-target-is-a-deployment-unless-stated"),
        pytest.param("none", HPA, {}, 4, (), id="as-karmada-does-without-an-engine"),
        pytest.param("none", HPA, {"autoscaled": "drop"}, 4, (), id="and-whatever-is-set"),
        pytest.param("argocd", HPA, {"autoscaled": "keep"}, 4, (), id="kept-if-asked-for"),
        pytest.param("argocd", HPA, {"autoscaled": "ignore"}, 4, ALONE, id="ignored-if-asked-for"),
        pytest.param(
            "argocd", HPA.replace("name: web}", "name: wed}"), {}, 4, (), id="an-autoscaler-of-something-else"
        ),
        pytest.param(
            "argocd", HPA.replace("kind: Deployment", "kind: StatefulSet"), {}, 4, (), id="another-kind"
        ),
        pytest.param("argocd", HPA.replace("apps/v1", "example.org/v1"), {}, 4, (), id="another-group"),
        pytest.param("argocd", HPA.replace("apps/v1", "apps/v1beta2"), {}, ABSENT, (), id="any-version"),
        pytest.param(
            "argocd", HPA.replace("apiVersion: apps/v1, ", ""), {}, 4, (), id="an-hpa-that-finds-nothing"
        ),
        pytest.param(
            "argocd", HPA.replace("autoscaling/v2", "autoscaling/v1"), {}, ABSENT, (), id="an-old-hpa"
        ),
        pytest.param(
            "argocd", HPA.replace("namespace: shop", "namespace: else"), {}, 4, (), id="another-namespace"
        ),
    ],
)
def test_replicas_under_an_autoscaler(
    engine: str, autoscaler: str, setting: dict[str, str], replicas: Maybe, alone: tuple[str, ...]
) -> None:
    plan = made({"hpa.yaml": autoscaler, "krender.yaml": settings(engine, **setting)})
    assert (at(plan), left_alone(plan)) == (replicas, alone)


def test_only_where_the_autoscaler_is() -> None:
    files = {
        **SCALED,
        "krender.yaml": settings(),
        "policy.yaml": ALL.replace("{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler}, ", ""),
        "hpa-policy.yaml": TO_EAST,
    }
    plan = made(files)
    assert (at(plan), at(plan, cluster="north")) == (ABSENT, 4)


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_what_was_published_with_replicas_keeps_them_and_is_left_alone(engine: str) -> None:
    before, after = {"krender.yaml": settings(engine)}, {**SCALED, "krender.yaml": settings(engine)}
    _, handed, again = history(before, after, after)
    assert (at(handed), left_alone(handed)) == (4, ALONE)
    assert again.tree == handed.tree
    (told,) = adaptations(handed)
    assert (told.ignored, told.changed, str(told.because)) == (
        True,
        False,
        "HorizontalPodAutoscaler shop/web",
    )


@pytest.mark.parametrize(("engine", "alone"), [("argocd", ALONE), ("flux", ())])
def test_handed_over_in_two_publishes(engine: str, alone: tuple[str, ...]) -> None:
    after = {**SCALED, "krender.yaml": settings(engine, handedOver="drop")}
    _, handed, dropped, again = history({"krender.yaml": settings(engine)}, after, after, after)
    assert (at(handed), left_alone(handed)) == (4, ALONE)
    assert (at(dropped), left_alone(dropped)) == (ABSENT, alone)
    assert again.tree == dropped.tree


def test_replicas_taken_out_by_hand_with_the_autoscaler_are_handed_over() -> None:
    by_hand = {**SCALED, "krender.yaml": settings(), "web.yaml": WEB.replace("  replicas: 4\n", "")}
    _, handed, again = history({"krender.yaml": settings()}, by_hand, by_hand)
    assert (at(handed), left_alone(handed), again.tree == handed.tree) == (4, ALONE, True)
    (told,) = adaptations(handed)
    assert (told.before, told.after) == (ABSENT, 4)


def test_what_somebody_switched_off_stays_off() -> None:
    off = {**SCALED, "krender.yaml": settings(), "web.yaml": WEB.replace("replicas: 4", "replicas: 0")}
    on = {**SCALED, "krender.yaml": settings()}
    _, switched_off, woken, left, again = history(on, off, on, on, on)
    assert (at(switched_off), left_alone(switched_off)) == (0, ())
    assert (at(woken), left_alone(woken)) == (4, ())  # an HPA rests at 0: the engine must write it once
    assert (at(left), left_alone(left)) == (4, ALONE)
    assert again.tree == left.tree


def test_keda_scales_from_zero_itself() -> None:
    files = {
        "keda.yaml": KEDA,
        "krender.yaml": settings(),
        "web.yaml": WEB.replace("replicas: 4", "replicas: 0"),
    }
    assert at(made(files)) is ABSENT


def test_an_autoscaler_that_goes_gives_the_replicas_back() -> None:
    without = {"krender.yaml": settings()}
    plans = history(without, {**SCALED, **without}, without)
    assert (at(plans[-1]), left_alone(plans[-1])) == (4, ())
    assert plans[-1].tree.child(CLUSTERS) == plans[0].tree.child(CLUSTERS)


def test_a_frozen_cluster_keeps_its_file_so_its_engine_leaves_it_alone() -> None:
    frozen = FLEET.replace("name: east,", "name: east, frozen: true,")
    after = {**SCALED, "krender.yaml": settings("flux", handedOver="drop"), "fleet.yaml": frozen}
    held = history({**SCALED, "krender.yaml": settings("flux", autoscaled="ignore")}, after, after)
    assert [(at(plan), left_alone(plan)) for plan in held[1:]] == [(4, ALONE)] * 2
    assert (at(held[1], cluster="north"), left_alone(held[1], "north")) == (ABSENT, ())


def test_of_a_kind_that_is_defined_here_the_definition_tells_where_replicas_are() -> None:
    crd = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.org}
spec:
  group: example.org
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, subresources: {scale: {specReplicasPath: .spec.size.pods}}}
"""
    shop = (
        "apiVersion: example.org/v1\nkind: Shop\nmetadata: {name: web, namespace: shop}\n"
        "spec: {size: {pods: 3, tills: 2}}\n"
    )
    hpa = HPA.replace("apps/v1, kind: Deployment", "example.org/v1, kind: Shop")
    plan = made({"crd.yaml": crd, "shop.yaml": shop, "hpa.yaml": hpa, "krender.yaml": settings()})
    assert at(plan, "/spec/size", "shop/shop.example.org.web.yaml") == {"tills": 2}
    assert at(plan) == 4


def test_the_object_as_the_overrides_left_it_can_be_told() -> None:
    plan = made({**SCALED, "krender.yaml": settings()})
    (rendering,) = (item for item in plan.renderings if item.template.identity.kind == "Deployment")
    (manifest,), (plain,) = rendering.manifests, rendering.plain
    assert (manifest.clusters, plain.clusters) == (("east", "north"),) * 2
    assert rendering.plain_body(manifest) is plain.body
    assert rendering.plain_body(plain) is plain.body


def test_a_unit_of_a_namespace_leaves_alone_what_is_in_it() -> None:
    files = {**SCALED, "krender.yaml": settings("flux", autoscaled="ignore", unit="namespace")}
    ignoring = {unit.name: len(unit.ignored) for unit in made(files).units if unit.cluster.name == "east"}
    assert ignoring == {"east.cluster-scoped": 0, "east.shop": 1}


def test_what_is_leaving_a_cluster_is_left_alone_until_it_has_left() -> None:
    flux = {
        "krender.yaml": failover.FAILOVER + "  delivery: {engine: flux, repoURL: 'https://git.example/f'}\n"
    }
    hpas = failover.policy(scheduling="{}").replace(
        "apps/v1, kind: Deployment", "autoscaling/v2, kind: HorizontalPodAutoscaler"
    )
    scaled = {**flux, **SCALED, "hpas.yaml": hpas.replace("{name: web, namespace", "{name: hpas, namespace")}
    *_, handed, leaving = failover.history(
        ("08:00:00", flux), ("09:00:00", scaled), ("10:00:00", {**scaled, **failover.GONE})
    )
    assert [left_alone(handed), left_alone(leaving)] == [ALONE, ALONE]
    (web,) = (item for item in leaving.renderings if item.template.identity.kind == "Deployment")
    assert [item.clusters for item in web.leaving] == [("east",)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("kind: A\nspec:\n  replicas: 3\n", 3, id="first"),
        pytest.param(
            "kind: A\nspec:\n  paused: true\n  list:\n  - replicas: 7\n  replicas: 3\n", 3, id="later"
        ),
        pytest.param("kind: A\nspec:\n  other:\n    replicas: 7\n", ABSENT, id="deeper-is-another-field"),
        pytest.param(
            "kind: A\nstatus:\n  replicas: 7\nspec:\n  a: 1\n", ABSENT, id="so-is-that-of-the-status"
        ),
        pytest.param("kind: A\nspec:\n  a: |\n    replicas: 7\n", ABSENT, id="text-is-no-field"),
        pytest.param("kind: A\nspec: {replicas: 3}\n", 3, id="as-somebody-else-writes-it"),
        pytest.param("kind: A\nspec: {replicas: 3}\n---\nkind: B\n", ABSENT, id="two-objects-are-none"),
        pytest.param("replicas: [", ABSENT, id="neither-is-what-cannot-be-read"),
    ],
)
def test_replicas_of_a_published_file(text: str, expected: Maybe) -> None:
    fleet = Fleet([Cluster(name="east", slug="east")])
    tree = tree_of({"clusters/east/shop/a.yaml": text.encode()})
    found = list(Published(tree, fleet).values("shop/a.yaml", "/spec/replicas", 1))
    assert found == [(expected, 1)]
