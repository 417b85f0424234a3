"""Expressions in the values of an override policy that can be computed on no cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.expression.overriders import expressions, parsed
from renderer.expression.template import ExpressionError
from renderer.load.wording import told
from renderer.model.overrides import OverridePolicy, Overriders, RuleWithCluster


def computable(policy: OverridePolicy, document: Document) -> tuple[OverridePolicy, tuple[Problem, ...]]:
    """The policy, and a problem for each text of it that is no Jinja2, at the text.

    A rule with such a text does nothing, so that the problem is not told again for every cluster.
    """
    if not policy.templated:
        return policy, ()
    problems: list[Problem] = []
    rules: list[RuleWithCluster] = []
    for index, rule in enumerate(policy.rules):
        faults = [
            told(
                document,
                rule.pointer + pointer,
                f"{policy}, rule {index + 1}: a value is no Jinja2: {reason}",
                why="the rule can be applied on no cluster",
                fix="correct the expression",
            )
            for pointer, reason in _faults(rule.overriders)
        ]
        problems += faults
        rules.append(replace(rule, overriders=Overriders()) if faults else rule)
    return replace(policy, rules=tuple(rules)), tuple(problems)


def _faults(overriders: Overriders) -> Iterator[tuple[str, str]]:
    for text, pointer in expressions(overriders):
        try:
            parsed(text)
        except ExpressionError as error:
            yield pointer, error.reason
