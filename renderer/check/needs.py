"""Findings about what objects need beside them: the definition of their kind, and what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, text
from renderer.interpret.optional import needed
from renderer.model.cluster import Cluster
from renderer.model.plan import Plan, Rendering
from renderer.model.scope import Kind
from renderer.schedule.dependents import TemplateIndex

UNDEFINED: Final = Rule(id="KR402", title="Nothing defines a kind on a cluster that gets objects of it")
NOT_HERE: Final = Rule(id="KR403", title="A dependency is not in the workspace", severity=Severity.NOTE)

RULES: Final = (UNDEFINED, NOT_HERE)

_DEFINITION: Final = "CustomResourceDefinition"
_MADE_BY_KUBERNETES: Final = frozenset({"kube-root-ca.crt"})


def need_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    yield from _undefined(plan)
    index = TemplateIndex(plan.workspace.templates)
    for rendering in plan.renderings:
        if rendering.manifests and not rendering.keeps_files:
            yield from _not_here(rendering, index)


def _undefined(plan: Plan) -> Iterator[Problem]:
    """Kinds that the workspace defines itself, on clusters to which the definition does not go."""
    definitions = {
        (text(dig(body, "spec", "group")), text(dig(body, "spec", "names", "kind"))): rendering
        for rendering in plan.renderings
        if (body := rendering.template.body).get("kind") == _DEFINITION
    }
    serving = {cluster.name: cluster for cluster in plan.workspace.clusters}
    lacking: dict[Kind, tuple[Rendering, dict[str, None]]] = {}
    for rendering in plan.renderings:
        identity = rendering.template.identity
        definition = definitions.get((identity.group, identity.kind))
        if definition is None:
            continue
        defined = _clusters(definition)
        for name in _clusters(rendering):
            if name not in defined and not _serves(serving[name], identity.api_version, identity.kind):
                entry = lacking.setdefault((identity.group, identity.kind), (rendering, {}))
                entry[1][name] = None
    for kind, (rendering, names) in lacking.items():
        yield UNDEFINED.at(
            rendering.template.document,
            "/kind",
            what=f"{rendering.template.identity} goes to {some(sorted(names))}, and "
            f"{definitions[kind].template.identity} does not",
            why="where nothing defines the kind, an API server refuses objects of it",
            fix="select the CustomResourceDefinition in a ClusterPropagationPolicy for the same clusters",
        )


def _clusters(rendering: Rendering) -> dict[str, None]:
    return dict.fromkeys(name for manifest in rendering.manifests for name in manifest.clusters)


def _serves(cluster: Cluster, api_version: str, kind: str) -> bool:
    return any(version == api_version and kind in kinds for version, kinds in cluster.api_enablements)


def _not_here(rendering: Rendering, index: TemplateIndex) -> Iterator[Problem]:
    missing = [
        f"{need.kind} {need.name}"
        for need in needed(rendering.interpretation.dependencies, rendering.template.body)
        if need.name and need.name not in _MADE_BY_KUBERNETES and not index.named(need)
    ]
    if missing:
        yield NOT_HERE.at(
            rendering.template.document,
            what=f"{rendering.template.identity} needs {some(missing)}, which the workspace does not have",
            why="where nothing else makes it, it is missing; propagateDeps passes over it without a word",
            fix="add it to the workspace, unless something else makes it on the clusters",
        )
