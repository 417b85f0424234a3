"""Findings about changes that an API server refuses: fields that stay as they were at first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.pointer import join
from renderer.document.problem import InputError, Problem
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping
from renderer.layout.paths import plain_path
from renderer.model.carried import written
from renderer.model.differences import by_id, directory_changes, file_differences
from renderer.model.holes import Path as HolePath
from renderer.model.override_result import same
from renderer.model.places import CLUSTERS
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.tree import Blob, Tree
from renderer.model.variants import Variants, alike

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
    changing = _changing(published, plan.tree)
    for rendering in written(plan):
        found: dict[Path, list[str]] = {}
        changes: dict[str, frozenset[str]] = {}  # by path: directories of clusters
        for manifest in alike(rendering.manifests, _is_read):
            fields = _FIXED.get((manifest.identity.group, manifest.identity.kind))
            path = plain_path(manifest.identity)
            if fields is None or path not in changing or manifest.body is None:
                continue
            if path not in changes:
                changes[path] = frozenset(changing[path])
            # Clusters that share a manifest have as a rule shared the one before: a few are asked.
            names = map(directories.__getitem__, manifest.clusters)
            asked = islice((name for name in names if name in changes[path]), _ASKED)
            bodies = (_before(published, f"{CLUSTERS}/{name}/{path}") for name in asked)
            before = next((body for body in bodies if body is not None), {})
            changed = [field for field in fields if before and not _same(before, manifest.body, field)]
            for field in changed:
                found.setdefault(field, []).extend(_having(published, manifest, directories))
        for field, clusters in found.items():
            yield _fixed(rendering, field, clusters)


def _changing(published: Tree, planned: Tree) -> Mapping[str, list[str]]:
    """The files that are there and change, by path: the directories of the clusters in which they do."""
    found: dict[str, list[str]] = {}
    identify = by_id(published.algorithm)
    for change in directory_changes(published, planned, identify):
        for item in file_differences(change, identify):
            if item.before is not None and item.after is not None:
                found.setdefault(item.path, []).extend(item.clusters)
    return found


def _is_read(variants: Variants, path: HolePath) -> bool:
    """Whether a value is in a field that cannot change."""
    fields = _FIXED.get((variants.identity.group, variants.identity.kind), ())
    return any(path[: len(field)] == field for field in fields)


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
        if published.at(f"{CLUSTERS}/{directories[name]}/{plain_path(manifest.identity)}") is not None:
            yield name


def _before(published: Tree, path: str) -> Object | None:
    """The published object at a path."""
    old = published.at(path)
    try:
        documents = read_stream(old.data, path) if isinstance(old, Blob) else ()
    except InputError:  # edited by hand: told elsewhere, where it matters
        return None
    return mapping(documents[0].value) if documents else None


def _same(before: Object, after: Object, field: Path) -> bool:
    return same(dig(before, *field), dig(after, *field))
