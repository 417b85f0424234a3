"""Findings about namespaces: a cluster gets objects for a namespace that nothing creates there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.model.config import Namespaces
from renderer.model.plan import Manifest, Plan, Rendering
from renderer.model.variants import alike
from renderer.override.step import SKIP_LABEL

MISSING: Final = Rule(id="KR401", title="Nothing creates a namespace on a cluster that needs it")

RULES: Final = (MISSING,)

_NAMESPACE: Final = ("", "Namespace")
_ALWAYS_THERE: Final = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def namespace_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a namespace, at the first template that lives in it."""
    made: dict[str, set[str]] = {}
    stated: dict[str, Rendering] = {}
    needed: dict[str, tuple[Rendering, Manifest, dict[str, None]]] = {}
    for rendering in plan.renderings:
        if (rendering.template.identity.group, rendering.template.identity.kind) == _NAMESPACE:
            stated[rendering.template.identity.name] = rendering
        for manifest in alike(rendering.manifests):
            identity = manifest.identity
            if (identity.group, identity.kind) == _NAMESPACE:
                made.setdefault(identity.name, set()).update(manifest.clusters)
            elif identity.namespace and identity.namespace not in _ALWAYS_THERE:
                entry = needed.setdefault(identity.namespace, (rendering, manifest, {}))
                entry[2].update(dict.fromkeys(manifest.clusters))
    for namespace in sorted(needed):
        rendering, manifest, clusters = needed[namespace]
        missing = sorted(name for name in clusters if name not in made.get(namespace, ()))
        if missing:
            yield MISSING.at(
                *_place(rendering, manifest),
                what=f"nothing creates the namespace {namespace} on {some(missing)}",
                why="where it does not exist already, objects in it cannot be applied",
                fix=_remedy(namespace, stated.get(namespace), plan.workspace.config.namespaces),
            )


def _remedy(namespace: str, stated: Rendering | None, travel: Namespaces) -> str:
    """What to do, where there is a Namespace that goes elsewhere and where there is none."""
    if stated is None:
        return f"add a Namespace {namespace} to the workspace: it goes where it is needed"
    if stated.claim.policy is not None:
        return f"have {stated.claim.policy} place the Namespace there too, or leave it to no policy"
    if travel is Namespaces.NEVER:
        return "select the Namespace in a ClusterPropagationPolicy, or set namespaces: needed in krender.yaml"
    return f"take the label {SKIP_LABEL} off the Namespace, or select it in a ClusterPropagationPolicy"


def _place(rendering: Rendering, manifest: Manifest) -> tuple[Document | None, str]:
    """Where the namespace is stated: in the template, or in the override that moved the object."""
    moved = manifest.identity.namespace != rendering.template.identity.namespace
    writers = [
        step
        for step in (manifest.overridden.steps if manifest.overridden and moved else ())
        if step.changed and step.path in ("", "/metadata", "/metadata/namespace")
    ]
    if not writers:
        return rendering.template.document, "/metadata/namespace"
    step = writers[-1]
    return step.rule.policy.document, f"{step.rule.rule.pointer}/{step.overrider}/{step.index}"
