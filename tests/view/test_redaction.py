"""What Secrets hold and what SOPS encrypted is never shown."""

from __future__ import annotations

import pytest

from renderer.document.patch import ABSENT, Maybe
from renderer.model.identity import Identity
from renderer.view.redaction import is_secret, redacted

COPY = "kubectl.kubernetes.io/last-applied-configuration"


@pytest.mark.parametrize(
    ("value", "pointer", "shown"),
    [
        pytest.param("s", "/data/a", "(redacted)", id="data"),
        pytest.param("s", "/stringData/a", "(redacted)", id="string-data"),
        pytest.param({"a": "s"}, "/data", {"a": "(redacted)"}, id="keys-are-shown"),
        pytest.param(
            {"data": {"a": "s"}, "kind": "Secret"},
            "",
            {"data": {"a": "(redacted)"}, "kind": "Secret"},
            id="whole-object",
        ),
        pytest.param({"deep": ["s"]}, "/data/a", "(redacted)", id="nothing-below-a-key"),
        pytest.param("s", "/data", "(redacted)", id="data-that-is-no-map"),
        pytest.param(["s"], "/data", ["(redacted)"], id="data-that-is-a-list"),
        pytest.param("s", "//data/a", "(redacted)", id="a-path-into-a-copy"),
        pytest.param(
            {COPY: "s", "x": "y"},
            "/metadata/annotations",
            {COPY: "(redacted)", "x": "y"},
            id="the-copy-of-kubectl",
        ),
        pytest.param(None, "/data/a", None, id="null"),
        pytest.param({}, "/data", {}, id="empty"),
        pytest.param("Opaque", "/type", "Opaque", id="what-is-no-content"),
        pytest.param("x", "/database", "x", id="a-longer-name"),
        pytest.param(ABSENT, "/data/a", ABSENT, id="absent"),
    ],
)
def test_secrets(value: Maybe, pointer: str, shown: Maybe) -> None:
    assert redacted(value, pointer, secret=True) == shown
    assert redacted(value, pointer, secret=False) == value


@pytest.mark.parametrize(
    ("value", "pointer", "shown"),
    [
        pytest.param("ENC[AES256_GCM,data:x,type:str]", "/data/a", "(redacted)", id="value"),
        pytest.param("a: ENC[AES256_GCM,data:x]", "/data/file", "(redacted)", id="value-in-a-text"),
        pytest.param({"mac": "x", "age": [{"enc": "y"}]}, "/sops", "(redacted)", id="keys-and-seal"),
        pytest.param("x", "/sops/mac", "(redacted)", id="seal"),
        pytest.param({"a": [1, "ENC[AES256_GCM,x]"]}, "", {"a": [1, "(redacted)"]}, id="inside"),
    ],
)
def test_sops(value: Maybe, pointer: str, shown: Maybe) -> None:
    assert redacted(value, pointer, secret=False) == shown


def test_only_the_core_kind_is_secret() -> None:
    assert is_secret(Identity("v1", "Secret", "shop", "x"))
    assert not is_secret(Identity("bitnami.com/v1alpha1", "Secret", "shop", "x"))
    assert not is_secret(Identity("v1", "ConfigMap", "shop", "x"))
