"""What fails on many clusters is told once, and keeps no rule from a fair judgement."""

from __future__ import annotations

import pytest

from renderer.check.failures import every_problem, failures
from renderer.check.rules import findings
from renderer.pipeline import render
from tests.check.traps import TRAPS
from tests.workspaces import FLEET, POLICY, SHOP, WEB, plan, workspace

OVERRIDES = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: o, namespace: shop, annotations: {krender.io/values: jinja2}}
spec:
  overrideRules:
  - overriders:
      annotationsOverrider: [{operator: add, value: {zone: "{{ cluster.spec.zne }}"}}]
  - overriders:
      annotationsOverrider: [{operator: add, value: {region: eu}}]
"""


def test_a_fact_that_many_clusters_lack_is_one_problem() -> None:
    more = (f"  - {{name: n{i}, provider: p{i}, labels: {{stage: prod}}}}\n" for i in range(9))
    files = {
        **SHOP,
        "fleet.yaml": FLEET + "".join(more),
        "api.yaml": WEB.replace("name: web, namespace", "name: api, namespace"),
        "policy.yaml": POLICY.replace(", name: web}]", "}]").replace("Divided, ", "Duplicated, "),
        "o.yaml": OVERRIDES,
    }
    (problem,) = failures(plan(files))
    assert str(problem.where) == "o.yaml:7:54"
    assert problem.what == 'OverridePolicy shop/o, rule 1: an expression has no value: there is no "zne"'
    assert problem.why.endswith("(east, n0, n1 and 8 more)")


def test_problems_with_one_cause_are_told_a_few_times_and_counted_all() -> None:
    lonely = {f"{i}.yaml": WEB.replace("name: web, namespace", f"name: w{i}, namespace") for i in range(30)}
    whole = plan({**SHOP, **lonely})
    assert len(findings(whole)) == 20
    assert len(every_problem(whole)) == 30


def test_what_a_workspace_is_strict_about_is_counted_once() -> None:
    strict = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {strict: {readiness: true}}\n"
    told = every_problem(plan({**TRAPS["KR214"], "krender.yaml": strict}))
    assert [problem.severity.value for problem in told if problem.rule == "KR214"] == ["error"]


def test_where_an_error_left_something_out_nothing_is_said_of_the_rest() -> None:
    files = {**SHOP, "web.yaml": "kind: [", "lonely.yaml": WEB}
    told = every_problem(render(workspace(files, lenient=True)))
    assert [str(problem.where) for problem in told] == ["web.yaml:1:7"]


def test_a_rule_after_one_that_fails_is_not_called_idle() -> None:
    assert not findings(plan({**SHOP, "o.yaml": OVERRIDES}))


def test_a_rule_that_is_not_about_what_fails_is_judged() -> None:
    idle = OVERRIDES.replace("name: o,", "name: idle,").replace("zne", "region")
    idle = idle.replace("spec:\n", "spec:\n  resourceSelectors: [{apiVersion: v1, kind: Secret}]\n")
    told = findings(plan({**SHOP, "o.yaml": OVERRIDES, "idle.yaml": idle}))
    assert [str(problem.where) for problem in told if problem.rule == "KR301"] == [
        "idle.yaml:7:5",
        "idle.yaml:9:5",
    ]


@pytest.mark.parametrize(
    ("files", "place", "fix"),
    [
        pytest.param(
            {**SHOP, "policy.yaml": POLICY.replace("spec:", "spec:\n  dependentOverrides: [later]")},
            "policy.yaml:5:3",
            "add the override policies, or take them out of dependentOverrides",
            id="an-override-that-does-not-exist",
        ),
        pytest.param(
            {
                **SHOP,
                "policy.yaml": POLICY.replace(
                    "spec:",
                    "spec:\n  schedulePriority:"
                    " {priorityClassName: x, priorityClassSource: KubePriorityClass}",
                ),
            },
            "policy.yaml:5:22",
            "add the PriorityClass to the workspace, or correct priorityClassName",
            id="a-priority-class-that-does-not-exist",
        ),
        pytest.param(
            {**SHOP, "web.yaml": WEB.replace("replicas: 4", 'replicas: "4"')},
            "web.yaml:5:3",
            "write it without quotes",
            id="a-value-of-the-wrong-type",
        ),
        pytest.param(
            {
                **SHOP,
                "policy.yaml": POLICY.replace("spec:", "spec:\n  propagateDeps: true").replace(
                    "apps/v1, kind: Deployment", "networking.k8s.io/v1, kind: Ingress"
                ),
                "web.yaml": "apiVersion: networking.k8s.io/v1\nkind: Ingress\n"
                "metadata: {name: web, namespace: shop}\nspec: {tls: [{hosts: [a.example]}]}\n",
            },
            "web.yaml:1:1",
            "correct the reference in the template, or set propagateDeps to false",
            id="a-reference-that-is-none",
        ),
    ],
)
def test_what_cannot_be_decided_is_told_where_the_fault_is(
    files: dict[str, str], place: str, fix: str
) -> None:
    (problem,) = failures(plan(files))
    assert (str(problem.where), problem.fix) == (place, fix)
