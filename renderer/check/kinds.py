"""Findings about kinds: those that a built-in group does not have, or not in that version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.load.kubernetes_apis import KUBERNETES_APIS
from renderer.match.scope import scope_of
from renderer.model.identity import Identity, group_of
from renderer.model.plan import Plan
from renderer.model.scope import Scope

NO_SUCH_KIND: Final = Rule(id="KR503", title="An API group has no such kind or version")

RULES: Final = (NO_SUCH_KIND,)

_STABLE: Final = re.compile(r"v[0-9]+")
_OLD: Final = frozenset({"extensions"})  # once built in; its kinds have moved
# The release from which on no API server has a version. Source: Kubernetes' deprecated API migration guide.
_GONE: Final = {
    "admissionregistration.k8s.io/v1beta1": "1.22",
    "apiextensions.k8s.io/v1beta1": "1.22",
    "apiregistration.k8s.io/v1beta1": "1.22",
    "apps/v1beta1": "1.16",
    "apps/v1beta2": "1.16",
    "autoscaling/v2beta1": "1.25",
    "autoscaling/v2beta2": "1.26",
    "batch/v1beta1": "1.25",
    "certificates.k8s.io/v1beta1": "1.22",
    "coordination.k8s.io/v1beta1": "1.22",
    "discovery.k8s.io/v1beta1": "1.25",
    "events.k8s.io/v1beta1": "1.25",
    "extensions/v1beta1": "1.22",
    "flowcontrol.apiserver.k8s.io/v1beta1": "1.26",
    "flowcontrol.apiserver.k8s.io/v1beta2": "1.29",
    "flowcontrol.apiserver.k8s.io/v1beta3": "1.32",
    "networking.k8s.io/v1beta1": "1.22",
    "node.k8s.io/v1beta1": "1.25",
    "policy/v1beta1": "1.25",
    "rbac.authorization.k8s.io/v1beta1": "1.22",
    "scheduling.k8s.io/v1beta1": "1.22",
    "storage.k8s.io/v1beta1": "1.27",
}
_BETA: Final = (
    "IPAddress",
    "ServiceCIDR",
    "ValidatingAdmissionPolicy",
    "VolumeAttributesClass",
)  # newer kinds


def kind_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for template in plan.workspace.templates:
        identity = template.identity
        gone = _GONE.get(identity.api_version, "")
        if gone and not identity.kind.startswith(_BETA) and not _served(plan, identity):
            yield NO_SUCH_KIND.at(
                template.document,
                "/apiVersion",
                what=f"{identity}: Kubernetes has no {identity.api_version} any more",
                why=f"no cluster from {gone} on takes the object",
                fix=_moved(identity.kind),
            )
            continue
        fault = _fault(identity.api_version, identity.kind)
        if fault and (identity.group, identity.kind) not in plan.workspace.scopes:
            pointer, fix = fault
            yield NO_SUCH_KIND.at(
                template.document,
                pointer,
                what=f"{identity}: there is no kind {identity.kind} in {identity.api_version}",
                why="no cluster has an API for it",
                fix=fix,
            )


def _served(plan: Plan, identity: Identity) -> bool:
    """Whether the inventory knows of a cluster that has the kind in that version."""
    return any(
        version == identity.api_version and identity.kind in kinds
        for cluster in plan.workspace.clusters
        for version, kinds in cluster.api_enablements
    )


def _moved(kind: str) -> str:
    """What to write instead of a version that is gone."""
    versions = [known for known, kinds in KUBERNETES_APIS.items() if kind in kinds.split()]
    return f"write apiVersion: {versions[-1]}, and the fields that it has" if versions else "take it out"


@cache
def _fault(api_version: str, kind: str) -> tuple[str, str] | None:
    """Which of the two is wrong, and what to write; None where there may be such a kind."""
    group, version = group_of(api_version), api_version.rpartition("/")[2]
    # Only built-in groups are without a dot: that of a CustomResourceDefinition is a domain.
    if group not in _groups() and ("." in group or group in _OLD):
        return None
    versions = [known for known, kinds in KUBERNETES_APIS.items() if kind in kinds.split()]
    if scope_of(api_version, kind) is not Scope.UNKNOWN:
        served = [known for known in versions if group_of(known) == group]
        if api_version in served or not served or not _STABLE.fullmatch(version):
            return None
        return "/apiVersion", f"write apiVersion: {served[-1]}"
    if versions:
        return "/apiVersion", f"write apiVersion: {versions[-1]}"
    kinds = [
        name for known, names in KUBERNETES_APIS.items() if group_of(known) == group for name in names.split()
    ]
    folded = {name.lower(): name for name in kinds}
    near = get_close_matches(kind.lower(), folded, n=1, cutoff=0.7)
    if near:
        return "/kind", f"write kind: {folded[near[0]]}"
    return ("/kind", "correct kind or apiVersion") if "." not in group else None


@cache
def _groups() -> frozenset[str]:
    return frozenset(map(group_of, KUBERNETES_APIS))
