"""Bindings as files: the scheduler's memory, and the history of its decisions.

A file is a Karmada ResourceBinding or ClusterResourceBinding. Where many clusters run the same number of
replicas, their names stand once in a file of their own that all such bindings refer to, so that a hundred
templates on ten thousand clusters do not repeat a million names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from renderer.document.edit import placed
from renderer.document.emit import emit
from renderer.document.values import Object, Value, dig, mapping
from renderer.interpret.binding import binding_spec
from renderer.layout.paths import manifest_paths, plain_path
from renderer.match.claims import CLUSTER_POLICY_NAME, POLICY_NAME, POLICY_NAMESPACE
from renderer.model.binding import Binding, BindingSnapshot, TargetCluster
from renderer.model.cluster_list import list_name, listed
from renderer.model.identity import Identity
from renderer.model.instant import EPOCH
from renderer.model.memory_keys import (
    APPLIED_PLACEMENT,
    BINDINGS,
    CLUSTERS,
    ORPHANED,
    PRESERVES,
    REBALANCED_BY,
    SHARED_CLUSTERS,
    SHARED_REPLICAS,
)
from renderer.model.plan import Rendering, Standing

API_VERSION: Final = "work.karmada.io/v1alpha2"

_CLAIMS: Final = (POLICY_NAMESPACE, POLICY_NAME, CLUSTER_POLICY_NAME)
_SHARED_FROM: Final = 64  # clusters; below, names in the binding itself are easier to read


def binding_files(
    renderings: Iterable[Rendering], manifests: Mapping[Identity, tuple[str, str]]
) -> Mapping[str, bytes]:
    """Path -> content of every binding, and of the lists of clusters they share.

    `manifests` are the directories and file names of what clusters get.
    """
    bound = [(rendering, rendering.binding) for rendering in renderings if rendering.binding is not None]
    paths = manifest_paths(rendering.template.identity for rendering, _ in bound)
    files: dict[str, bytes] = {}
    lists: dict[int, str | None] = {}  # bindings with the same result share the tuple
    for rendering, binding in bound:
        if id(binding.clusters) not in lists:
            shared = lists[id(binding.clusters)] = _shared(binding.clusters)
            if shared is not None:
                files[f"{CLUSTERS}/{shared}.txt"] = listed(target.name for target in binding.clusters)
        shared = lists[id(binding.clusters)]
        directory, name = paths[rendering.template.identity]
        body = binding_object(rendering, binding, shared, _preserved(rendering, binding, manifests))
        files[f"{BINDINGS}/{directory}/{name}"] = emit(body).encode()
    return files


def binding_object(
    rendering: Rendering, binding: Binding, shared: str | None = None, preserved: str = ""
) -> Object:
    """The binding as an object.

    `shared` names the list of clusters where it is kept apart; `preserved` is the annotation's text.
    """
    if rendering.kept is not None:
        return _kept(rendering.kept, orphan=rendering.standing is Standing.ORPHAN)
    cluster_scoped = not binding.namespace
    metadata: dict[str, Value] = {"name": binding.name}
    if not cluster_scoped:
        metadata["namespace"] = binding.namespace
    annotations = _annotations(rendering, binding, shared, preserved)
    if annotations:
        metadata["annotations"] = annotations
    clusters = binding.clusters if shared is None else ()
    by_name = tuple(sorted(clusters, key=lambda target: target.name))
    spec = binding_spec(replace(binding, clusters=by_name, required_by=_brief(binding.required_by)))
    result: dict[str, Value] = {
        "apiVersion": API_VERSION,
        "kind": "ClusterResourceBinding" if cluster_scoped else "ResourceBinding",
        "metadata": metadata,
        "spec": spec,
    }
    status = _status(rendering, binding)
    return {**result, "status": status} if status else result


def _annotations(
    rendering: Rendering, binding: Binding, shared: str | None, preserved: str
) -> Mapping[str, Value]:
    annotations: dict[str, Value] = {**_claim(rendering)}
    if binding.applied_placement:
        annotations[APPLIED_PLACEMENT] = binding.applied_placement
    if shared is not None:
        annotations[SHARED_CLUSTERS] = shared
        annotations[SHARED_REPLICAS] = str(binding.clusters[0].replicas)
    if preserved:
        annotations[PRESERVES] = preserved
    if rendering.rebalanced_by:
        annotations[REBALANCED_BY] = ",".join(rendering.rebalanced_by)
    return dict(sorted(annotations.items()))


def _preserved(rendering: Rendering, binding: Binding, manifests: Mapping[Identity, tuple[str, str]]) -> str:
    """The paths of what is to outlive its files, where the template's identity does not tell them."""
    if not binding.preserve_resources_on_deletion:
        return ""
    written = (*rendering.manifests, *rendering.leaving)
    paths = sorted(dict.fromkeys("/".join(manifests[manifest.identity]) for manifest in written))
    return "" if paths in ([], [plain_path(rendering.template.identity)]) else ",".join(paths)


def _kept(published: Object, *, orphan: bool) -> Object:
    """The published binding as it was; without its claim, and marked, where nobody claims it any more."""
    if not orphan:
        return published
    annotations = mapping(dig(published, "metadata", "annotations"))
    free = {key: value for key, value in annotations.items() if key not in _CLAIMS}
    return placed(published, dict(sorted({**free, ORPHANED: "true"}.items())), "metadata", "annotations")


def _claim(rendering: Rendering) -> Mapping[str, Value]:
    """The policy the binding was built from; where claims are sticky, not always the owner of today."""
    claim = rendering.claim
    if claim.policy is None or rendering.standing is not Standing.PLACED:
        return {}
    namespace, name = claim.policy.namespace, claim.policy.name
    if claim.unrefreshed is not None:
        namespace, name = claim.unrefreshed.claimed_by
    return {POLICY_NAMESPACE: namespace, POLICY_NAME: name} if namespace else {CLUSTER_POLICY_NAME: name}


def _status(rendering: Rendering, binding: Binding) -> Mapping[str, Value]:
    status: dict[str, Value] = {}
    if binding.observed_affinity_name:
        status["schedulerObservingAffinityName"] = binding.observed_affinity_name
    if binding.reschedule_triggered_at and binding.last_scheduled_time:
        # Only a request needs the time of the pass that served it; else a file would change with the clock.
        status["lastScheduledTime"] = binding.last_scheduled_time
    if rendering.condition:
        condition: dict[str, Value] = {
            "type": "Scheduled",
            "status": "True" if rendering.condition == "Success" else "False",
            "reason": rendering.condition,
            "message": rendering.message,
            "lastTransitionTime": EPOCH,  # required; a file that followed the clock would never rest
        }
        status["conditions"] = [condition]
    return status


def _brief(required_by: tuple[BindingSnapshot, ...]) -> tuple[BindingSnapshot, ...]:
    """The depending bindings, without long lists of clusters: their own bindings name these."""
    return tuple(
        replace(snapshot, clusters=()) if len(snapshot.clusters) >= _SHARED_FROM else snapshot
        for snapshot in required_by
    )


def _shared(clusters: tuple[TargetCluster, ...]) -> str | None:
    """The name of the list of these clusters, where it pays to keep it apart."""
    if len(clusters) < _SHARED_FROM or any(target.components for target in clusters):
        return None
    if len({target.replicas for target in clusters}) > 1:
        return None
    return list_name(target.name for target in clusters)
