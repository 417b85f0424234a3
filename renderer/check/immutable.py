"""Findings about changes that an API server refuses: fields that stay as they were at first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.pointer import join
from renderer.document.problem import InputError, Problem
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping
from renderer.layout.paths import manifest_paths
from renderer.model.identity import Identity
from renderer.model.override_result import same
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.tree import Blob, Tree

FIXED: Final = Rule(id="KR506", title="A field changes that can never change")

RULES: Final = (FIXED,)

Path = tuple[str, ...]

_SELECTOR: Final[tuple[Path, ...]] = (("spec", "selector"),)
_ROLE: Final[tuple[Path, ...]] = (("roleRef",),)
# group and kind: the fields. Source: k8s.io/kubernetes pkg/apis/*/validation, functions Validate…Update.
_FIXED: Final[Mapping[tuple[str, str], tuple[Path, ...]]] = {
    ("apps", "DaemonSet"): _SELECTOR,
    ("apps", "Deployment"): _SELECTOR,
    ("apps", "ReplicaSet"): _SELECTOR,
    ("apps", "StatefulSet"): (
        *_SELECTOR,
        ("spec", "serviceName"),
        ("spec", "volumeClaimTemplates"),
        ("spec", "podManagementPolicy"),
    ),
    ("batch", "Job"): (
        *_SELECTOR,
        ("spec", "completions"),
        ("spec", "completionMode"),
        ("spec", "template"),
    ),
    ("", "PersistentVolumeClaim"): (("spec", "accessModes"), ("spec", "storageClassName"), *_SELECTOR),
    ("", "Secret"): (("type",),),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _ROLE,
    ("rbac.authorization.k8s.io", "RoleBinding"): _ROLE,
    ("scheduling.k8s.io", "PriorityClass"): (("value",), ("preemptionPolicy",)),
    ("storage.k8s.io", "StorageClass"): (
        ("provisioner",),
        ("parameters",),
        ("reclaimPolicy",),
        ("volumeBindingMode",),
    ),
}


_ASKED: Final = 3


def immutable_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: what is published against what would be, one finding a template."""
    published = plan.previous.tree
    if not published:
        return
    directories = {cluster.name: cluster.slug for cluster in plan.workspace.clusters}
    for rendering in plan.renderings:
        found: dict[Path, list[str]] = {}
        for manifest in rendering.manifests:
            fields = _FIXED.get((manifest.identity.group, manifest.identity.kind))
            if fields is None or manifest.body is None or rendering.keeps_files:
                continue
            paths = {name: _path(directories[name], manifest.identity) for name in manifest.clusters[:_ASKED]}
            # Clusters that share a manifest have as a rule shared the one before: a few are asked.
            asked = (_before(published, plan.tree, path) for path in paths.values())
            before = next((body for body in asked if body is not None), {})
            changed = [field for field in fields if before and not _same(before, manifest.body, field)]
            for field in changed:
                found.setdefault(field, []).extend(_having(published, manifest, directories))
        for field, clusters in found.items():
            yield _fixed(rendering, field, clusters)


def _fixed(rendering: Rendering, field: Path, clusters: list[str]) -> Problem:
    return FIXED.at(
        rendering.template.document,
        join(field),
        what=f"{rendering.template.identity}: {'.'.join(field)} changes on {some(sorted(clusters))}",
        why="an API server refuses to change it, so the cluster keeps the object it has",
        fix="leave it as it was, give the object another name, or have the old one deleted first",
    )


def _having(published: Tree, manifest: Manifest, directories: Mapping[str, str]) -> Iterator[str]:
    """The clusters of a manifest that have the object already."""
    for name in manifest.clusters:
        if published.at(_path(directories[name], manifest.identity)) is not None:
            yield name


def _before(published: Tree, planned: Tree, path: str) -> Object | None:
    """The published object at a path, if it would change."""
    old, new = published.at(path), planned.at(path)
    if not isinstance(old, Blob) or not isinstance(new, Blob) or old == new:
        return None
    try:
        documents = read_stream(old.data, path)
    except InputError:  # edited by hand: told elsewhere, where it matters
        return None
    return mapping(documents[0].value) if documents else None


def _path(directory: str, identity: Identity) -> str:
    return f"clusters/{directory}/{'/'.join(manifest_paths([identity])[identity])}"


def _same(before: Object, after: Object, field: Path) -> bool:
    return same(dig(before, *field), dig(after, *field))
