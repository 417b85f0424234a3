"""A fleet with what makes a difference to Flux: push and pull, waves, a pause, the hub itself, teams."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.model.plan import Plan
from renderer.model.previous import NOTHING, Previous
from tests.delivery.fleets import SETTINGS_MAP, WEB_POLICY, files_with
from tests.workspaces import plan

CLUSTERS = """\
apiVersion: krender.io/v1alpha1
kind: ClusterInventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: east, labels: {stage: prod}}
  - {name: north, labels: {stage: prod}, wave: 1, paused: true}
  - {name: south, wave: 2}
  - {name: hub, server: "https://kubernetes.default.svc", wave: 2, labels: {stage: prod}}
  - {name: west, syncMode: Pull, labels: {stage: prod}}
  - {name: far, engine: argocd, labels: {stage: prod}}
  - {name: none, engine: none, labels: {stage: prod}}
"""

REST = (
    SETTINGS_MAP
    + """\
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: tools}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: settings, namespace: tools}
spec:
  resourceSelectors:
  - {apiVersion: v1, kind: ConfigMap}
  - {apiVersion: rbac.authorization.k8s.io/v1, kind: Role}
  placement: {}
"""
    + WEB_POLICY
)

TEAMS = "  tenants:\n  - {name: shop, namespaces: [shop]}\n"


def files(delivery: str = "", spec: str = "", **more: str) -> Mapping[str, str]:
    """The workspace; `delivery` continues the settings of `delivery`, `spec` those of the workspace."""
    return {
        **files_with("flux", CLUSTERS, REST, delivery, spec),
        **{f"{name}.yaml": text for name, text in more.items()},
    }


def fleet(delivery: str = "", spec: str = "", previous: Previous = NOTHING, **more: str) -> Plan:
    """The plan of the workspace."""
    return plan(files(delivery, spec, **more), previous)


# Each way to deliver, by its settings.
WAYS: Mapping[str, tuple[str, str]] = {
    "a-cluster-each": ("", ""),
    "a-namespace-each": ("unit: namespace", ""),
    "with-teams": ("unit: namespace", TEAMS),
    "all-by-accounts": ("unit: namespace, flux: {serviceAccounts: all}", TEAMS),
    "clusters-by-accounts": ("flux: {serviceAccounts: all, wait: true}", ""),
    "from-an-artifact": ("flux: {source: oci, url: 'oci://r.example/fleet', tag: v1, secret: r}", ""),
    "in-parts": ("flux: {hubParts: 16}, prefix: eu-", ""),
    "below-a-path": ("unit: namespace", "  output: {path: rendered/shop}\n"),
    "of-a-tag": ("revision: refs/tags/v1, flux: {prune: false, deletionPolicy: Delete}", ""),
}
