"""The plurals of kinds: by rule for Kubernetes' own, by their definitions for others, and never guessed."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.match.plurals import crd_plurals, plural_of

WIDGET: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {"group": "acme.example", "names": {"kind": "Widget", "plural": "widgetry"}},
}


@pytest.mark.parametrize(
    ("group", "kind", "plural"),
    [
        pytest.param("", "ConfigMap", "configmaps", id="most-have-an-s"),
        pytest.param("", "Endpoints", "endpoints", id="some-have-one-already"),
        pytest.param("networking.k8s.io", "Ingress", "ingresses", id="after-s-es"),
        pytest.param("networking.k8s.io", "NetworkPolicy", "networkpolicies", id="y-becomes-ies"),
        pytest.param("gateway.networking.k8s.io", "Gateway", "gateways", id="but-not-after-a-vowel"),
        pytest.param("storage.k8s.io", "StorageClass", "storageclasses", id="class"),
        pytest.param("acme.example", "Widget", "widgetry", id="as-defined"),
        pytest.param("acme.example", "Gadget", None, id="unknown"),
        pytest.param("other.example", "ConfigMap", None, id="of-another-group"),
    ],
)
def test_the_plural(group: str, kind: str, plural: str | None) -> None:
    assert plural_of(group, kind, crd_plurals([WIDGET])) == plural


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({**WIDGET, "spec": {"group": "acme.example"}}, id="a-definition-without-names"),
        pytest.param({**WIDGET, "apiVersion": "acme.example/v1"}, id="another-kind-of-that-name"),
        pytest.param({"kind": "ConfigMap"}, id="another-object"),
    ],
)
def test_what_defines_nothing(body: Object) -> None:
    assert crd_plurals([body]) == {}
