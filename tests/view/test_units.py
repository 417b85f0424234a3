"""What the engines apply is listed: all for programs, and for people as much as one reads."""

from __future__ import annotations

import json

from renderer.model.cluster import Cluster
from renderer.model.delivery import Unit
from renderer.model.delivery_engine import Engine
from renderer.view.units import unit_facts, units_block, units_text


def unit(name: str, engine: Engine = Engine.ARGOCD, **of_cluster: object) -> Unit:
    """A unit without objects."""
    cluster = Cluster(name=name, slug=name, **of_cluster)  # type: ignore[arg-type]
    return Unit(name=name, cluster=cluster, engine=engine, path=f"clusters/{name}")


def test_units_are_counted_by_engine_and_listed_with_their_state() -> None:
    units = [unit("a", paused=True, wave=2), unit("b", Engine.FLUX, sync_mode="Pull", frozen=True)]
    assert units_text(units).splitlines() == [
        "Argo CD applies 1 Application; Flux applies 1 Kustomization",
        "  UNIT  CLUSTER  OBJECTS  DIRECTORY   STATE",
        "  a     a        0        clusters/a  paused, empty, wave 2",
        "  b     b        0        clusters/b  frozen, empty, pulled",
    ]


def test_many_units_are_counted() -> None:
    lines = units_text([unit(f"c{number:05}") for number in range(10_000)]).splitlines()
    assert lines[0] == "Argo CD applies 10000 Applications"
    assert lines[-1] == "  and 9980 more: --format json tells all"
    assert len(lines) == 23


def test_nobody_applies_nothing() -> None:
    assert units_text([]) == ""
    assert units_block([]) == ()


def test_programs_are_told_all() -> None:
    assert json.loads(json.dumps(unit_facts(unit("a")))) == {
        "engine": "argocd",
        "kind": "Application",
        "name": "a",
        "cluster": "a",
        "namespace": "",
        "clusterScoped": False,
        "path": "clusters/a",
        "objects": 0,
        "empty": True,
        "syncMode": "Push",
        "tenant": "",
        "wave": 0,
        "paused": False,
        "frozen": False,
    }
