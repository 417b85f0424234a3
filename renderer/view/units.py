"""What the delivery engines apply, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.values import Object, text
from renderer.model.delivery import Unit
from renderer.model.delivery_engine import Engine
from renderer.view.explain.page import Block, Line, Table, Tone, count, plain

_ROWS: Final = 20  # units listed one by one


def unit_facts(unit: Unit) -> Object:
    """All about one unit."""
    cluster = unit.cluster
    return {
        "engine": unit.engine.value,
        "kind": unit.engine.unit,
        "name": unit.name,
        "cluster": cluster.name,
        "namespace": unit.namespace,
        "clusterScoped": unit.cluster_scoped,
        "path": unit.path,
        "objects": len(unit.contents.objects),
        "empty": unit.is_empty,
        "syncMode": cluster.sync_mode,
        "tenant": unit.tenant,
        "wave": cluster.wave,
        "paused": cluster.paused,
        "frozen": cluster.frozen,
    }


def units_text(units: Sequence[Unit]) -> str:
    """How many there are and, of not too many, which."""
    return plain([units_block([unit_facts(unit) for unit in units])])


def units_block(units: Sequence[Object]) -> Block:
    """The same as a part of a page, from the facts; empty where no engine applies anything."""
    numbers = Counter(Engine(text(unit.get("engine"))) for unit in units)
    told = [f"{engine.product} applies {count(numbers[engine], engine.unit)}" for engine in sorted(numbers)]
    if not told:
        return ()
    rows = tuple(_row(unit) for unit in units[:_ROWS])
    cut = len(units) - _ROWS
    more = [Line(f"and {cut} more: --format json tells all", indent=2, tone=Tone.QUIET)] if cut > 0 else []
    return (
        Line("; ".join(told)),
        Table(("UNIT", "CLUSTER", "OBJECTS", "DIRECTORY", "STATE"), rows, indent=2),
        *more,
    )


def _row(unit: Object) -> tuple[str, ...]:
    name, cluster, path = (text(unit.get(key)) for key in ("name", "cluster", "path"))
    return name, cluster, str(unit.get("objects")), path, ", ".join(_states(unit))


def _states(unit: Object) -> Iterator[str]:
    for word in ("paused", "frozen"):
        if unit.get(word):
            yield word
    if unit.get("empty"):
        yield "empty"
    if unit.get("wave"):
        yield f"wave {unit.get('wave')}"
    if unit.get("syncMode") == "Pull":
        yield "pulled"
    if unit.get("tenant"):
        yield f"team {text(unit.get('tenant'))}"
