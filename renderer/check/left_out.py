"""Findings about what a template states and its manifests do not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, sequence, text
from renderer.model.carried import written
from renderer.model.plan import Plan

LEFT_OUT: Final = Rule(id="KR807", title="Finalizers are left out", severity=Severity.NOTE)

RULES: Final = (LEFT_OUT,)


def left_out_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family. What a server wrote is left out as well, and missed by nobody."""
    for rendering in written(plan):
        metadata = rendering.template.body.get("metadata")
        stated = [text(item) for item in sequence(dig(metadata, "finalizers"))]
        # What comes from a cluster has its finalizers from there.
        if stated and not text(dig(metadata, "uid")):
            yield LEFT_OUT.at(
                rendering.template.document,
                "/metadata/finalizers",
                what=f"{rendering.template.identity}: its finalizers are left out ({', '.join(stated)})",
                why="Karmada sends none to members: whoever deletes the object there waits for nothing",
                fix="have a controller in the cluster set them, or remove them here",
            )
