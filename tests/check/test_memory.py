"""What history does to a workspace is told."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.check.memory import memory_findings
from renderer.document.problem import Problem, Severity
from renderer.model.previous import NOTHING
from renderer.model.tree import Blob, placed
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, POLICY, SHOP, WEB, workspace

STICKY: Final = {"krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {claims: sticky}\n"}
FAILOVER: Final = {
    "krender.yaml": "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
    "spec: {featureGates: {Failover: true}, failover: {noExecuteEviction: true}}\n"
}
LAZY: Final = {"policy.yaml": POLICY.replace("spec:", "spec:\n  activationPreference: Lazy")}
BY_LABEL: Final = {"policy.yaml": POLICY.replace("name: web}]", "labelSelector: {matchLabels: {app: web}}}]")}
TAINTED: Final = {
    "fleet.yaml": FLEET.replace("name: east", "name: east, taints: [{key: gone, effect: NoExecute}]")
}


def found(*steps: dict[str, str]) -> list[Problem]:
    """The findings of this family about the last of some workspaces."""
    previous = NOTHING
    for files in steps:
        plan = render(workspace({**SHOP, **files}), previous)
        previous = read_previous(plan.tree)
    return list(memory_findings(plan))


def told(*steps: dict[str, str]) -> list[str]:
    """What they say."""
    return [problem.what for problem in found(*steps)]


@pytest.mark.parametrize(
    ("steps", "what"),
    [
        pytest.param([{**STICKY, **LAZY}], "", id="a-lazy-policy-and-its-template-together"),
        pytest.param(
            [{**STICKY, "policy.yaml": "# none\n"}, {**STICKY, **LAZY}],
            "Deployment shop/web is claimed by PropagationPolicy shop/web and placed nowhere yet",
            id="a-lazy-policy-after-its-template",
        ),
        pytest.param(
            [{**STICKY, **LAZY}, {**STICKY, "policy.yaml": LAZY["policy.yaml"].replace("prod", "test")}],
            "Deployment shop/web does not follow PropagationPolicy shop/web as it is now",
            id="a-lazy-policy-that-changed",
        ),
        pytest.param([{**STICKY, **LAZY}, {**STICKY, **LAZY}], "", id="a-lazy-policy-as-it-was"),
        pytest.param(
            [
                {**STICKY, **BY_LABEL},
                {
                    **STICKY,
                    **BY_LABEL,
                    "web.yaml": WEB.replace("labels: {app: web}}\nspec:\n  r", "labels: {a: b}}\nspec:\n  r"),
                },
            ],
            "Deployment shop/web keeps the claim of PropagationPolicy shop/web, "
            "which does not select it any more",
            id="a-template-that-changed-its-labels",
        ),
    ],
)
def test_what_waits(steps: list[dict[str, str]], what: str) -> None:
    assert told(*steps) == [what] * bool(what)


def test_who_is_leaving() -> None:
    (problem,) = found(FAILOVER, {**FAILOVER, **TAINTED})
    assert problem.what == "Deployment shop/web is leaving east"
    assert problem.why == "it keeps its files on east until the eviction is over"
    directly = {"policy.yaml": POLICY.replace("spec:", "spec:\n  failover: {cluster: {purgeMode: Directly}}")}
    (problem,) = found({**FAILOVER, **directly}, {**FAILOVER, **directly, **TAINTED})
    assert problem.why == "its files are gone from there"


TAINT_POLICY: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata: {name: unready}
spec: {taints: [{key: unready, effect: NoSchedule}]}
"""
STATEFUL: Final = "failover: {cluster: {statePreservation: {rules: [{aliasLabelName: a, jsonPath: '{.a}'}]}}}"


@pytest.mark.parametrize(
    ("files", "what"),
    [
        pytest.param({"t.yaml": TAINT_POLICY}, "ClusterTaintPolicy unready gives no taint", id="no-gate"),
        pytest.param({"t.yaml": TAINT_POLICY, **FAILOVER}, "", id="behind-its-gate"),
        pytest.param(
            {
                "policy.yaml": POLICY.replace(
                    "spec:",
                    "spec:\n  propagateDeps: true\n  failover: {application: {decisionConditions: {}}}",
                )
            },
            "PropagationPolicy shop/web: applications that become unhealthy are not moved",
            id="applications",
        ),
        pytest.param(
            {"policy.yaml": POLICY.replace("spec:", f"spec:\n  {STATEFUL}")}, "", id="no-state-without-a-gate"
        ),
        pytest.param(
            {
                "policy.yaml": POLICY.replace("spec:", f"spec:\n  {STATEFUL}"),
                "krender.yaml": FAILOVER["krender.yaml"].replace(
                    "{Failover", "{StatefulFailoverInjection: true, Failover"
                ),
            },
            "PropagationPolicy shop/web: nothing is evicted, because its state could not be preserved",
            id="state",
        ),
    ],
)
def test_failover_that_does_not_happen(files: dict[str, str], what: str) -> None:
    assert told(files) == [what] * bool(what)


PRESERVING: Final = {"policy.yaml": POLICY.replace("spec:", "spec:\n  preserveResourcesOnDeletion: true")}


def test_what_outlives_its_file() -> None:
    problems = found(PRESERVING, {**PRESERVING, "web.yaml": "# gone\n"})
    assert [problem.what for problem in problems] == [
        f"{path} on east, north is published with the marks that keep it from being pruned"
        for path in ("_cluster/namespace.shop.yaml", "shop/deployment.apps.web.yaml")
    ]
    assert {problem.severity for problem in problems} == {Severity.NOTE}


def test_what_cannot_be_marked_is_a_warning() -> None:
    published = render(workspace({**SHOP, **PRESERVING})).tree
    path = "clusters/east/shop/deployment.apps.web.yaml"
    previous = read_previous(placed(published, path, Blob((WEB + "sops: {}\n").encode())))
    plan = render(workspace({**SHOP, **PRESERVING, "web.yaml": "# gone\n"}), previous)
    (problem,) = [item for item in memory_findings(plan) if item.severity is Severity.WARNING]
    assert (
        problem.what == "shop/deployment.apps.web.yaml on east is kept as it is, because it cannot be marked"
    )
