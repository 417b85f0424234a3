"""Small workspaces in which an object has two writers, or is not applied as it is written."""

from __future__ import annotations

from typing import Final

from tests.check.traps import SETTINGS
from tests.workspaces import SHOP, WEB

EVERYTHING: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: all, namespace: shop}
spec:
  resourceSelectors: [%s]
  placement: {}
"""
SECRET: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\n"


def labelled(field: str, key: str, value: str = "x") -> str:
    """The Deployment with a label or annotation."""
    if field == "labels":
        return WEB.replace("labels: {app: web}}\nspec", f'labels: {{app: web, {key}: "{value}"}}}}\nspec')
    return WEB.replace("labels: {app: web}}\nspec", f'annotations: {{{key}: "{value}"}}}}\nspec')


def selecting(*kinds: str) -> str:
    """A policy that has kinds, written `apiVersion Kind`, on every cluster."""
    selectors = (f"{{apiVersion: {kind.split()[0]}, kind: {kind.split()[1]}}}" for kind in kinds)
    return EVERYTHING % ", ".join(selectors)


def delivered(engine: str) -> str:
    """Settings with an engine."""
    return f"{SETTINGS}delivery: {{engine: {engine}, repoURL: https://git.example/fleet.git}}\n"


LOOPS: Final = {
    "KR801": {
        **SHOP,
        "web.yaml": labelled("labels", "propagationpolicy.karmada.io/permanent-id", "7b3c1f8e"),
    },
    "KR802": {**SHOP, "web.yaml": labelled("annotations", "argocd.argoproj.io/tracking-id", "a:apps")},
    "KR803": {
        **SHOP,
        "secret.yaml": SECRET,
        "sealed.yaml": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\n"
        "metadata: {name: db, namespace: shop}\nspec: {encryptedData: {}}\n",
        "all.yaml": selecting("v1 Secret", "bitnami.com/v1alpha1 SealedSecret"),
    },
    "KR804": {**SHOP, "web.yaml": labelled("annotations", "helm.sh/hook", "test")},
    "KR805": {**SHOP, "web.yaml": labelled("annotations", "config.kubernetes.io/local-config", "true")},
    "KR806": {
        **SHOP,
        "web.yaml": WEB.replace("image:", "env: [{name: A, value: a}, {name: A, value: b}], image:"),
    },
    "KR807": {
        **SHOP,
        "web.yaml": WEB.replace("labels: {app: web}}\nspec", "finalizers: [shop.example/wait]}\nspec"),
    },
}
