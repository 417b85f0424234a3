"""Workspaces in several steps, rendered through the public pipeline with its own memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from renderer.document.file import SourceFile
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping
from renderer.load.workspace import load
from renderer.model.plan import Plan, Rendering, Standing
from renderer.model.previous import NOTHING, Previous
from renderer.model.released import Release
from renderer.model.tree import Tree, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.conformance.verdict import Verdict

MANIFESTS: Final = (".yaml", ".yml", ".json")
DROPPED_LABELS: Final = (
    "propagationpolicy.karmada.io/permanent-id",
    "clusterpropagationpolicy.karmada.io/permanent-id",
    "resourcebinding.karmada.io/permanent-id",
    "clusterresourcebinding.karmada.io/permanent-id",
    "work.karmada.io/permanent-id",
    "karmada.io/managed",
)
DROPPED_ANNOTATIONS: Final = (
    "propagationpolicy.karmada.io/namespace",
    "propagationpolicy.karmada.io/name",
    "clusterpropagationpolicy.karmada.io/name",
    "resourcebinding.karmada.io/namespace",
    "resourcebinding.karmada.io/name",
    "clusterresourcebinding.karmada.io/name",
    "resourcetemplate.karmada.io/uid",
    "resourcetemplate.karmada.io/generation",
    "resourcetemplate.karmada.io/managed-annotations",
    "resourcetemplate.karmada.io/managed-labels",
    "work.karmada.io/conflict-resolution",
    "work.karmada.io/name",
    "work.karmada.io/namespace",
)


def run(vector: Mapping[str, Any]) -> Iterator[Verdict]:
    """One verdict a step; each step is rendered on what the step before published."""
    previous = NOTHING
    root = Path(vector["path"])
    for step in sorted(root.glob("step-*"), key=lambda path: int(path.name.removeprefix("step-"))):
        expect = json.loads((step / "expect.json").read_text(encoding="utf-8"))
        plan = render(load(files_of(step / "in"), lenient=True), previous, expect["now"])
        expected, got = _expected(expect), _got(plan, expect)
        yield Verdict(
            category="workspace",
            expected=expected,
            got=got,
            passed=expected == got and _same_numbers(expected, got),
            note=f"{root.name}/{step.name}: " + _difference(expected, got),
        )
        previous = _published(plan)


def files_of(directory: Path) -> tuple[SourceFile, ...]:
    """The files of a workspace, as the edge would read them."""
    return tuple(
        SourceFile(path=path.relative_to(directory).as_posix(), data=path.read_bytes())
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name.endswith(MANIFESTS)
    )


def _published(plan: Plan) -> Previous:
    return read_previous(plan.tree)


def _expected(expect: Mapping[str, Any]) -> dict[str, Any]:
    listed = {_object_key(item) for item in expect["bindings"]}
    return {
        "clusters": {
            name: sorted((_bare(body) for body in bodies if not _ignored(body, listed)), key=_order)
            for name, bodies in expect["clusters"].items()
        },
        "bindings": sorted((_binding(item) for item in expect["bindings"]), key=_order),
        "unclaimed": sorted(_object_key(item) for item in expect["unclaimed"]),
        "errors": sorted(
            {
                (item["stage"], _object_key(item["object"]), item.get("cluster", ""))
                for item in expect["errors"]
            }
        ),
        "suspended": sorted((item["cluster"], _object_key(item)) for item in expect.get("suspended", ())),
        "preserveOnDeletion": sorted(
            (item["cluster"], _object_key(item)) for item in expect.get("preserveOnDeletion", ())
        ),
    }


def _binding(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "object": _object_key(item),
        "claimedBy": item["claimedBy"],
        "replicas": item["replicas"],
        "clusters": {cluster["name"]: cluster["replicas"] for cluster in item["clusters"]},
        "condition": item.get("condition", ""),
        "affinityName": item.get("affinityName", ""),
        "requiredBy": sorted(
            (entry["namespace"], entry["name"], tuple(sorted(entry["clusters"])))
            for entry in item.get("requiredBy", ())
        ),
        "orphan": item.get("orphan", False),
    }


def _got(plan: Plan, expect: Mapping[str, Any]) -> dict[str, Any]:
    bindings = [_own_binding(rendering) for rendering in plan.renderings if _is_bound(rendering)]
    listed = {item["object"] for item in bindings}
    return {
        "clusters": _own_clusters(plan, listed),
        "bindings": sorted(bindings, key=_order),
        "unclaimed": sorted(
            _identity_key(rendering)
            for rendering in plan.renderings
            if rendering.claim.chosen is None and rendering.template.identity.kind != "Namespace"
        ),
        "errors": _own_errors(plan),
        "suspended": _marked(plan, "suspended", expect),
        "preserveOnDeletion": _marked(plan, "preserveOnDeletion", expect),
    }


def _is_bound(rendering: Rendering) -> bool:
    return rendering.binding is not None and rendering.standing is not Standing.HELD


def _own_binding(rendering: Rendering) -> dict[str, Any]:
    binding, policy = rendering.binding, rendering.claim.policy
    assert binding is not None
    claimed_by = None
    if policy is not None and rendering.standing is Standing.PLACED:
        claimed_by = {"kind": policy.kind, "name": policy.name}
        if policy.namespace:
            claimed_by["namespace"] = policy.namespace
    return {
        "object": _identity_key(rendering),
        "claimedBy": claimed_by,
        "replicas": binding.replicas,
        "clusters": {target.name: target.replicas for target in binding.clusters},
        "condition": rendering.condition,
        "affinityName": binding.observed_affinity_name if rendering.standing is Standing.PLACED else "",
        "requiredBy": sorted(
            (entry.namespace, entry.name, tuple(sorted(target.name for target in entry.clusters)))
            for entry in binding.required_by
        ),
        "orphan": rendering.standing is Standing.ORPHAN,
    }


def _own_clusters(plan: Plan, listed: set[tuple[str, ...]]) -> dict[str, list[Any]]:
    slugs = {cluster.slug: cluster.name for cluster in plan.workspace.clusters}
    # What only stays so that its object outlives it is no Work any more.
    kept = (item for item in plan.released if item.release is not Release.HOME)
    released = {(item.path, name) for item in kept for name in item.clusters}
    result: dict[str, list[Any]] = {name: [] for name in slugs.values()}
    clusters = plan.tree["clusters"]
    assert isinstance(clusters, Tree)
    for slug, directory in clusters.items():
        assert isinstance(directory, Tree)
        for path, blob in walk(directory):
            if path.endswith(".yaml") and (path, slugs[slug]) not in released:
                bodies = [mapping(document.value) for document in read_stream(blob.data, path)]
                result[slugs[slug]] += [_bare(body) for body in bodies if not _ignored(body, listed)]
    _add_suspended(plan, result)
    return {name: sorted(bodies, key=_order) for name, bodies in result.items()}


def _add_suspended(plan: Plan, result: dict[str, list[Any]]) -> None:
    """Karmada builds the Work of a suspended manifest; we only write it once it is let go."""
    for rendering in plan.renderings:
        for manifest in rendering.manifests:
            for name in manifest.clusters:
                if name in rendering.suspended and manifest.body is not None:
                    bare = _bare(manifest.body)
                    same = [body for body in result[name] if _body_key(body) == _body_key(bare)]
                    for body in same:
                        result[name].remove(body)
                    result[name].append(bare)


def _own_errors(plan: Plan) -> list[tuple[str, tuple[str, ...], str]]:
    errors: set[tuple[str, tuple[str, ...], str]] = {
        (
            "admission",
            (item.identity.api_version, item.identity.kind, item.identity.namespace, item.identity.name),
            "",
        )
        for item in plan.workspace.refused
    }
    for rendering in plan.renderings:
        key = _identity_key(rendering)
        if rendering.stage is not None:
            errors.add((rendering.stage.value, key, ""))
        for manifest in rendering.manifests:
            if manifest.problem is not None:
                errors |= {("override", key, name) for name in manifest.clusters}
    return sorted(errors)


def _marked(plan: Plan, field: str, expect: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    if field not in expect:
        return []
    found = []
    for rendering in plan.renderings:
        binding = rendering.binding
        if binding is None:
            continue
        for manifest in rendering.manifests:
            names = rendering.suspended if field == "suspended" else manifest.clusters
            if field != "suspended" and not binding.preserve_resources_on_deletion:
                continue
            found += [(name, _identity_key(rendering)) for name in manifest.clusters if name in names]
    return sorted(found)


def _identity_key(rendering: Rendering) -> tuple[str, ...]:
    identity = rendering.template.identity
    return (identity.api_version, identity.kind, identity.namespace, identity.name)


def _object_key(item: Mapping[str, Any]) -> tuple[str, ...]:
    return (item["apiVersion"], item["kind"], item.get("namespace", ""), item["name"])


def _body_key(body: Object) -> tuple[str, ...]:
    return tuple(
        str(value or "")
        for value in (
            body.get("apiVersion"),
            body.get("kind"),
            dig(body, "metadata", "namespace"),
            dig(body, "metadata", "name"),
        )
    )


def _ignored(body: Object, listed: set[tuple[str, ...]]) -> bool:
    return body.get("kind") == "Namespace" and _body_key(body) not in listed


def _bare(body: Object) -> dict[str, Any]:
    metadata = dict(mapping(body.get("metadata")))
    for name, dropped in (("labels", DROPPED_LABELS), ("annotations", DROPPED_ANNOTATIONS)):
        if name in metadata:
            kept = {key: value for key, value in mapping(metadata[name]).items() if key not in dropped}
            if kept:
                metadata[name] = kept
            else:
                del metadata[name]
    return {**body, "metadata": metadata}


def _order(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _same_numbers(one: object, other: object) -> bool:
    """Equality in Python takes True for 1; JSON does not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_same_numbers(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return all(map(_same_numbers, one, other))
    return isinstance(one, bool) == isinstance(other, bool)


def _difference(expected: Mapping[str, Any], got: Mapping[str, Any]) -> str:
    parts = [name for name in expected if expected[name] != got[name]]
    return "differs in " + ", ".join(parts) if parts else "agrees"
