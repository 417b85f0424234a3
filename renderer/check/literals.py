"""Findings about expressions that are not computed, because their policy does not ask for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.expression.overriders import CLUSTER, expressions
from renderer.model.plan import Plan

LITERAL: Final = Rule(id="KR314", title="An expression is written as it stands")

RULES: Final = (LITERAL,)

# Other templates have braces too (Go, Prometheus), and are not about `cluster`.
_EXPRESSION: Final = re.compile(rf"\{{[{{%][^}}]*?(?<![\w.$]){CLUSTER}\b.*?[}}%]\}}", re.DOTALL)


def literal_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a value."""
    for policy in plan.workspace.override_policies:
        for index, rule in enumerate(() if policy.templated else policy.rules, 1):
            for text, pointer in expressions(rule.overriders):
                found = _EXPRESSION.search(text)
                if found:
                    yield LITERAL.at(
                        policy.document,
                        rule.pointer + pointer,
                        what=f"{policy}, rule {index}: {found.group()} is written as it stands",
                        why="values are computed for each cluster only where the policy asks for it",
                        fix='annotate the policy with "krender.io/values: jinja2"',
                    )
