"""What belongs together and does not go together is told, and nothing else."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.check.together import APART, AT_ODDS, UNSUPPLIED, together_findings
from renderer.document.problem import Problem
from renderer.interpret.optional import needed
from renderer.model.interpretation import Dependency
from tests.workspaces import FLEET, POLICY, SHOP, WEB, plan


def found(files: dict[str, str]) -> list[Problem]:
    """The findings of this family."""
    return list(together_findings(plan(files)))


def service(selector: str, name: str = "web") -> str:
    """A Service."""
    return (
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{ports: [{{port: 80}}], selector: {selector}}}\n"
    )


def budget(selector: str) -> str:
    """A PodDisruptionBudget."""
    return (
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\n"
        f"spec: {{minAvailable: 1, selector: {selector}}}\n"
    )


def autoscaler(target: str, kind: str = "Deployment", version: str = "apps/v1") -> str:
    """A HorizontalPodAutoscaler."""
    return (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
        "metadata: {name: web, namespace: shop}\n"
        f"spec: {{maxReplicas: 3, scaleTargetRef: {{apiVersion: {version}, kind: {kind}, name: {target}}}}}\n"
    )


INGRESS: Final = """\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  rules:
  - http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
"""
SERVED: Final = POLICY.replace("[{api", "[{apiVersion: v1, kind: Service}, {api")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"f.yaml": service("{app: web}")}, True, id="a-service-of-its-pods"),
        pytest.param({"f.yaml": service("{app: web, tier: x}")}, False, id="a-service-of-other-pods"),
        pytest.param({"f.yaml": service("{}")}, False, id="a-service-that-selects-nothing"),
        pytest.param(
            {"f.yaml": service("{app: web}").replace("namespace: shop", "namespace: other")},
            False,
            id="a-service-of-another-namespace",
        ),
        pytest.param({"f.yaml": budget("{matchLabels: {app: web}}")}, True, id="a-budget-of-its-pods"),
        pytest.param({"f.yaml": budget("{}")}, True, id="a-budget-of-all-pods"),
        pytest.param(
            {"f.yaml": budget("{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}")},
            False,
            id="a-budget-of-others",
        ),
        pytest.param({"f.yaml": autoscaler("web")}, True, id="an-autoscaler"),
        pytest.param({"f.yaml": autoscaler("web", version="apps/v2")}, True, id="whatever-the-version"),
        pytest.param({"f.yaml": autoscaler("web", kind="StatefulSet")}, False, id="of-another-kind"),
        pytest.param({"f.yaml": autoscaler("api")}, False, id="of-what-is-not-there"),
        pytest.param(
            {"f.yaml": service("{app: web}"), "policy.yaml": SERVED, "i.yaml": INGRESS},
            True,
            id="an-ingress-before-its-service",
        ),
        pytest.param({"i.yaml": INGRESS}, False, id="an-ingress-before-nothing"),
        pytest.param(
            {"f.yaml": service("{app: web}"), "policy.yaml": SERVED}, False, id="what-goes-along-is-fine"
        ),
        pytest.param(
            {"f.yaml": service("{app: web}"), "policy.yaml": "# none\n"},
            False,
            id="what-is-nowhere-lacks-nothing",
        ),
        pytest.param(
            {
                "f.yaml": service("{app: web}"),
                "fleet.yaml": FLEET.replace(
                    "labels: {stage: prod}", "labels: {stage: prod}, apis: [apps/v1/Deployment]"
                ),
            },
            False,
            id="a-cluster-that-has-no-such-kind-cannot-have-one",
        ),
    ],
)
def test_followers(files: dict[str, str], told: bool) -> None:
    problems = found({**SHOP, **files})
    assert [problem.rule for problem in problems] == [APART.id] * told


def test_the_clusters_that_lack_it_are_named() -> None:
    elsewhere = POLICY.replace("name: web", "name: svc").replace(
        "apps/v1, kind: Deployment, name: svc", "v1, kind: Service"
    )
    files = {
        "f.yaml": service("{app: web}"),
        "svc.yaml": elsewhere.replace("{labelSelector", "{exclude: [north], labelSelector"),
    }
    (problem,) = found({**SHOP, **files})
    assert problem.what == "Service shop/web does not go to north, where Deployment shop/web is"
    assert problem.fix == "select it in PropagationPolicy shop/web too"
    assert str(problem.where) == "f.yaml:4:29"


def test_pods_of_every_kind_are_found() -> None:
    cron = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: c, namespace: shop}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        metadata: {labels: {app: cron}}
        spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: shop, labels: {app: pod}}
spec: {containers: [{name: c, image: i}]}
"""
    chosen = POLICY.replace(
        "[{api", "[{apiVersion: v1, kind: Pod}, {apiVersion: batch/v1, kind: CronJob}, {api"
    )
    files = {
        "c.yaml": cron,
        "policy.yaml": chosen,
        "a.yaml": service("{app: cron}"),
        "b.yaml": service("{app: pod}", "b"),
    }
    assert len(found({**SHOP, **files})) == 2


NEEDING: Final = {"web.yaml": WEB.replace("image:", "envFrom: [{secretRef: {name: key}}], image:")}
KEY: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({**NEEDING, "key.yaml": KEY}, True, id="placed-nowhere"),
        pytest.param(NEEDING, False, id="not-in-the-workspace"),
        pytest.param(
            {
                **NEEDING,
                "key.yaml": KEY,
                "policy.yaml": POLICY.replace("spec:", "spec:\n  propagateDeps: true"),
            },
            False,
            id="taken-along",
        ),
        pytest.param(
            {
                "web.yaml": NEEDING["web.yaml"].replace("name: key}", "name: key, optional: true}"),
                "key.yaml": KEY,
            },
            False,
            id="optional",
        ),
        pytest.param(
            {
                **NEEDING,
                "key.yaml": KEY,
                "policy.yaml": POLICY.replace("[{api", "[{apiVersion: v1, kind: Secret}, {api"),
            },
            False,
            id="placed-with-it",
        ),
    ],
)
def test_needs(files: dict[str, str], told: bool) -> None:
    assert [problem.rule for problem in found({**SHOP, **files})] == [UNSUPPLIED.id] * told


def test_what_is_lacking_where_is_told() -> None:
    (problem,) = found({**SHOP, **NEEDING, "key.yaml": KEY})
    assert problem.what == "Deployment shop/web goes to east, north without Secret shop/key, which it needs"


OTHER: Final = {
    **NEEDING,
    "key.yaml": KEY,
    "more.yaml": NEEDING["web.yaml"].replace("{name: web, namespace", "{name: api, namespace"),
}


def policies(first: str, second: str) -> dict[str, str]:
    """Two policies that take dependencies along, with more said in each."""
    one = POLICY.replace("spec:", f"spec:\n  propagateDeps: true\n  {first}")
    two = POLICY.replace("spec:", f"spec:\n  propagateDeps: true\n  {second}").replace(
        "name: web", "name: api"
    )
    return {"policy.yaml": one, "other.yaml": two}


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        pytest.param("conflictResolution: Abort", "", "", id="of-one-mind"),
        pytest.param(
            "conflictResolution: Overwrite",
            "",
            "Deployment shop/api (Abort), Deployment shop/web (Overwrite), whose conflictResolution differ",
            id="overwrite-or-abort",
        ),
        pytest.param(
            "preserveResourcesOnDeletion: true",
            "preserveResourcesOnDeletion: false",
            "Deployment shop/api (false), Deployment shop/web (true), "
            "whose preserveResourcesOnDeletion differ",
            id="preserved-or-not",
        ),
    ],
)
def test_parents_at_odds(first: str, second: str, what: str) -> None:
    problems = found({**SHOP, **OTHER, **policies(first, second)})
    assert [problem.rule for problem in problems] == [AT_ODDS.id] * bool(what)
    assert all(what in problem.what for problem in problems)


@pytest.mark.parametrize(
    ("spec", "kept"),
    [
        pytest.param(
            {"env": [{"valueFrom": {"secretKeyRef": {"name": "a", "optional": True}}}]}, False, id="env"
        ),
        pytest.param(
            {"env": [{"valueFrom": {"secretKeyRef": {"name": "a", "optional": False}}}]}, True, id="not"
        ),
        pytest.param({"volumes": [{"secret": {"secretName": "a", "optional": True}}]}, False, id="volume"),
        pytest.param(
            {"volumes": [{"projected": {"sources": [{"secret": {"name": "a", "optional": True}}]}}]},
            False,
            id="projected",
        ),
        pytest.param({"imagePullSecrets": [{"name": "a"}]}, False, id="for-pulling"),
        pytest.param(
            {
                "imagePullSecrets": [{"name": "a"}],
                "volumes": [{"secret": {"secretName": "a"}}],
            },
            True,
            id="once-is-enough",
        ),
        pytest.param({}, True, id="whatever-else-names-it"),
    ],
)
def test_optional_references(spec: dict[str, object], kept: bool) -> None:
    need = Dependency(api_version="v1", kind="Secret", namespace="shop", name="a")
    assert needed([need], {"spec": spec}) == (need,) * kept  # type: ignore[dict-item]
