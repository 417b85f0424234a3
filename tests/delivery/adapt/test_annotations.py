"""Annotations by which an engine is told how to treat one object."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.delivery.adapt.annotations import annotated
from renderer.delivery.adapt.large import LIMIT
from renderer.document.patch import ABSENT, Maybe
from renderer.document.values import Value
from renderer.model.tree import Blob
from tests.delivery.adapt.scaled import adaptations, at, made, settings
from tests.workspaces import NAMESPACE

HOME: Final = "_cluster/namespace.shop.yaml"
CONFIG: Final = "shop/configmap.script.yaml"
SYNC: Final = "/metadata/annotations/argocd.argoproj.io~1sync-options"
COMPARE: Final = "/metadata/annotations/argocd.argoproj.io~1compare-options"
PRUNE: Final = "/metadata/annotations/kustomize.toolkit.fluxcd.io~1prune"
SUBSTITUTE: Final = "/metadata/annotations/kustomize.toolkit.fluxcd.io~1substitute"
CRD: Final = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.org}
spec: {group: example.org, names: {kind: Shop, plural: shops}, scope: Namespaced, versions: []}
"""
CRD_POLICY: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: definitions}
spec:
  resourceSelectors: [{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}]
  placement: {clusterAffinity: {clusterNames: [east]}}
"""
SHOP_OBJECT: Final = (
    "apiVersion: example.org/v1\nkind: Shop\nmetadata: {name: web, namespace: shop}\nspec: {}\n"
)


def config(data: str, metadata: str = "") -> str:
    """A ConfigMap with a script."""
    return (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: script, namespace: shop{metadata}}}\n"
        f"data: {{run: '{data}'}}\n"
    )


def annotation(key: str, value: str) -> str:
    """More metadata: one annotation."""
    return f", annotations: {{{key}: '{value}'}}"


def namespace(metadata: str) -> str:
    """The Namespace with more metadata."""
    return NAMESPACE.replace("{name: shop}", f"{{name: shop{metadata}}}")


@pytest.mark.parametrize(
    ("engine", "metadata", "delivery", "expected"),
    [
        pytest.param(
            "argocd",
            "",
            {},
            ("Prune=false", "IgnoreExtraneous", ABSENT),
            id="argo-cd-neither-prunes-nor-misses",
        ),
        pytest.param("flux", "", {}, (ABSENT, ABSENT, "disabled"), id="flux-does-not-prune"),
        pytest.param("none", "", {}, (ABSENT, ABSENT, ABSENT), id="nobody-is-told-without-an-engine"),
        pytest.param(
            "argocd", "", {"protect": "[]"}, (ABSENT, ABSENT, ABSENT), id="nothing-is-protected-if-so-set"
        ),
        pytest.param("flux", "", {"protect": "[Secret]"}, (ABSENT, ABSENT, ABSENT), id="other-kinds-are"),
        pytest.param(
            "argocd",
            annotation("argocd.argoproj.io/sync-options", "Prune=confirm"),
            {},
            ("Prune=confirm", ABSENT, ABSENT),
            id="what-the-user-says-of-pruning-counts",
        ),
        pytest.param(
            "argocd",
            annotation("argocd.argoproj.io/sync-options", "Validate=false, Delete=false"),
            {},
            ("Validate=false,Delete=false,Prune=false", "IgnoreExtraneous", ABSENT),
            id="other-options-stay",
        ),
        pytest.param(
            "flux",
            annotation("kustomize.toolkit.fluxcd.io/prune", "enabled"),
            {},
            (ABSENT, ABSENT, "enabled"),
            id="so-it-does-with-flux",
        ),
        pytest.param(
            "flux",
            ", labels: {kustomize.toolkit.fluxcd.io/prune: enabled}",
            {},
            (ABSENT, ABSENT, ABSENT),
            id="also-in-a-label",
        ),
    ],
)
def test_objects_that_outlive_their_files(
    engine: str, metadata: str, delivery: dict[str, str], expected: tuple[Maybe, ...]
) -> None:
    plan = made({"krender.yaml": settings(engine, **delivery), "namespace.yaml": namespace(metadata)})
    assert tuple(at(plan, pointer, HOME) for pointer in (SYNC, COMPARE, PRUNE)) == expected


@pytest.mark.parametrize(
    "name", ["CustomResourceDefinition", "CustomResourceDefinition.apiextensions.k8s.io"]
)
def test_a_kind_is_named_with_or_without_its_group(name: str) -> None:
    files = {"crd.yaml": CRD, "crds.yaml": CRD_POLICY, "krender.yaml": settings(protect=f"[{name}]")}
    path = "_cluster/customresourcedefinition.apiextensions.k8s.io.shops.example.org.yaml"
    assert at(made(files), SYNC, path) == "Prune=false"


@pytest.mark.parametrize(
    ("engine", "text", "metadata", "flux", "expected"),
    [
        pytest.param(
            "flux",
            "echo ${HOME}",
            "",
            "{substitution: true}",
            "disabled",
            id="text-that-looks-like-a-variable",
        ),
        pytest.param("flux", "echo $${HOME}", "", "{substitution: true}", "disabled", id="also-escaped"),
        pytest.param("flux", "kill $$", "", "{substitution: true}", "disabled", id="of-two-dollars-one-goes"),
        pytest.param(
            "flux", "echo $HOME", "", "{substitution: true}", ABSENT, id="what-flux-leaves-alone-anyway"
        ),
        pytest.param("flux", "echo ${HOME}", "", "{}", ABSENT, id="nothing-without-substitution"),
        pytest.param("argocd", "echo ${HOME}", "", "{substitution: true}", ABSENT, id="nothing-for-argo-cd"),
        pytest.param(
            "flux",
            "echo ${HOME}",
            annotation("kustomize.toolkit.fluxcd.io/substitute", "enabled"),
            "{substitution: true}",
            "enabled",
            id="the-user-may-want-it",
        ),
    ],
)
def test_text_that_flux_would_replace(
    engine: str, text: str, metadata: str, flux: str, expected: Maybe
) -> None:
    plan = made({"script.yaml": config(text, metadata), "krender.yaml": settings(engine, flux=flux)})
    assert at(plan, SUBSTITUTE, CONFIG) == expected


@pytest.mark.parametrize(
    ("engine", "size", "metadata", "expected"),
    [
        pytest.param("argocd", LIMIT, "", "ServerSideApply=true", id="too-large-for-a-copy"),
        pytest.param("argocd", LIMIT - 9000, "", ABSENT, id="small-enough"),
        pytest.param(
            "argocd",
            LIMIT - 9000,
            annotation("note", "n" * 2000),
            "ServerSideApply=true",
            id="all-annotations-count",
        ),
        pytest.param("flux", LIMIT, "", ABSENT, id="flux-makes-no-copy"),
        pytest.param(
            "argocd",
            LIMIT,
            annotation("argocd.argoproj.io/sync-options", "Replace=true"),
            "Replace=true",
            id="the-user-has-another-way",
        ),
        pytest.param(
            "argocd",
            LIMIT,
            annotation("argocd.argoproj.io/sync-options", "ServerSideApply=false"),
            "ServerSideApply=false",
            id="the-user-said-no",
        ),
    ],
)
def test_objects_too_large_for_client_side_apply(
    engine: str, size: int, metadata: str, expected: Maybe
) -> None:
    plan = made({"script.yaml": config("x" * size, metadata), "krender.yaml": settings(engine)})
    assert at(plan, SYNC, CONFIG) == expected


@pytest.mark.parametrize(
    ("unit", "engine", "cluster", "expected"),
    [
        pytest.param(
            "namespace",
            "argocd",
            "east",
            "SkipDryRunOnMissingResource=true",
            id="defined-by-another-application",
        ),
        pytest.param("namespace", "argocd", "north", ABSENT, id="only-where-the-definition-is-rendered"),
        pytest.param("cluster", "argocd", "east", ABSENT, id="one-application-applies-both"),
        pytest.param("namespace", "flux", "east", ABSENT, id="flux-has-no-such-option"),
    ],
)
def test_objects_whose_kind_may_come_later(unit: str, engine: str, cluster: str, expected: Maybe) -> None:
    files = {"crd.yaml": CRD, "crds.yaml": CRD_POLICY, "shop.yaml": SHOP_OBJECT}
    plan = made({**files, "krender.yaml": settings(engine, unit=unit)})
    assert at(plan, SYNC, "shop/shop.example.org.web.yaml", cluster) == expected


def test_options_of_two_reasons_stand_in_one_annotation() -> None:
    files = {
        "crd.yaml": CRD,
        "crds.yaml": CRD_POLICY,
        "shop.yaml": SHOP_OBJECT.replace("spec: {}", f"spec: {{a: {'x' * LIMIT}}}"),
    }
    plan = made({**files, "krender.yaml": settings(unit="namespace", protect="[Shop]")})
    options = "SkipDryRunOnMissingResource=true,Prune=false,ServerSideApply=true"
    assert at(plan, SYNC, "shop/shop.example.org.web.yaml") == options
    assert [item.by for item in adaptations(plan, "Shop")] == ["undefined", "protect", "protect", "large"]


def test_what_sops_has_sealed_is_not_touched_and_told() -> None:
    sealed = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\nstringData: {a: 'ENC[x]'}\n"
        "sops: {mac: 'ENC[x]', lastmodified: '2026-01-01T00:00:00Z', version: 3.9.0}\n"
    )
    plan = made({"secret.yaml": sealed, "krender.yaml": settings(protect="[Secret]")})
    node = plan.tree.at("clusters/east/shop/secret.key.yaml")
    assert isinstance(node, Blob)
    assert node.data == sealed.encode()
    assert [(item.by, item.withheld) for item in adaptations(plan, "Secret")] == [("protect", True)] * 2


@pytest.mark.parametrize("metadata", [None, {"annotations": ["a"]}, {"annotations": "a"}])
def test_there_is_no_annotation_where_there_is_no_map(metadata: Value) -> None:
    assert annotated({"metadata": metadata}, "key", "value", by="test", reason="") == ()
