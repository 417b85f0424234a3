"""Findings about bindings: templates for which a control plane has one only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.model.plan import Plan, Rendering

SHARED: Final = Rule(
    id="KR109", title="A control plane has one binding for two templates", severity=Severity.NOTE
)

RULES: Final = (SHARED,)


def binding_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template after the first.

    Source: Karmada pkg/detector/detector.go, ApplyPolicy; issue 2090.
    """
    first: dict[tuple[str, str], Rendering] = {}
    for rendering in plan.renderings:
        binding = rendering.binding
        if binding is None:
            continue
        other = first.setdefault((binding.namespace, binding.name), rendering)
        if other is not rendering:
            yield SHARED.at(
                rendering.template.document,
                "/metadata/name",
                what=f"{_named(rendering)} and {_named(other)} share the binding {binding.name}",
                why="it is named by name and kind only; a control plane places the first, and krender both",
                fix="rename one of them, if a Karmada is to place them too",
            )


def _named(rendering: Rendering) -> str:
    identity = rendering.template.identity
    return f"{identity} of {identity.api_version}"
