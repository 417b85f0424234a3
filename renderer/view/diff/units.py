"""What becomes of Applications and Kustomizations: those to which the same happens stand together."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.delivery.delivered import unit_changes
from renderer.document.values import Object, Value
from renderer.model.delivery_engine import Engine
from renderer.model.differences import Identify
from renderer.model.tree import Tree


def unit_facts(old: Tree, new: Tree, identify: Identify) -> Iterator[Object]:
    """Those that go, those that come, and the fields that change of others, each with all names."""
    gone: dict[Engine, list[Value]] = {}
    come: dict[Engine, list[Value]] = {}
    changed: dict[tuple[Engine, str, str], tuple[Value, Value, list[Value]]] = {}
    for unit in unit_changes(old, new, identify):
        if not unit.after:
            gone.setdefault(unit.engine, []).append(unit.name)
        elif not unit.before:
            come.setdefault(unit.engine, []).append(unit.name)
        for field, before, after in unit.fields:
            key = (unit.engine, field, repr((before, after)))
            changed.setdefault(key, (before, after, []))[2].append(unit.name)
    for change, found in (("deleted", gone), ("added", come)):
        for engine, names in found.items():
            yield {"change": change, "kind": engine.unit, "names": names}
    for (engine, field, _), (before, after, names) in changed.items():
        yield {
            "change": "field",
            "kind": engine.unit,
            "path": field,
            "before": before,
            "after": after,
            "names": names,
        }
