"""Findings about what nobody cleans up when it is finished."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig
from renderer.model.carried import written
from renderer.model.plan import Plan

STAYS: Final = Rule(id="KR508", title="A finished Job stays", severity=Severity.NOTE)

RULES: Final = (STAYS,)


def finished_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family. Source: Karmada pkg/resourceinterpreter/default/native/prune."""
    for rendering in written(plan):
        identity = rendering.template.identity
        after = dig(rendering.template.body, "spec", "ttlSecondsAfterFinished")
        if identity.kind == "Job" and after is not None:
            yield STAYS.at(
                rendering.template.document,
                "/spec/ttlSecondsAfterFinished",
                what=f"{identity}: ttlSecondsAfterFinished is left out",
                why="a Job that a cluster deletes is applied again; in Karmada the template would be deleted",
                fix="remove the template when the Job is done, or use a CronJob",
            )
