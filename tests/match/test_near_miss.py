"""Near misses: what a selector that selects nothing was meant for."""

from __future__ import annotations

import pytest

from renderer.match.near_miss import Difference, NearMisses, disagreements
from renderer.match.scope import Scope
from renderer.model.selectors import Requirement, ResourceSelector
from tests.match.build import labelled, selector, template

WEB = template(labels={"app": "web"})
ROLE = template("reader", api_version="rbac.authorization.k8s.io/v1", kind="ClusterRole", namespace="")
API = template("api", namespace="other", labels={"app": "api", "tier": "back"})
TEMPLATES = NearMisses([WEB, ROLE, API], {("example.io", "Region"): Scope.CLUSTER})


@pytest.mark.parametrize(
    ("asked", "namespace", "nearest", "aspects"),
    [
        pytest.param(
            selector("web", api_version="apps/v1beta1"),
            "",
            "Deployment shop/web",
            [Difference.API_VERSION],
            id="another-version",
        ),
        pytest.param(
            selector("web", api_version="extensions/v1beta1"),
            "",
            "Deployment shop/web",
            [Difference.GROUP],
            id="another-group",
        ),
        pytest.param(
            selector("web", namespace="team"),
            "team",
            "Deployment shop/web",
            [Difference.NAMESPACE],
            id="namespace",
        ),
        pytest.param(
            selector("Web"), "", "Deployment shop/web", [Difference.NAME_CASE], id="name-but-for-its-case"
        ),
        pytest.param(selector("wev1"), "", None, [], id="a-name-that-is-not-alike-is-not-meant"),
        pytest.param(
            selector("webs"), "", "Deployment shop/web", [Difference.NAME], id="a-name-that-is-alike"
        ),
        pytest.param(
            selector(kind="deployment"),
            "",
            "Deployment other/api",
            [Difference.KIND_CASE],
            id="kind-but-for-case",
        ),
        pytest.param(
            selector(labels=labelled(app="api", tier="front")),
            "",
            "Deployment other/api",
            [Difference.LABELS],
            id="the-template-with-the-fewest-wrong-labels",
        ),
        pytest.param(
            selector(labels=labelled(Requirement(key="app", operator="like"))),
            "",
            "Deployment other/api",
            [Difference.INVALID_LABELS],
            id="a-label-selector-that-can-match-nothing",
        ),
        pytest.param(
            selector(api_version=ROLE.identity.api_version, kind="ClusterRole", namespace="shop"),
            "shop",
            "ClusterRole reader",
            [Difference.CLUSTER_SCOPED],
            id="a-cluster-scoped-kind-under-a-namespaced-policy",
        ),
        pytest.param(
            selector(api_version="example.io/v1", kind="Region", namespace="shop"),
            "shop",
            None,
            [Difference.CLUSTER_SCOPED],
            id="even-without-a-template-of-the-kind",
        ),
        pytest.param(selector(kind="Job"), "shop", None, [], id="nothing-is-near"),
    ],
)
def test_nearest(
    asked: ResourceSelector, namespace: str, nearest: str | None, aspects: list[Difference]
) -> None:
    misses = TEMPLATES.of(asked, namespace)
    first = misses[0] if misses else None
    assert (str(first.template) if first and first.template else None) == nearest
    assert [item.aspect for item in first.disagreements] == aspects if first else not aspects


def test_a_label_that_differs_is_named() -> None:
    (miss, *_) = TEMPLATES.of(selector("", namespace="shop", labels=labelled(app="api")))
    assert [item.actual for item in miss.disagreements] == ['label app is "web", not "api"']


def test_no_more_than_are_asked_for() -> None:
    assert len(TEMPLATES.of(selector(kind="deployment"), most=1)) == 1


def test_a_selected_template_disagrees_in_nothing() -> None:
    assert disagreements(selector("web", namespace="shop"), WEB, "shop") == ()
    assert TEMPLATES.of(selector("web")) == ()


@pytest.mark.parametrize(
    ("meant", "labels"),
    [
        pytest.param("web", {}, id="the-one-that-has-the-name-and-lacks-the-label"),
        pytest.param("web", {"app": "zzz"}, id="the-one-that-has-the-name-and-another-value"),
        pytest.param("zzz", {}, id="the-one-that-lacks-the-label"),
        pytest.param("zzz", {"app": "webs"}, id="the-one-with-a-misspelt-value"),
    ],
)
def test_of_templates_with_one_wrong_label_the_nearest_is(meant: str, labels: dict[str, str]) -> None:
    other, nearer = template("api", labels={"app": "api"}), template(meant, labels=labels)
    (first, second) = NearMisses([other, nearer]).of(selector("", labels=labelled(app="web")))
    assert (first.template, second.template) == (nearer.identity, other.identity)
