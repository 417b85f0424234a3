"""What the overrides changed, as it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.explain.page import Line, Tone, count, names

_LONG: Final = 100  # characters of a value on one line
_CHANGES: Final = 20  # values that one entry of an overrider wrote, told one by one

_NOTES: Final = {
    "no-target": "there is nothing to work on: {}",
    "no-container": "no container has that name; there are: {}",
    "no-registry": 'the image has no registry part: "{}" is part of the repository',
    "digest-lost": "an image with tag and digest keeps the tag only; lost: {}",
    "invalid-image": "the outcome is no valid image reference: {}",
    "not-a-tag": "{} is neither tag nor digest, and is ignored",
    "not-text": "elements that are no text become Go's words for a bad verb: {}",
    "empty-list": "the list was absent, and is written empty",
    "word-absent": "there is no {}: words are compared whole",
    "key-absent": "the key is not there, and replace and remove pass over it",
    "map-reset": "a value of the map is no text, so the map was emptied first; lost: {}",
    "keys-lost": "the map was replaced whole; lost: {}",
    "entries-lost": "the list was replaced whole; lost: {}",
    "passed-over": "the overrider does not look at: {}",
    "no-effect": 'a path that begins with "//" changes a copy that nobody sees',
    "path-cut": 'a path without a leading slash loses its first part: "{}"',
    "reformatted": "the text was laid out anew",
}

_Rule: TypeAlias = tuple[str, str]  # title and source
_Changes: TypeAlias = dict[_Rule, dict[tuple[str, ...], list[str]]]  # what and where, change -> clusters


def override_block(facts: Object) -> Iterator[Line]:
    """Rule by rule in the order in which they apply, each change once with the clusters that have it."""
    outcomes = [mapping(item) for item in sequence(facts.get("overrides"))]
    rules = _by_rule(outcomes)
    passed = [mapping(item) for item in sequence(facts.get("passedOver"))]
    for outcome in outcomes:
        if outcome.get("failed"):
            on = names(map(text, sequence(outcome.get("clusters"))))
            yield Line(f"failed on {on}: {text(outcome.get('failed'))}", tone=Tone.BAD)
    if rules or passed:
        yield Line("overrides, in the order in which they apply")
    for (title, source), steps in rules.items():
        # Where there are steps, each of them tells its own place.
        yield Line(title, indent=2, source="" if steps else source)
        yield from _rule(steps)
    for rule in passed:
        told = f"{text(rule.get('rule'))}: not for any of its clusters"
        yield Line(told, indent=2, source=text(rule.get("source")), tone=Tone.QUIET)


def shown(value: Value) -> str:
    """A value on one line, cut where it is long."""
    written = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return written if len(written) <= _LONG else f"{written[: _LONG - 1]}…"


def change(step: Object) -> str:
    """What a step did: `before -> after`."""
    before = shown(step["before"]) if "before" in step else "(absent)"
    after = shown(step["after"]) if "after" in step else "(absent)"
    return f"{before} -> {after}" if step.get("changed") else f"{before}, unchanged"


def what(step: Object) -> str:
    """Overrider, operator and field of a step."""
    words = (text(step.get("overrider")), text(step.get("operator")), text(step.get("component")))
    inside = f" at {text(step.get('subPath'))} in the text" if step.get("subPath") else ""
    return "  ".join(filter(None, (" ".join(filter(None, words)), f"{text(step.get('path'))}{inside}")))


def note(item: Object) -> str:
    """A remark in words."""
    details = names(map(text, sequence(item.get("details"))), 6)
    return _NOTES.get(text(item.get("note")), "{}").format(details)


def _by_rule(outcomes: Sequence[Object]) -> dict[_Rule, _Changes]:
    """The rules of all outcomes in their order, each with its steps."""
    found: dict[_Rule, _Changes] = {}
    for rule, clusters in _rules_of(outcomes):
        steps = found.setdefault((text(rule.get("rule")), text(rule.get("source"))), {})
        for step in map(mapping, sequence(rule.get("steps"))):
            changes = steps.setdefault((what(step), text(step.get("source"))), {})
            changes.setdefault(_told(step), []).extend(clusters)
        if rule.get("failed"):
            steps.setdefault(("fails", text(rule.get("source"))), {}).setdefault((), []).extend(clusters)
    return found


def _rules_of(outcomes: Sequence[Object]) -> list[tuple[Object, list[str]]]:
    """Each rule of each outcome with the clusters of the outcome, in the order in which rules apply."""
    rules = [
        (rule, [text(name) for name in sequence(outcome.get("clusters"))])
        for outcome in outcomes
        for rule in map(mapping, sequence(outcome.get("rules")))
    ]
    return sorted(rules, key=lambda item: _number(item[0].get("order")))


def _rule(steps: _Changes) -> Iterator[Line]:
    for (did, source), changes in steps.items():
        yield Line(did, indent=4, source=source, tone=Tone.BAD if did == "fails" else Tone.PLAIN)
        listed = list(changes.items())
        for told, clusters in listed[:_CHANGES]:
            changed = f"{told[0]}  " if told else ""
            yield Line(f"{changed}on {names(sorted(clusters))}", indent=6)
            yield from (Line(remark, indent=8, tone=Tone.QUIET) for remark in told[1:])
        if len(listed) > _CHANGES:
            others = sum(len(clusters) for _, clusters in listed[_CHANGES:])
            yield Line(f"and other values on {count(others, 'cluster')}", indent=6, tone=Tone.QUIET)
    if not steps:
        yield Line("does nothing", indent=4)


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _told(step: Object) -> tuple[str, ...]:
    remarks = [note(mapping(item)) for item in sequence(step.get("notes"))]
    if step.get("undoneBy"):
        remarks.append(f"undone by {text(step.get('undoneBy'))}")
    return (change(step), *remarks)
