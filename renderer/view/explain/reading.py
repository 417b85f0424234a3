"""A plan with what explanations look up in it, seen from where the user stands."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from renderer.document.source import Document
from renderer.document.values import Object
from renderer.interpret.interpret import interpreter
from renderer.interpret.lua.customized import customized_layer
from renderer.interpret.operations import Interpreter
from renderer.layout.paths import manifest_paths
from renderer.model.binding import BindingSnapshot
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.overrides import OverridePolicy
from renderer.model.places import CLUSTERS
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.model.tree import Blob
from renderer.override.order import RuleIndex

Policy: TypeAlias = PropagationPolicy | OverridePolicy


class Reading:
    """What explanations of one plan have in common.

    `base` is the path of the workspace's directory as the user would write it, so that places can be opened.
    """

    def __init__(self, plan: Plan, base: str = "") -> None:
        """Take the plan; nothing is looked at yet."""
        self.plan: Final = plan
        self._base: Final = base
        self._places: Final[dict[tuple[int, str], str]] = {}

    def place(self, document: Document | None, pointer: str = "") -> str:
        """`file:line:column` of something in a document, empty where it was not read from a file."""
        if document is None or not document.file:
            return ""
        key = (id(document), pointer)  # the plan keeps its documents, so an id names one
        if key not in self._places:
            where = document.where(pointer)
            path = posixpath.normpath(posixpath.join(self._base, where.file))
            self._places[key] = f"{path}:{where.line}:{where.column}" if where.line else path
        return self._places[key]

    def policy(self, policy: Policy) -> Object:
        """A policy by kind, namespace and name, with its place."""
        facts = {"kind": policy.kind, "namespace": policy.namespace, "name": policy.name}
        return {
            **{key: value for key, value in facts.items() if value},
            "source": self.place(policy.document),
        }

    @cached_property
    def interpreter(self) -> Interpreter:
        """What the render asked about replicas."""
        plan = self.plan
        gates = plan.workspace.config.feature_gates
        return interpreter(gates, customized_layer(plan.workspace.customizations, now=plan.now, gates=gates))

    @cached_property
    def rule_index(self) -> RuleIndex:
        """The override rules of the workspace."""
        return RuleIndex(self.plan.workspace.override_policies)

    def file(self, identity: Identity, cluster: Cluster) -> str:
        """The path in the rendered tree at which the object lies for a cluster; empty where it does not."""
        path = f"{CLUSTERS}/{cluster.slug}/{self._path(identity)}"
        return path if isinstance(self.plan.tree.at(path), Blob) else ""

    def rival(self, rendering: Rendering, manifest: Manifest, cluster: str) -> Rendering | None:
        """The template that has this manifest's file on a cluster, where it is another one."""
        for other, theirs in self._writers.get(self._path(manifest.identity), ()):
            if is_among(cluster, theirs.clusters):
                return other if other is not rendering else None
        return None

    def needing(self, snapshot: BindingSnapshot) -> str:
        """The template whose binding needs another object, as messages name it."""
        rendering = self._by_binding.get((snapshot.namespace, snapshot.name))
        if rendering is None:
            return f"binding {snapshot.namespace}/{snapshot.name}"
        return str(rendering.template.identity)

    def inhabitants(self, namespace: str, clusters: Sequence[str]) -> Mapping[str, list[Identity]]:
        """Cluster -> the objects that live in a namespace there, for those of the clusters with any."""
        found: dict[str, list[Identity]] = {}
        wanted = dict.fromkeys(clusters)
        for manifest in self._living.get(namespace, ()):
            few = len(wanted) < len(manifest.clusters)
            for name in wanted if few else manifest.clusters:
                if is_among(name, manifest.clusters) if few else name in wanted:
                    found.setdefault(name, []).append(manifest.identity)
        return found

    def _path(self, identity: Identity) -> str:
        found = self._paths.get(identity) or manifest_paths([identity])[identity]
        return "/".join(found)

    @cached_property
    def _paths(self) -> Mapping[Identity, tuple[str, str]]:
        """Where the layout puts each manifest."""
        return manifest_paths(
            dict.fromkeys(
                manifest.identity for rendering in self.plan.renderings for manifest in rendering.manifests
            )
        )

    @cached_property
    def _writers(self) -> Mapping[str, Sequence[tuple[Rendering, Manifest]]]:
        """The manifests that share a path, in the order in which they claim it; others are left out."""
        writers: dict[str, list[tuple[Rendering, Manifest]]] = {}
        for rendering in self.plan.renderings:
            for manifest in rendering.manifests:
                writers.setdefault(self._path(manifest.identity), []).append((rendering, manifest))
        return {
            path: found
            for path, found in writers.items()
            if len({id(rendering) for rendering, _ in found}) > 1
        }

    @cached_property
    def _by_binding(self) -> Mapping[tuple[str, str], Rendering]:
        return {
            rendering.binding.key: rendering
            for rendering in self.plan.renderings
            if rendering.binding is not None and rendering.binding.placement is not None
        }

    @cached_property
    def _living(self) -> Mapping[str, Sequence[Manifest]]:
        """Manifests by the namespace they are in."""
        found: dict[str, list[Manifest]] = {}
        for rendering in self.plan.renderings:
            for manifest in rendering.manifests:
                if manifest.identity.namespace:
                    found.setdefault(manifest.identity.namespace, []).append(manifest)
        return found


def is_among(cluster: str, clusters: Sequence[str]) -> bool:
    """Whether a name is in a list of names in order, as manifests have it."""
    place = bisect_left(clusters, cluster)
    return place < len(clusters) and clusters[place] == cluster


def identity_facts(identity: Identity) -> Object:
    """apiVersion, kind, namespace and name; no namespace for a cluster-scoped object."""
    facts = {"apiVersion": identity.api_version, "kind": identity.kind, "namespace": identity.namespace}
    return {key: value for key, value in {**facts, "name": identity.name}.items() if value}
