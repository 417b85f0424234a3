"""Autoscalers: each with an example that is told, and one close to it that is not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.check.rules import findings
from renderer.document.problem import Problem, Severity
from tests.check.scaling import DUPLICATED, EQUAL, SCALED, SCALING, VPA
from tests.delivery.adapt.scaled import ALL, HPA, KEDA, settings
from tests.workspaces import WEB, plan

POLICED = (
    VPA.replace("{", "{{")
    .replace("}", "}}")
    .replace("spec: {{", 'spec: {{resourcePolicy: {{containerPolicies: [{{containerName: "*", {}}}]}}, ')
)
BOUNDED = HPA.replace("maxReplicas: 9", "minReplicas: 1, maxReplicas: 9")


def found(files: Mapping[str, str], rule: str) -> list[Problem]:
    """The findings of a rule where the shop is scaled, with other files."""
    return [problem for problem in findings(plan({**SCALED, **files})) if problem.rule == rule]


def test_a_file_and_an_autoscaler_are_told_at_the_field() -> None:
    (problem,) = found({}, "KR831")
    assert (problem.where.file, problem.where.line, problem.severity) == ("web.yaml", 5, Severity.WARNING)
    assert problem.what == (
        "Deployment shop/web has its replicas in a file, "
        "and HorizontalPodAutoscaler shop/web scales it on east, north"
    )


@pytest.mark.parametrize(
    ("files", "number"),
    [
        pytest.param({"krender.yaml": settings()}, 0, id="with-an-engine-they-are-left-out"),
        pytest.param({"krender.yaml": settings(autoscaled="ignore")}, 0, id="or-left-alone"),
        pytest.param({"krender.yaml": settings(autoscaled="keep")}, 1, id="unless-somebody-keeps-them"),
        pytest.param({"web.yaml": WEB.replace("  replicas: 4\n", "")}, 0, id="nobody-wrote-them"),
        pytest.param({"web.yaml": WEB.replace("replicas: 4", "replicas: 0")}, 0, id="switched-off"),
        pytest.param({"hpa.yaml": KEDA}, 1, id="keda-too"),
        pytest.param({"hpa.yaml": HPA.replace("name: web}}", "name: api}}")}, 0, id="of-something-else"),
    ],
)
def test_two_writers(files: Mapping[str, str], number: int) -> None:
    assert len(found(files, "KR831")) == number


@pytest.mark.parametrize(
    ("autoscaler", "severity", "outside", "bounds"),
    [
        pytest.param(BOUNDED, Severity.NOTE, "", "2 to 18", id="a-share-within-bounds-is-a-note"),
        pytest.param(
            BOUNDED.replace("minReplicas: 1", "minReplicas: 3"),
            Severity.WARNING,
            ", and the share of east, north is outside its bounds",
            "6 to 18",
            id="a-share-below-the-minimum",
        ),
        pytest.param(KEDA, Severity.NOTE, "", "0 to 200", id="keda-has-other-defaults"),
    ],
)
def test_divided_and_scaled(autoscaler: str, severity: Severity, outside: str, bounds: str) -> None:
    policy = ALL.replace(DUPLICATED, EQUAL)
    (problem,) = found({"policy.yaml": policy, "hpa.yaml": autoscaler, "krender.yaml": settings()}, "KR832")
    kind = "ScaledObject" if autoscaler == KEDA else "HorizontalPodAutoscaler"
    assert (problem.severity, problem.why) == (
        severity,
        f"altogether it has {bounds} replicas then, whatever is divided",
    )
    assert problem.what == (
        "Deployment shop/web: 4 replicas are divided among 2 clusters, "
        f"each of which {kind} shop/web scales by itself{outside}"
    )


def test_what_is_duplicated_is_meant_for_each_cluster() -> None:
    assert found({"krender.yaml": settings()}, "KR832") == []


def test_what_is_sealed_is_told_once() -> None:
    (problem,) = found(SCALING["KR833"], "KR833")
    assert problem.what.startswith("Secret shop/key is encrypted with SOPS, so /metadata/annotations/argocd")


@pytest.mark.parametrize(
    ("vpa", "metrics", "common"),
    [
        pytest.param(VPA, "", "cpu", id="an-hpa-looks-at-cpu-unless-it-says-otherwise"),
        pytest.param(
            VPA,
            ", metrics: [{type: Resource, resource: {name: memory, target: {type: Utilization}}}, "
            "{type: ContainerResource, containerResource: {name: cpu, target: {type: Utilization}}}]",
            "memory and cpu",
            id="both",
        ),
        pytest.param(
            VPA,
            ", metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue}}}]",
            "",
            id="an-absolute-value-does-not-depend-on-requests",
        ),
        pytest.param(VPA, ", metrics: [{type: Pods}]", "", id="another-metric"),
        pytest.param(
            VPA.replace("spec: {", "spec: {updatePolicy: {updateMode: Off}, "),
            "",
            "cpu",
            id="off-is-false-in-yaml",
        ),
        pytest.param(
            VPA.replace("spec: {", 'spec: {updatePolicy: {updateMode: "Off"}, '), "", "", id="it-only-advises"
        ),
        pytest.param(
            POLICED.format('mode: "Off"'),
            "",
            "",
            id="off-for-every-container",
        ),
        pytest.param(
            POLICED.format("controlledResources: [memory]"),
            "",
            "",
            id="it-sets-another-resource",
        ),
        pytest.param(VPA.replace("name: web}}", "name: api}}"), "", "", id="of-something-else"),
    ],
)
def test_two_autoscalers_of_one_resource(vpa: str, metrics: str, common: str) -> None:
    files = {
        **SCALING["KR834"],
        "vpa.yaml": vpa,
        "hpa.yaml": HPA.replace("maxReplicas: 9", f"maxReplicas: 9{metrics}"),
    }
    told = [problem.what for problem in found(files, "KR834")]
    expected = (
        "VerticalPodAutoscaler shop/web and HorizontalPodAutoscaler shop/web both act on "
        f"{common} of Deployment shop/web on east, north"
    )
    assert told == ([expected] if common else [])


def test_keda_by_cpu_is_one_of_them() -> None:
    keda = KEDA.replace("triggers: []", "triggers: [{type: cpu}]")
    assert len(found({**SCALING["KR834"], "hpa.yaml": keda}, "KR834")) == 1
