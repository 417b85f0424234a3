"""Findings about overrides that give an object another kind, name or namespace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.model.identity import Identity
from renderer.model.override_result import Step
from renderer.model.plan import Plan, Rendering
from renderer.model.variants import alike

RENAMED: Final = Rule(id="KR311", title="An override makes another object")

RULES: Final = (RENAMED,)

_IDENTITY: Final = ("", "/apiVersion", "/kind", "/metadata", "/metadata/name", "/metadata/namespace")


def identity_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for rendering in plan.renderings:
        yield from _renamed(rendering)


def _renamed(rendering: Rendering) -> Iterator[Problem]:
    found: dict[str, tuple[Step, dict[Identity, None], list[str]]] = {}
    for manifest in alike(rendering.manifests):
        if manifest.overridden is None or manifest.identity == rendering.template.identity:
            continue
        for step in manifest.overridden.steps:
            if step.changed and step.path in _IDENTITY:
                entry = found.setdefault(_pointer(step), (step, {}, []))
                entry[1][manifest.identity] = None
                entry[2].extend(manifest.clusters)
    for pointer, (step, identities, clusters) in found.items():
        yield RENAMED.at(
            step.rule.policy.document,
            pointer,
            what=f"{step.rule}: {rendering.template.identity} becomes {some(list(identities))} "
            f"on {some(sorted(clusters))}",
            why="to the cluster it is another object: what it had under the old name is deleted there",
            fix="write a template of its own for these clusters, if that is not meant",
        )


def _pointer(step: Step) -> str:
    return f"{step.rule.rule.pointer}/{step.overrider}/{step.index}"
