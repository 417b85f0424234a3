"""Findings about what Flux is given: what it cannot keep, and what would take it long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.model.delivery_engine import Engine
from renderer.model.plan import Plan

APART: Final = Rule(id="KR841", title="Nobody waits for a wave of clusters that pull")
LARGE: Final = Rule(id="KR842", title="A hub's Kustomizations take long to build")

RULES: Final = (APART, LARGE)

_PULL: Final = "Pull"
_MOST: Final = 1000  # objects that Kustomize builds in seconds


def flux_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    yield from _apart(plan)
    yield from _large(plan)


def _apart(plan: Plan) -> Iterator[Problem]:
    """Each Flux of a cluster that pulls knows its own cluster alone."""
    delivery = plan.workspace.config.delivery
    pulling = [
        cluster
        for cluster in plan.workspace.clusters
        if cluster.wave and cluster.sync_mode == _PULL and delivery.engine_of(cluster) is Engine.FLUX
    ]
    if pulling:
        yield APART.at(
            pulling[0].document,
            what=f"{some([cluster.name for cluster in pulling])}: in a wave, and pulled by a Flux of its own",
            why="that Flux knows its own cluster only: a commit is there as soon as it is pulled",
            fix="take the wave out, or have a hub push to the cluster (syncMode: Push)",
        )


def _large(plan: Plan) -> Iterator[Problem]:
    config = plan.workspace.config
    parts = config.delivery.flux.hub_parts
    number = sum(unit.engine is Engine.FLUX and unit.cluster.sync_mode != _PULL for unit in plan.units)
    if number > _MOST * parts:
        yield LARGE.at(
            config.document,
            "/spec/delivery",
            what=f"Flux's hub has {number:,} Kustomizations in {parts} part{'' if parts == 1 else 's'}",
            why="Kustomize compares each object with every other: three thousand take it a minute",
            fix=f"set delivery.flux.hubParts to {16 if number <= 16 * _MOST else 256}",
        )
