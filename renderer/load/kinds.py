"""The kinds that admission knows, and how a live server treats each.

Source: Karmada charts/karmada/_crds/bases.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderer.load.schemas import Schema, load_schema

POLICY = "policy.karmada.io/v1alpha1"
CONFIG = "config.karmada.io/v1alpha1"
APPS = "apps.karmada.io/v1alpha1"


@dataclass(frozen=True, slots=True)
class AdmittedKind:
    """One kind; with a status subresource a status is dropped when the object is created."""

    api_version: str
    kind: str
    namespaced: bool
    status_subresource: bool = False

    @property
    def schema(self) -> Schema:
        """The schema of the kind."""
        return load_schema(self.kind.lower())


ADMITTED_KINDS = (
    AdmittedKind(POLICY, "PropagationPolicy", namespaced=True),
    AdmittedKind(POLICY, "ClusterPropagationPolicy", namespaced=False),
    AdmittedKind(POLICY, "OverridePolicy", namespaced=True),
    AdmittedKind(POLICY, "ClusterOverridePolicy", namespaced=False),
    AdmittedKind(POLICY, "FederatedResourceQuota", namespaced=True, status_subresource=True),
    AdmittedKind(POLICY, "ClusterTaintPolicy", namespaced=False),
    AdmittedKind(CONFIG, "ResourceInterpreterCustomization", namespaced=False),
    AdmittedKind(APPS, "WorkloadRebalancer", namespaced=False, status_subresource=True),
)
_BY_NAME = {(kind.api_version, kind.kind): kind for kind in ADMITTED_KINDS}


def admitted_kind(api_version: str, kind: str) -> AdmittedKind | None:
    """The kind of that name and version, None where admission does not know it."""
    return _BY_NAME.get((api_version, kind))
