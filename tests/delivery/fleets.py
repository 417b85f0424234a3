"""What the fleets of both engines have in common."""

from __future__ import annotations

from tests.workspaces import NAMESPACE, WEB

REPO = "https://git.example/fleet.git"

# Goes to every cluster, and the Deployment of the shop to production.
SETTINGS_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: tools}
data: {a: b}
"""
WEB_POLICY = """\
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}}
"""


def files_with(engine: str, clusters: str, rest: str, delivery: str = "", spec: str = "") -> dict[str, str]:
    """A workspace; `delivery` continues the settings of `delivery`, `spec` those of the workspace."""
    settings = ", ".join(filter(None, (f"engine: {engine}, repoURL: '{REPO}'", delivery)))
    return {
        "clusters.yaml": clusters,
        "web.yaml": WEB,
        "namespace.yaml": NAMESPACE,
        "rest.yaml": rest,
        "krender.yaml": (
            f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n  delivery: {{{settings}}}\n{spec}"
        ),
    }
