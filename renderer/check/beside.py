"""Findings about objects of one engine on clusters that another delivers to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.reader import NAMES
from renderer.check.readers import ARGO, FLUX
from renderer.document.problem import Problem, Severity
from renderer.model.carried import clusters_of, written
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan

BESIDE: Final = Rule(id="KR814", title="Two engines work on a cluster", severity=Severity.NOTE)

RULES: Final = (BESIDE,)

_OBJECTS: Final = {
    (ARGO, "Application"): (Engine.ARGOCD, "Argo CD"),
    (ARGO, "ApplicationSet"): (Engine.ARGOCD, "Argo CD"),
    (FLUX, "Kustomization"): (Engine.FLUX, "Flux"),
}


def beside_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    delivery = plan.workspace.config.delivery
    engines = {cluster.name: delivery.engine_of(cluster) for cluster in plan.workspace.clusters}
    for rendering in written(plan):
        identity = rendering.template.identity
        known = _OBJECTS.get((identity.group, identity.kind))
        if known is None:
            continue
        engine, name = known
        others = [
            cluster
            for cluster in clusters_of(rendering)
            if engines.get(cluster, Engine.NONE) not in (Engine.NONE, engine)
        ]
        if others:
            there = f"{some(others)}, to which {NAMES[engines[others[0]]]} delivers"
            yield BESIDE.at(
                rendering.template.document,
                "/kind",
                what=f"{identity} has {name} work on {there}",
                why="an object that both apply would be written by both, for ever",
                fix="see that it applies nothing that the workspace renders",
            )
