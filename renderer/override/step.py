"""The step: every placed template gets its manifests, and Namespaces go where something lives in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from renderer.interpret.manifest import claimed
from renderer.interpret.operations import Interpreter
from renderer.model.claim import Outcome
from renderer.model.cluster import Cluster
from renderer.model.config import Namespaces, WorkspaceConfig
from renderer.model.overrides import OverridePolicy
from renderer.model.plan import Rendering, Standing
from renderer.override.manifests import Manifests
from renderer.override.order import RuleIndex

SKIP_LABEL = "namespace.karmada.io/skip-auto-propagation"


def with_manifests(
    renderings: Sequence[Rendering],
    clusters: Sequence[Cluster],
    policies: Iterable[OverridePolicy],
    ask: Interpreter,
    config: WorkspaceConfig,
) -> tuple[Rendering, ...]:
    """The renderings with what each of their clusters gets."""
    manifests = Manifests(RuleIndex(policies), clusters, config.feature_gates)
    made = tuple(_rendered(rendering, manifests, ask) for rendering in renderings)
    if config.namespaces is Namespaces.NEVER:
        return made
    needed = _needed(made)
    everywhere = [cluster.name for cluster in clusters]
    return tuple(
        replace(
            rendering,
            standing=Standing.NAMESPACE,
            manifests=manifests.alike(rendering.template, names),
        )
        if _is_free_namespace(rendering)
        and (
            names := everywhere
            if config.namespaces is Namespaces.EVERYWHERE
            else needed.get(rendering.template.identity.name, ())
        )
        else rendering
        for rendering in made
    )


def _rendered(rendering: Rendering, manifests: Manifests, ask: Interpreter) -> Rendering:
    template, binding = rendering.template, rendering.binding
    if binding is None:
        return rendering
    # A claim is written on its template, which therefore has label and annotation maps; a dependency without
    # a claim of its own has only what was written. Source: policies of Karmada pkg/detector.
    body = template.body if rendering.standing is Standing.FOLLOWS else claimed(template.body)
    made = manifests.of(template, body, binding, ask.of(template.body))
    suspended = tuple(name for manifest in made for name in manifest.clusters if binding.suspends(name))
    return replace(rendering, manifests=made, suspended=tuple(sorted(suspended)))


def _is_free_namespace(rendering: Rendering) -> bool:
    """Whether it is a Namespace that no policy places, and that nothing keeps from travelling."""
    template = rendering.template
    return (
        rendering.standing is Standing.NOWHERE
        and (template.identity.api_version, template.identity.kind) == ("v1", "Namespace")
        and rendering.claim.outcome is Outcome.UNMATCHED
        and dict(template.labels).get(SKIP_LABEL) != "true"
    )


def _needed(renderings: Iterable[Rendering]) -> Mapping[str, list[str]]:
    """Namespace -> the clusters on which something lives in it."""
    needed: dict[str, dict[str, None]] = {}
    for rendering in renderings:
        for manifest in rendering.manifests:
            if manifest.identity.namespace:
                needed.setdefault(manifest.identity.namespace, {}).update(dict.fromkeys(manifest.clusters))
    return {namespace: sorted(names) for namespace, names in needed.items()}
