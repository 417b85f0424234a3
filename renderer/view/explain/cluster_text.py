"""One cluster as it is read: how much it gets, what it is, what it gets and what not, overrides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.explain.page import Block, Line, Page, Table, Tone, count, names
from renderer.view.explain.text import cells, named
from renderer.view.units import units_block

_ROWS: Final = 200  # objects listed one by one


def cluster_page(facts: Object) -> Page:
    """The whole explanation of one cluster."""
    return (
        tuple(_head(facts)),
        tuple(_known(mapping(facts.get("facts")))),
        units_block([mapping(item) for item in sequence(facts.get("units"))]),
        _objects(facts, "gets", "GETS", Tone.GOOD),
        _objects(facts, "getsNot", "DOES NOT GET", Tone.QUIET),
        tuple(_overrides(facts)),
    )


def _head(facts: Object) -> Iterator[Line]:
    counts, known = mapping(facts.get("counts")), mapping(facts.get("facts"))
    yield Line(f"Cluster {text(facts.get('cluster'))}", source=text(facts.get("source")), tone=Tone.TITLE)
    gets = counts.get("gets")
    yield Line(
        f"gets {gets} of {counts.get('templates')} templates, in {text(facts.get('directory'))}",
        tone=Tone.GOOD if gets else Tone.BAD,
    )
    for word, told in _STATES.items():
        if known.get(word):
            since = f" since {text(known.get(word))}" if isinstance(known.get(word), str) else ""
            yield Line(f"{told}{since}", tone=Tone.BAD)


_STATES: Final = {
    "frozen": "frozen: its files stay as last published",
    "deletionTimestamp": "being deleted",
    "paused": "paused",
}


def _known(facts: Object) -> Iterator[Line | Table]:
    """What the inventory says of it."""
    words = [f"{word} {_listed(facts.get(word))}" for word in _FACTS if facts.get(word)]
    yield Line("; ".join(words))
    labels = mapping(facts.get("labels"))
    if labels:
        yield Line(f"labels: {', '.join(f'{key}={text(value)}' for key, value in labels.items())}")
    if facts.get("taints"):
        yield Line(f"taints: {_listed(facts.get('taints'))}")
    for item in map(mapping, sequence(facts.get("conditions"))):
        ready = item.get("type") != "Ready" or item.get("status") == "True"
        why = ": ".join(filter(None, (text(item.get("reason")), text(item.get("message")))))
        told = f"condition {text(item.get('type'))} is {text(item.get('status'))}"
        yield Line(told + (f" ({why})" if why else ""), tone=Tone.PLAIN if ready else Tone.BAD)
    if "apis" in facts:
        yield Line(f"serves {count(_number(facts.get('apis')), 'kind')}")
    rows = tuple(_resource(mapping(item)) for item in sequence(facts.get("resources")))
    if rows:
        yield Table(("RESOURCE", "ALLOCATABLE", "ALLOCATED", "ALLOCATING"), rows)
    if facts.get("observedAt"):
        source = f" by {text(facts.get('observedSource'))}" if facts.get("observedSource") else ""
        yield Line(f"observed at {text(facts.get('observedAt'))}{source}")


_FACTS: Final = (
    "region",
    "zones",
    "provider",
    "syncMode",
    "kubernetesVersion",
    "server",
    "protected",
    "wave",
)


def _resource(item: Object) -> tuple[str, ...]:
    return tuple(text(item.get(word)) for word in ("resource", "allocatable", "allocated", "allocating"))


def _listed(value: Value) -> str:
    if isinstance(value, bool):
        return "yes"
    return ", ".join(map(text, sequence(value))) if isinstance(value, list) else str(value)


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _objects(facts: Object, key: str, title: str, tone: Tone) -> Block:
    items = [mapping(item) for item in sequence(facts.get(key))]
    if not items:
        return ()
    rows = []
    for item in items[:_ROWS]:
        _, gets, why = cells(item)
        rows.append((named(mapping(item.get("object"))), gets if key == "gets" else "", why))
    cut = len(items) - _ROWS
    more = [Line(f"and {cut} more: --format json tells all", tone=Tone.QUIET)] if cut > 0 else []
    tones = tuple(tone for _ in rows)
    if key == "gets":
        return (Table((title, "REPLICAS", "WHY"), tuple(rows), tones=tones), *more)
    return (Table((title, "WHY"), tuple((name, why) for name, _, why in rows), tones=tones), *more)


def _overrides(facts: Object) -> Iterator[Line]:
    rules = [mapping(item) for item in sequence(facts.get("overrides"))]
    if rules:
        yield Line("overrides that apply here")
    for rule in rules:
        yield Line(text(rule.get("rule")), indent=2, source=text(rule.get("source")))
        for item in map(mapping, sequence(rule.get("objects"))):
            yield _touched(item)


def _touched(item: Object) -> Line:
    name, changed = named(mapping(item.get("object"))), [text(path) for path in sequence(item.get("changed"))]
    if item.get("failed"):
        return Line(f"{name}: failed: {text(item.get('failed'))}", indent=4, tone=Tone.BAD)
    if not changed:
        return Line(f"{name}: changes nothing", indent=4, tone=Tone.QUIET)
    return Line(f"{name}: changes {names(dict.fromkeys(changed), 4)}", indent=4)
