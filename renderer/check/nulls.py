"""Findings about overrides that write null because they have no value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.model.plan import Plan

WITHOUT_VALUE: Final = Rule(id="KR315", title="An override has no value and writes null")

RULES: Final = (WITHOUT_VALUE,)


def null_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family. Admission asks fieldOverrider for a value, and plaintext for none."""
    for policy in plan.workspace.override_policies:
        for index, rule in enumerate(policy.rules, 1):
            for place, operation in enumerate(rule.overriders.plaintext):
                if operation.operator != "remove" and not operation.has_value:
                    yield WITHOUT_VALUE.at(
                        policy.document,
                        f"{rule.pointer}/plaintext/{place}",
                        what=f"{policy}, rule {index}: {operation.operator} on {operation.path} has no value",
                        why="Karmada writes null, and to an API server that is a field that is left out",
                        fix="write the value, or operator remove",
                    )
