"""Resource selectors: how strongly a policy is about a template."""

from __future__ import annotations

import pytest

from renderer.match.resources import strength
from renderer.model.claim import Strength
from renderer.model.selectors import LabelSelector, Requirement, ResourceSelector
from tests.match.build import labelled, selector, template

WEB = template(labels={"app": "web"})
INVALID = labelled(Requirement(key="app", operator="In"))


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        pytest.param((), Strength.NONE, id="no-selectors"),
        pytest.param((selector(),), Strength.ALL, id="every-one-of-a-kind"),
        pytest.param((selector(labels=labelled(app="web")),), Strength.LABELS, id="by-labels"),
        pytest.param((selector(labels=LabelSelector()),), Strength.LABELS, id="an-empty-label-selector-too"),
        pytest.param((selector("web"),), Strength.NAME, id="by-name"),
        pytest.param((selector("web", labels=labelled(app="api")),), Strength.NAME, id="name-beats-labels"),
        pytest.param((selector("api", labels=labelled(app="web")),), Strength.NONE, id="another-name"),
        pytest.param((selector(labels=INVALID),), Strength.NONE, id="an-invalid-label-selector"),
        pytest.param((selector(namespace="shop"),), Strength.ALL, id="its-namespace"),
        pytest.param((selector(namespace="other"),), Strength.NONE, id="another-namespace"),
        pytest.param((selector(api_version="apps/v1beta1"),), Strength.NONE, id="another-version"),
        pytest.param((selector(kind="deployment"),), Strength.NONE, id="kinds-have-case"),
        pytest.param((selector(), selector("web")), Strength.NAME, id="the-strongest-counts"),
    ],
)
def test_strength(selectors: tuple[ResourceSelector, ...], expected: Strength) -> None:
    assert strength(selectors, WEB.identity, dict(WEB.labels)) is expected


def test_strengths_have_words() -> None:
    assert [str(strength) for strength in Strength] == [
        "does not select it",
        "selects every one",
        "selects it by labels",
        "selects it by name",
    ]
