"""The step: every placed template gets its manifests, and Namespaces go where something lives in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from renderer.interpret.manifest import claimed
from renderer.interpret.operations import Interpreter
from renderer.model.binding import Binding
from renderer.model.claim import Outcome
from renderer.model.cluster import Cluster
from renderer.model.config import Namespaces, WorkspaceConfig
from renderer.model.overrides import OverridePolicy
from renderer.model.plan import Manifest, Rendering, Standing
from renderer.override.earlier import Earlier
from renderer.override.manifests import Manifests
from renderer.override.order import RuleIndex

_Clusters: TypeAlias = Mapping[str, Sequence[str]]

SKIP_LABEL = "namespace.karmada.io/skip-auto-propagation"


def with_manifests(
    renderings: Sequence[Rendering],
    clusters: Sequence[Cluster],
    policies: Iterable[OverridePolicy],
    ask: Interpreter,
    config: WorkspaceConfig,
    known: Iterable[Rendering] = (),
) -> tuple[Rendering, ...]:
    """The renderings with what each of their clusters gets.

    `known` are what was made before of the same templates, clusters, policies and settings: where a template
    goes to the same clusters again, what they get is not made twice.
    """
    manifests = Manifests(RuleIndex(policies), clusters, config.feature_gates)
    earlier = Earlier(known)
    made = tuple(earlier.made(rendering) or _rendered(rendering, manifests, ask) for rendering in renderings)
    if config.namespaces is Namespaces.NEVER:
        return made
    needed = _clusters_by_namespace(made, lambda rendering: rendering.manifests)
    leaving = _clusters_by_namespace(made, lambda rendering: rendering.leaving)
    if config.namespaces is Namespaces.EVERYWHERE:
        everywhere = [cluster.name for cluster in clusters]
        needed = {rendering.template.identity.name: everywhere for rendering in made}
    return tuple(
        _with_contents(rendering, manifests, needed, leaving) if _is_free_namespace(rendering) else rendering
        for rendering in made
    )


def _with_contents(
    rendering: Rendering, manifests: Manifests, needed: _Clusters, leaving: _Clusters
) -> Rendering:
    """A Namespace on the clusters where something lives in it; where that is leaving, it only stays."""
    template, name = rendering.template, rendering.template.identity.name
    names = dict.fromkeys(needed.get(name, ()))
    left = [cluster for cluster in leaving.get(name, ()) if cluster not in names]
    if not names and not left:
        return rendering
    return replace(
        rendering,
        standing=Standing.NAMESPACE,
        manifests=manifests.alike(template, names),
        leaving=manifests.named(template, template.body, left),
    )


def _rendered(rendering: Rendering, manifests: Manifests, ask: Interpreter) -> Rendering:
    template, binding = rendering.template, rendering.binding
    if binding is None:
        return rendering
    # A claim is written on its template, which therefore has label and annotation maps; a dependency without
    # a claim of its own has only what was written. Source: policies of Karmada pkg/detector.
    body = template.body if rendering.standing is Standing.FOLLOWS else claimed(template.body)
    made = manifests.of(template, body, binding, ask.of(template.body))
    leaving = (name for manifest in rendering.leaving for name in manifest.clusters)
    return replace(
        rendering,
        manifests=made,
        suspended=_suspended(binding, made),
        leaving=manifests.named(template, body, leaving),
    )


def _suspended(binding: Binding, manifests: Iterable[Manifest]) -> tuple[str, ...]:
    """The clusters to which dispatching is held back."""
    if binding.suspension is None:
        return ()
    names = (name for manifest in manifests for name in manifest.clusters)
    return tuple(sorted(filter(binding.suspends, names)))


def _is_free_namespace(rendering: Rendering) -> bool:
    """Whether it is a Namespace that no policy places, and that nothing keeps from travelling."""
    template = rendering.template
    return (
        rendering.standing is Standing.NOWHERE
        and (template.identity.api_version, template.identity.kind) == ("v1", "Namespace")
        and rendering.claim.outcome is Outcome.UNMATCHED
        and dict(template.labels).get(SKIP_LABEL) != "true"
    )


def _clusters_by_namespace(
    renderings: Iterable[Rendering], chosen: Callable[[Rendering], Iterable[Manifest]]
) -> _Clusters:
    """Namespace -> the clusters on which something lives in it, by the manifests that are chosen."""
    found: dict[str, dict[int, tuple[str, ...]]] = {}
    for rendering in renderings:
        for manifest in chosen(rendering):
            # Manifests of the same clusters share the tuple of names, which counts once.
            lists = found.setdefault(manifest.identity.namespace, {})
            lists[id(manifest.clusters)] = manifest.clusters
    found.pop("", None)
    return {
        namespace: sorted(dict.fromkeys(chain.from_iterable(lists.values())))
        for namespace, lists in found.items()
    }
