"""Findings about objects that a live Karmada holds for its own, and would go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.model.carried import marks
from renderer.model.karmada_keys import is_karmadas
from renderer.model.plan import Plan

MANAGED: Final = Rule(
    id="KR801",
    title="An object is managed by a live Karmada",
    severity=Severity.ERROR,
)

RULES: Final = (MANAGED,)


def live_karmada_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template, wherever it goes, for its claim may keep it from going."""
    for rendering in plan.renderings:
        found = [] if rendering.keeps_files else marks(rendering, is_karmadas)
        if found:
            others = f" and {len(found) - 1} more" if len(found) > 1 else ""
            yield MANAGED.at(
                rendering.template.document,
                found[0].pointer,
                what=f"{rendering.template.identity} is managed by a live Karmada: it has {found[0]}{others}",
                why="that Karmada goes on writing the object, and whoever applies the rendered one undoes it",
                fix="take it from that Karmada, then write takeOver: true in spec of krender.yaml "
                "(or remove what Karmada wrote)",
            )
