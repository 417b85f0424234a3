"""Data that the cluster fills in, and that no file may empty."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.document.patch import ABSENT, Maybe
from tests.delivery.adapt.scaled import adaptations, at, made, settings

TOKEN: Final = "type: kubernetes.io/service-account-token\n"


def secret(fields: str, kind: str = "Secret") -> str:
    """A Secret, or what looks like one, with these fields."""
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: mirror, namespace: shop}}\n{fields}"


@pytest.mark.parametrize(
    ("engine", "fields", "expected"),
    [
        pytest.param("argocd", TOKEN, ABSENT, id="the-token-of-an-account"),
        pytest.param("flux", TOKEN, ABSENT, id="with-flux-too"),
        pytest.param("argocd", "data:\n", ABSENT, id="what-a-reflector-fills-in"),
        pytest.param("argocd", "data: {}\n", {}, id="an-empty-map-empties-nothing"),
        pytest.param("argocd", "data: {a: YQ==}\n", {"a": "YQ=="}, id="data-stays"),
        pytest.param("none", TOKEN, None, id="karmada's-null-without-an-engine"),
    ],
)
def test_null_data_of_a_secret(engine: str, fields: str, expected: Maybe) -> None:
    plan = made({"secret.yaml": secret(fields), "krender.yaml": settings(engine)})
    assert at(plan, "/data", "shop/secret.mirror.yaml") == expected
    told = [(item.by, item.path) for item in adaptations(plan, "Secret")]
    assert told == ([("filled", "/data")] if expected is ABSENT else [])


def test_null_data_of_a_config_map() -> None:
    files = {"map.yaml": secret("data:\nbinaryData:\n", "ConfigMap"), "krender.yaml": settings()}
    assert [item.path for item in adaptations(made(files), "ConfigMap")] == ["/data", "/binaryData"]
