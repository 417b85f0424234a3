"""What the cluster fills in, and no file may empty."""

from __future__ import annotations

from typing import Final

import pytest

from renderer.document.patch import ABSENT, Maybe
from tests.delivery.adapt.scaled import adaptations, at, made, settings

CLUSTER_SCOPED: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: scoped}
spec:
  resourceSelectors:
  - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}
  - {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration}
  - {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}
  - {apiVersion: apiregistration.k8s.io/v1, kind: APIService}
  placement: {clusterAffinity: {clusterNames: [east]}}
"""
ROLE: Final = ("rbac.authorization.k8s.io/v1", "ClusterRole")
HOOK: Final = ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration")
CRD: Final = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
SERVICE: Final = ("apiregistration.k8s.io/v1", "APIService")
INJECTED: Final = "annotations: {cert-manager.io/inject-ca-from: shop/serving}"
SELECTORS: Final = "aggregationRule: {clusterRoleSelectors: []}\n"
HOOKS: Final = "webhooks: [{name: a.b.c, clientConfig: {caBundle: Cg==, url: 'https://a'}}, {name: d.e.f}]\n"
CONVERSION: Final = "spec: {conversion: {strategy: Webhook, webhook: {clientConfig: {caBundle: Cg==}}}}\n"

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


@pytest.mark.parametrize(
    ("kind", "metadata", "fields", "expected"),
    [
        pytest.param(ROLE, "", f"{SELECTORS}rules: []\n", {"/rules": ABSENT}, id="the-rules-of-an-aggregate"),
        pytest.param(ROLE, "", SELECTORS, {}, id="no-rules"),
        pytest.param(ROLE, "", "rules: []\n", {}, id="rules-of-its-own"),
        pytest.param(
            HOOK,
            INJECTED,
            HOOKS,
            {"/webhooks": [{"name": "a.b.c", "clientConfig": {"url": "https://a"}}, {"name": "d.e.f"}]},
            id="the-authority-of-a-webhook",
        ),
        pytest.param(HOOK, "", HOOKS, {}, id="nobody-injects-it"),
        pytest.param(HOOK, INJECTED, "webhooks: 7\n", {}, id="no-list"),
        pytest.param(
            CRD, INJECTED, CONVERSION, {"/spec/conversion/webhook/clientConfig/caBundle": ABSENT}, id="a-crd"
        ),
        pytest.param(CRD, INJECTED, "spec: [a]\n", {}, id="no-map"),
        pytest.param(SERVICE, INJECTED, "spec: {caBundle: Cg==}\n", {"/spec/caBundle": ABSENT}, id="an-api"),
    ],
)
def test_what_is_always_somebody_elses(
    kind: tuple[str, str], metadata: str, fields: str, expected: dict[str, Maybe]
) -> None:
    body = f"apiVersion: {kind[0]}\nkind: {kind[1]}\nmetadata: {{name: v1.shop, {metadata}}}\n{fields}"
    plan = made({"object.yaml": body, "scoped.yaml": CLUSTER_SCOPED, "krender.yaml": settings()})
    found = [item for item in adaptations(plan, kind[1]) if item.by == "filled"]
    assert {item.path: item.after for item in found} == expected
