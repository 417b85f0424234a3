"""A fleet with what makes a difference to Argo CD: push and pull, waves, a pause, another engine, teams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from tests.workspaces import NAMESPACE, WEB, plan

REPO = "https://git.example/fleet.git"

CLUSTERS = """\
apiVersion: krender.io/v1alpha1
kind: ClusterInventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: east, server: "https://east.example:6443", labels: {stage: prod}}
  - {name: north, server: "https://north.example:6443", labels: {stage: prod}, wave: 1, paused: true}
  - {name: south, server: "https://[2001:db8::1]:6443", wave: 2}
  - {name: west, syncMode: Pull, labels: {stage: prod}}
  - {name: far, engine: flux, labels: {stage: prod}}
  - {name: none, engine: none, labels: {stage: prod}}
"""

SETTINGS = "engine: argocd, repoURL: 'https://git.example/fleet.git'"

REST = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: tools}
data: {a: b}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: settings, namespace: tools}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]
  placement: {}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}}
"""


def files(delivery: str = "", spec: str = "", **more: str) -> Mapping[str, str]:
    """The workspace; `delivery` continues the settings of `delivery`, `spec` those of the workspace."""
    return {
        "clusters.yaml": CLUSTERS,
        "web.yaml": WEB,
        "namespace.yaml": NAMESPACE,
        "rest.yaml": REST,
        "krender.yaml": (
            "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec:\n"
            f"  delivery: {{{SETTINGS}{', ' if delivery else ''}{delivery}}}\n{spec}"
        ),
        **more,
    }


def fleet(delivery: str = "", spec: str = "", previous: Previous = NOTHING, **more: str) -> Plan:
    """The render of the workspace; `more` are files that take the place of others, without their `.yaml`."""
    if previous is NOTHING:
        return _first(delivery, spec, tuple(more.items()))
    return plan(files(delivery, spec, **_named(more.items())), previous)


@cache
def _first(delivery: str, spec: str, more: tuple[tuple[str, str], ...]) -> Plan:
    """A render without memory, which many tests look at."""
    return plan(files(delivery, spec, **_named(more)))


def _named(more: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {f"{name}.yaml": text for name, text in more}
