"""What an object is to a workspace: inventory, policy, setting, or a resource template."""

from __future__ import annotations

from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import mapping, text
from renderer.load.clusters import CLUSTER_API, CLUSTER_KIND
from renderer.load.config import CONFIG_KIND, KRENDER_API
from renderer.load.ignore import IGNORE_FILE
from renderer.load.inventory import INVENTORY_KIND
from renderer.load.kinds import ADMITTED_KINDS
from renderer.load.peek import CONFIG_FILE
from renderer.load.wording import subject_of, told
from renderer.model.identity import group_of


class Role(StrEnum):
    """Where an object goes."""

    INVENTORY = "inventory"
    POLICY = "policy"  # any kind that Karmada's admission looks at
    CONFIG = "config"
    TEMPLATE = "template"
    NONE = "none"  # nothing can be made of it


_QUOTA: Final = "FederatedResourceQuota"
_WEBHOOKS: Final = "ResourceInterpreterWebhookConfiguration"

# Kinds of these groups mean something to krender, so a wrong version or a slip in the kind is an error.
_KNOWN: Final = {
    (CLUSTER_API, CLUSTER_KIND): Role.INVENTORY,
    (KRENDER_API, INVENTORY_KIND): Role.INVENTORY,
    (KRENDER_API, CONFIG_KIND): Role.CONFIG,
    ("config.karmada.io/v1alpha1", _WEBHOOKS): Role.TEMPLATE,
    **{(kind.api_version, kind.kind): Role.POLICY for kind in ADMITTED_KINDS},
}
_GROUPS: Final = {group_of(api_version): api_version for api_version, _ in _KNOWN}
_KUSTOMIZE_GROUP: Final = "kustomize.config.k8s.io"
# Groups of Karmada's own records and extras: never propagated, and no input of a render.
_RECORDS: Final = (
    "work.karmada.io",
    "networking.karmada.io",
    "autoscaling.karmada.io",
    "remedy.karmada.io",
    "config.karmada.io",
)


def role_of(document: Document) -> tuple[Role, Problem | None]:
    """The role of an object that has apiVersion and kind, and what there is to say about that."""
    body = mapping(document.value)
    api_version, kind = text(body.get("apiVersion")), text(body.get("kind"))
    group = group_of(api_version)
    role = _KNOWN.get((api_version, kind))
    if role is None and group in _GROUPS:
        return Role.NONE, _unknown(document, api_version, kind)
    if role is Role.CONFIG:
        return role, _misplaced(document)
    if group == _KUSTOMIZE_GROUP:
        return Role.NONE, _instruction(document, kind)
    if kind == _QUOTA and role is Role.POLICY:
        return role, _left_out(
            document,
            "krender enforces no quota, and makes no ResourceQuotas of staticAssignments",
            "write a ResourceQuota, and override its numbers by cluster",
        )
    if kind == _WEBHOOKS and role is Role.TEMPLATE:
        return role, _left_out(
            document, "krender calls no webhook: what it would interpret is taken as it is"
        )
    if group in _RECORDS and role is not Role.POLICY:
        return Role.TEMPLATE, _left_out(document, "Karmada never propagates its own objects")
    return role or Role.TEMPLATE, None


def _unknown(document: Document, api_version: str, kind: str) -> Problem:
    kinds = {known: version for version, known in _KNOWN if group_of(version) == group_of(api_version)}
    near = get_close_matches(kind, kinds, n=1)
    what = f'{subject_of(document)}: there is no kind "{kind}" in {api_version}'
    why = "it would be taken for something to propagate, and do nothing"
    if kind in kinds:
        return told(document, "/apiVersion", what, why=why, fix=f"write apiVersion: {kinds[kind]}")
    fix = f"write kind: {near[0]}" if near else f"write one of: {', '.join(sorted(kinds))}"
    return told(document, "/kind", what, why=why, fix=fix)


def _misplaced(document: Document) -> Problem:
    what = f"a {CONFIG_KIND} stands in {document.file}"
    why, fix = (
        "settings are read from one place only",
        f"move it to {CONFIG_FILE} at the top of the workspace",
    )
    return told(document, "", what, why=why, fix=fix)


def _instruction(document: Document, kind: str) -> Problem:
    what = f"a {kind} is an instruction for kustomize, not a Kubernetes object"
    why = "krender runs no kustomize, so what it would make of the files is not rendered"
    fix = f"put what kustomize builds into the workspace, and name this file in {IGNORE_FILE}"
    return told(document, "", what, why=why, fix=fix)


def _left_out(document: Document, why: str, instead: str = "remove it") -> Problem:
    what = f"{subject_of(document)} is not propagated"
    fix = f"{instead}, or name its file in {IGNORE_FILE}"
    return told(document, "", what, why=why, fix=fix, severity=Severity.WARNING)
