"""A fleet with what makes a difference to Argo CD: push and pull, waves, a pause, another engine, teams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

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
  - {name: east, server: "https://east.example:6443", labels: {stage: prod}}
  - {name: north, server: "https://north.example:6443", labels: {stage: prod}, wave: 1, paused: true}
  - {name: south, server: "https://[2001:db8::1]:6443", wave: 2}
  - {name: west, syncMode: Pull, labels: {stage: prod}}
  - {name: far, engine: flux, labels: {stage: prod}}
  - {name: none, engine: none, labels: {stage: prod}}
"""

REST = (
    SETTINGS_MAP
    + """\
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: settings, namespace: tools}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]
  placement: {}
"""
    + WEB_POLICY
)


def files(delivery: str = "", spec: str = "", **more: str) -> Mapping[str, str]:
    """The workspace; `delivery` continues the settings of `delivery`, `spec` those of the workspace."""
    return {**files_with("argocd", CLUSTERS, REST, delivery, spec), **more}


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
