"""Findings about the old form of an override policy, spec.targetCluster and spec.overriders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.document.values import dig, mapping
from renderer.model.plan import Plan

LEFT_OUT: Final = Rule(id="KR312", title="Overriders beside overrideRules are left out")

RULES: Final = (LEFT_OUT,)


def legacy_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family. Admission refuses such a mixture, but does not see a fieldOverrider."""
    for policy in plan.workspace.override_policies:
        overriders = mapping(dig(policy.body, "spec", "overriders"))
        if dig(policy.body, "spec", "overrideRules") and overriders:
            yield LEFT_OUT.at(
                policy.document,
                "/spec/overriders",
                what=f"{policy}: what stands in spec.overriders is never applied",
                why="overriders are the old form of a single rule, and Karmada looks at overrideRules alone",
                fix="move it into a rule of overrideRules",
            )
