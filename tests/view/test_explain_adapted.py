"""What is changed because of who applies it is explained, and told by diff, from one and the same value."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.document.values import mapping, sequence
from renderer.model.plan import Plan
from renderer.view.diff.reasons import OfPlan, OfRecord
from renderer.view.explain.answer import Question, answer, pages
from renderer.view.explain.page import plain
from tests.delivery.adapt.scaled import HPA, history, made, settings

SCALED: Final = {"hpa.yaml": HPA, "krender.yaml": settings()}
DROPPED: Final = {"hpa.yaml": HPA, "krender.yaml": settings(handedOver="drop")}
KEPT: Final = (
    "HorizontalPodAutoscaler shop/web scales it; as Argo CD has applied the field, "
    "leaving it out now would reset it, so it stays and Argo CD leaves it alone"
)
WEB: Final = ("apps", "Deployment", "shop", "web")
SYNC: Final = "/metadata/annotations/argocd.argoproj.io~1sync-options"


def told(plan: Plan, subject: str, field: str | None = None, cluster: str = "") -> str:
    """The explanation as it is read."""
    question = Question(subject=subject, field=field, cluster=cluster)
    return "\n\n".join(map(plain, pages(answer(plan, question))))


def handed_over() -> list[Plan]:
    """Published with replicas; with an autoscaler; and let go."""
    return history({"krender.yaml": settings()}, SCALED, DROPPED)


def test_a_field_that_is_left_out_names_the_object_that_is_the_reason() -> None:
    assert told(made(SCALED), "deployment/web", "spec.replicas", "east") == (
        "Deployment shop/web  /spec/replicas  (web.yaml:1:1)\n\n"
        "east: (absent)\n"
        "  adapted to who applies it: HorizontalPodAutoscaler shop/web scales it  (hpa.yaml:1:1)\n"
        "  over 4, from the template  (web.yaml:5:3)"
    )


def test_a_field_that_is_left_alone_says_so() -> None:
    assert told(handed_over()[1], "deployment/web", "/spec/replicas", "east") == (
        "Deployment shop/web  /spec/replicas  (web.yaml:1:1)\n\n"
        "east: 4\n"
        f"  left alone by who applies it: {KEPT}  (hpa.yaml:1:1)\n"
        "  over 4, from the template  (web.yaml:5:3)"
    )


@pytest.mark.parametrize(
    ("place", "line"),
    [
        pytest.param(1, "  /spec/replicas  4, unchanged, left alone  on east, north\n", id="handed-over"),
        pytest.param(2, "  /spec/replicas  4 -> (absent), left alone  on east, north\n", id="let-go"),
    ],
)
def test_all_about_an_object_tells_what_was_adapted(place: int, line: str) -> None:
    text = told(handed_over()[place], "deployment/web")
    assert "adapted to who applies it\n" + line in text
    assert (
        "east     4         4 on each cluster (Duplicated); HorizontalPodAutoscaler shop/web scales it\n"
        in text
    )


def test_a_map_tells_what_was_adapted_inside_it() -> None:
    text = told(made(SCALED), "namespace/shop", "/metadata/annotations", "east")
    for key, value in (("compare-options", "IgnoreExtraneous"), ("sync-options", "Prune=false")):
        assert (
            f"  changed inside: /metadata/annotations/argocd.argoproj.io~1{key} is {value}, "
            "adapted to who applies it: delivery.protect names its kind: it outlives its file\n"
        ) in f"{text}\n"
    assert len(text.splitlines()) == 5


def test_what_sops_sealed_is_said_to_be_untouched() -> None:
    sealed = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\nstringData: {a: 'ENC[x]'}\n"
        "sops: {mac: 'ENC[x]', lastmodified: '2026-01-01T00:00:00Z', version: 3.9.0}\n"
    )
    plan = made({"secret.yaml": sealed, "krender.yaml": settings(protect="[Secret]")})
    assert f"  {SYNC}  not touched, for SOPS has sealed it  on east, north\n" in told(plan, "secret/key")
    assert "sealed" not in told(plan, "secret/key", "/metadata/name")


def test_one_cluster_has_its_own_adaptations() -> None:
    facts = mapping(
        sequence(answer(made(SCALED), Question(subject="deployment/web", cluster="east"))["objects"])[0]
    )
    assert facts["adapted"] == [
        {
            "clusters": ["east"],
            "fields": [
                {
                    "by": "replicas",
                    "path": "/spec/replicas",
                    "before": 4,
                    "changed": True,
                    "ignored": False,
                    "withheld": False,
                    "because": "HorizontalPodAutoscaler shop/web scales it",
                    "source": "hpa.yaml:1:1",
                }
            ],
        }
    ]


def test_diff_tells_the_same_reason_from_a_plan_and_from_what_a_plan_file_keeps() -> None:
    _, kept, _ = handed_over()
    why = OfPlan(kept)
    assert why.cause(WEB, "east", "/spec/replicas") == KEPT
    assert OfRecord(why.recorded()).cause(WEB, "east", "/spec/replicas") == KEPT
    assert why.cause(WEB, "east", "/spec/selector") == "web.yaml:6:3"
