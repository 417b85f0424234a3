"""Tests of what is told about teams."""

from __future__ import annotations

import pytest

from renderer.check.rules import findings
from tests.check.teams import ENGINE, teams
from tests.workspaces import FLEET, NAMESPACE, SHOP, plan

MOVED = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  overrideRules:
  - targetCluster: {clusterNames: [east]}
    overriders: {plaintext: [{path: /metadata/namespace, operator: replace, value: bank}]}
"""
BOTH = "is on east, north, and a may not"
BANK = "name: bank, namespaces: [bank]"
CLUSTER_POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterOverridePolicy
metadata: {name: all}
spec:
  overrideRules: [{overriders: {labelsOverrider: [{operator: add, value: {a: b}}]}}]
"""


def told(files: dict[str, str]) -> list[tuple[str, str, str]]:
    """Rule, file and what of the findings about teams."""
    return [
        (problem.rule, problem.where.file, problem.what)
        for problem in findings(plan(files))
        if problem.rule in ("KR901", "KR902", "KR903")
    ]


@pytest.mark.parametrize(
    ("tenant", "whats"),
    [
        pytest.param("namespaces: [shpo]", ["the namespaces of a: shpo fits nothing"], id="namespace"),
        pytest.param("namespaces: [shop, z*]", [], id="a-pattern-waits-for-what-is-to-come"),
        pytest.param(
            "namespaces: [shop], clusters: [west]", [], id="a-cluster-that-gets-nothing-is-one-all-the-same"
        ),
    ],
)
def test_what_fits_nothing(tenant: str, whats: list[str]) -> None:
    found = findings(plan({**SHOP, "krender.yaml": teams(f"name: a, {tenant}")}))
    assert [problem.what for problem in found if problem.rule == "KR904"] == whats


@pytest.mark.parametrize(
    "tenant",
    [
        pytest.param("namespaces: [shop]", id="everything-if-nothing-else-is-said"),
        pytest.param("namespaces: [sh*], clusters: [east, n*], kinds: [Deployment.apps]", id="exactly"),
        pytest.param("namespaces: [other], kinds: [None]", id="another-namespace"),
        pytest.param("namespaces: ['*'], kinds: ['*'], clusters: ['*']", id="anything"),
        pytest.param("namespaces: [shop], paths: [web.yaml, policy.yaml]", id="sources-of-its-own"),
        pytest.param("namespaces: [shop], paths: [web, pol]", id="a-path-ends-at-a-slash"),
    ],
)
def test_what_a_team_may_have(tenant: str) -> None:
    assert told({**SHOP, "krender.yaml": teams(f"name: a, {tenant}")}) == []


@pytest.mark.parametrize(
    ("tenant", "what"),
    [
        pytest.param("clusters: [nor*]", "is on east, and a may not be there", id="cluster"),
        pytest.param("kinds: [Deployment]", f"{BOTH} have Deployment.apps", id="group"),
        pytest.param("kinds: [Service]", f"{BOTH} have Deployment.apps", id="kind"),
    ],
)
def test_what_a_team_may_not_have(tenant: str, what: str) -> None:
    files = {**SHOP, "krender.yaml": teams(f"name: a, namespaces: [shop], {tenant}")}
    assert told(files) == [("KR901", "web.yaml", f"Deployment shop/web {what}")]


def test_an_override_can_make_it_anothers() -> None:
    settings = teams("name: shop, namespaces: [shop]", f"{BANK}, clusters: [north]")
    assert told({**SHOP, "o.yaml": MOVED, "krender.yaml": settings}) == [
        ("KR901", "web.yaml", "Deployment bank/web is on east, and bank may not be there")
    ]


def test_sources_that_decide_about_others() -> None:
    files = {
        "krender.yaml": teams("name: a, namespaces: [shop], paths: [team]"),
        "team/policy.yaml": CLUSTER_POLICY,
        "team/namespace.yaml": NAMESPACE,
        "team/fleet.yaml": FLEET,
        "team/web.yaml": SHOP["web.yaml"],
    }
    assert [(rule, file) for rule, file, _ in told(files)] == [
        ("KR902", "team/fleet.yaml"),
        ("KR902", "team/fleet.yaml"),
        ("KR902", "team/fleet.yaml"),
        ("KR902", "team/namespace.yaml"),
        ("KR902", "team/policy.yaml"),
    ]


def test_a_unit_for_each_namespace_keeps_teams_apart() -> None:
    apart = ENGINE.replace("engine:", "unit: namespace, engine:")
    files = {**SHOP, "krender.yaml": teams("name: a, namespaces: [shop]", more=apart)}
    assert told(files) == []
    assert [(unit.name, unit.tenant) for unit in plan(files).units] == [
        ("east.cluster-scoped", ""),
        ("east.shop", "a"),
        ("north.cluster-scoped", ""),
        ("north.shop", "a"),
    ]


def test_strictly_it_stops_a_render() -> None:
    from renderer.check.failures import failures

    settings = teams("name: a, namespaces: [shop], clusters: [west]", more="  strict: {tenants: true}\n")
    assert [problem.rule for problem in failures(plan({**SHOP, "krender.yaml": settings}))] == ["KR901"]
