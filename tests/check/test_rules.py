"""Every rule has an example that breaks it, and a section in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renderer.check.rules import RULES, findings
from renderer.document.problem import Problem, Severity
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, NAMESPACE, POLICY, SHOP, WEB, plan

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"

DIGEST = "sha256:" + "a" * 64


def override(rule: str, kind: str = "OverridePolicy", name: str = "o") -> str:
    """An override policy over Deployments with one rule, given as the YAML of its overriders."""
    namespace = ", namespace: shop" if kind == "OverridePolicy" else ""
    return f"""\
apiVersion: policy.karmada.io/v1alpha1
kind: {kind}
metadata: {{name: {name}{namespace}}}
spec:
  resourceSelectors: [{{apiVersion: apps/v1, kind: Deployment}}]
  overrideRules:
  - overriders: {rule}
"""


def image(component: str, operator: str, value: str) -> str:
    """An imageOverrider."""
    return f'{{imageOverrider: [{{component: {component}, operator: {operator}, value: "{value}"}}]}}'


def patch(path: str, operator: str, value: str) -> str:
    """A plaintext overrider."""
    return f"{{plaintext: [{{path: {path}, operator: {operator}, value: {value}}}]}}"


ROLE = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n"

BREAKING = {
    "KR101": {**SHOP, "policy.yaml": POLICY.replace("apps/v1", "apps/v1beta1")},
    "KR102": {**SHOP, "late.yaml": POLICY.replace("{name: web, namespace", "{name: zzz, namespace")},
    "KR103": {**SHOP, "role.yaml": ROLE},
    "KR105": {**SHOP, "web2.yaml": WEB.replace("namespace: shop", "namespace: kube-system")},
    "KR201": {**SHOP, "fleet.yaml": FLEET.replace("stage: prod", "stage: gone")},
    "KR202": {**SHOP, "policy.yaml": POLICY.replace("{labelSelector", "{exclude: [weast], labelSelector")},
    "KR203": {
        **SHOP,
        "policy.yaml": POLICY + "    spreadConstraints: [{spreadByField: cluster, maxGroups: 1}]\n",
    },
    "KR301": {
        **SHOP,
        "o.yaml": override(image("Tag", "replace", "2")).replace(
            "  - overriders", "  - targetCluster: {clusterNames: [west]}\n    overriders"
        ),
    },
    "KR302": {**SHOP, "o.yaml": override(image("Tag", "replace", "1.2"))},
    "KR303": {
        **SHOP,
        "a.yaml": override(image("Tag", "replace", "2"), "ClusterOverridePolicy"),
        "b.yaml": override(image("Tag", "replace", "3")),
    },
    "KR304": {
        **SHOP,
        "web.yaml": WEB.replace("web:1.2", f"web:1.2@{DIGEST}"),
        "o.yaml": override(image("Registry", "replace", "mirror.example")),
    },
    "KR305": {**SHOP, "o.yaml": override(patch("/metadata/labels", "replace", "{x: y}"))},
    "KR306": {**SHOP, "o.yaml": override(image("Repository", "remove", ""))},
    "KR307": {
        **SHOP,
        "o.yaml": override("{argsOverrider: [{containerName: wbe, operator: add, value: [x]}]}"),
    },
    "KR308": {
        **SHOP,
        "agent.yaml": WEB.replace("image:", "args: [8080], image:").replace("Deployment", "DaemonSet"),
        "policy.yaml": POLICY.replace("kind: Deployment, name: web", "kind: DaemonSet"),
        "o.yaml": override(
            "{argsOverrider: [{containerName: web, operator: add, value: [x]}]}", "ClusterOverridePolicy"
        ).replace("kind: Deployment", "kind: DaemonSet"),
    },
    "KR309": {**SHOP, "o.yaml": override(patch("/spec/replicas", "replace", "7"))},
    "KR401": {key: value for key, value in SHOP.items() if value != NAMESPACE},
}


def test_a_clean_workspace_has_no_findings() -> None:
    assert findings(plan(SHOP)) == ()


@pytest.mark.parametrize("rule", BREAKING)
def test_the_example_breaks_its_rule(rule: str) -> None:
    assert rule in [problem.rule for problem in findings(plan(BREAKING[rule]))]


def test_an_orphan_is_told() -> None:
    first = plan(SHOP)
    orphaned = plan({**SHOP, "policy.yaml": "# gone\n"}, read_previous(first.tree))
    assert "KR104" in [problem.rule for problem in findings(orphaned)]
    assert orphaned.tree["clusters"] == first.tree["clusters"]


def test_every_rule_is_tried_and_documented() -> None:
    documented = re.findall(r"^### (KR\d+) (.+)$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [(rule.id, rule.title) for rule in RULES]
    assert {rule.id for rule in RULES} == {*BREAKING, "KR104"}


def only(files: dict[str, str], rule: str) -> Problem:
    """The one finding of a rule."""
    (found,) = (problem for problem in findings(plan(files)) if problem.rule == rule)
    return found


def test_a_version_off_is_named() -> None:
    found = only(BREAKING["KR101"], "KR101")
    assert str(found.where) == "policy.yaml:5:24"
    assert found.fix == 'write "apps/v1"'
    assert found.severity is Severity.WARNING


def test_a_cluster_scoped_kind_needs_a_cluster_policy() -> None:
    policy = POLICY.replace(
        "apps/v1, kind: Deployment, name: web", "rbac.authorization.k8s.io/v1, kind: ClusterRole"
    )
    found = only({**SHOP, "role.yaml": ROLE, "p.yaml": policy.replace("name: web", "name: roles")}, "KR101")
    assert found.severity is Severity.ERROR
    assert found.fix == "make it a ClusterPropagationPolicy"


def test_a_misspelt_cluster_gets_a_suggestion() -> None:
    assert only(BREAKING["KR202"], "KR202").fix in ('write "west"', 'write "east"')


def test_the_sum_of_overridden_replicas_is_told() -> None:
    assert "14 in all instead of 4" in only(BREAKING["KR309"], "KR309").what


def test_lost_keys_are_listed() -> None:
    assert "app" in only(BREAKING["KR305"], "KR305").why
