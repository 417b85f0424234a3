"""Values that depend on the cluster, computed: a rule with what one cluster gives its expressions."""

from __future__ import annotations

from renderer.document.problem import Problem
from renderer.expression.overriders import CLUSTER, parsed, visited
from renderer.expression.template import ExpressionError
from renderer.match.labels import valid_value
from renderer.model.cluster import Cluster
from renderer.model.overrides import OverridePolicy, Overriders
from renderer.override.rules import NO_VALUE


def rendered(
    policy: OverridePolicy, index: int, cluster: Cluster
) -> tuple[Overriders, tuple[str, ...], Problem | None]:
    """The overriders of a rule with the values that a cluster gives its expressions.

    Beside them the values in order, or the problem of the first expression that has none. It does not name
    the cluster: on all clusters that lack a fact it is the same problem.
    """
    rule = policy.rules[index]
    values: list[str] = []
    at = ""

    def visit(text: str, pointer: str) -> str:
        nonlocal at
        at = pointer
        value = parsed(text).text({CLUSTER: cluster.body})
        if "/labelsOverrider/" in pointer and not valid_value(value):
            raise ExpressionError("it gives no valid label value", hint=f'it gives "{value}"')
        values.append(value)
        return value

    try:
        overriders = visited(rule.overriders, visit)
    except ExpressionError as error:
        return rule.overriders, (), _problem(policy, index, at, error)
    return overriders, tuple(values), None


def _problem(policy: OverridePolicy, index: int, pointer: str, error: ExpressionError) -> Problem:
    lost = "the objects do not reach the clusters that this rule is about"
    default = "give the cluster that fact, or write a default: {{ … | default('…') }}"
    return NO_VALUE.at(
        policy.document,
        policy.rules[index].pointer + pointer,
        what=f"{policy}, rule {index + 1}: an expression has no value: {error.reason}",
        why=f"{error.hint}; {lost}" if error.hint else lost,
        fix=default if error.absent else error.fix or "mend the expression",
    )
