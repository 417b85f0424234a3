"""Where a value comes from, as it is read: the value, who wrote it last, and what that overwrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.values import Object, mapping, sequence, text
from renderer.view.explain.changes import change, shown, what
from renderer.view.explain.page import Block, Line, Page, Tone, count, names
from renderer.view.explain.text import named

_ANSWERS: Final = 40  # told one by one


def field_page(facts: Object) -> Page:
    """The answer for one template, one block for each distinct answer."""
    title = f"{named(mapping(facts.get('object')))}  {text(facts.get('field')) or '(the whole object)'}"
    head = Line(title, source=text(facts.get("source")), tone=Tone.TITLE)
    answers = [mapping(item) for item in sequence(facts.get("answers"))]
    getting = [item for item in answers if item.get("gets")]
    others = [item for item in answers if not item.get("gets")]
    blocks = [tuple(_answer(item, text(facts.get("field")))) for item in getting[:_ANSWERS]]
    return ((head,), *blocks, _rest(getting, "other values on"), _without(others))


def _rest(answers: Sequence[Object], what: str) -> Block:
    """A line for the answers that are too many to tell."""
    number = sum(len(sequence(item.get("clusters"))) for item in answers[_ANSWERS:])
    told = f"{what} {count(number, 'cluster')} more: --cluster NAME tells one, --format json all"
    return (Line(told, tone=Tone.QUIET),) if number else ()


def _answer(answer: Object, field: str) -> Iterator[Line]:
    clusters = names(map(text, sequence(answer.get("clusters"))))
    yield Line(f"{clusters}: {_value(answer)}", tone=Tone.GOOD if "value" in answer else Tone.QUIET)
    events = [mapping(item) for item in sequence(answer.get("history"))]
    if not events:
        yield Line("nobody sets it there", indent=2)
    for number, event in enumerate(reversed(events)):
        over = f"over {_value(event)}, " if number and not event.get("inside") else ""
        yield Line(over + _event(event, field), indent=2, source=text(event.get("source")))


def _event(event: Object, field: str) -> str:
    """What one step did; the value that it left is told before."""
    detail = f": {text(event.get('detail'))}" if event.get("detail") else ""
    words = _KINDS.get(text(event.get("kind")), "") + detail
    if event.get("kind") == "override":
        return _override(event, field)
    if event.get("inside") and event.get("path"):
        return f"changed inside: {text(event.get('path'))} is {_value(event)}, {words}"
    return f"changed inside: {words}" if event.get("inside") else words


def _override(event: Object, field: str) -> str:
    did = what({**event, "path": "" if event.get("path") == field else event.get("path")})
    if event.get("inside"):
        after = {"after": event["value"]} if "value" in event else {}
        changed = change({**event, **after, "changed": True})
        return f"changed inside by {text(event.get('rule'))}: {did}: {changed}"
    verb = "written" if "value" in event else "removed"
    return f"{verb} by {text(event.get('rule'))}: {did}"


def _value(item: Object) -> str:
    return shown(item["value"]) if "value" in item else "(absent)"


_KINDS: Final = {
    "template": "from the template",
    "replicas": "its share of the replicas",
    "completions": "its share of the completions",
    "namespace": "set for the namespace",
    "claim": "emptied",
    "failover": "added for a failover",
    "pruned": "left out",
    "adapted": "adapted to who applies it",
    "ignored": "left alone by who applies it",
    "published": "as published",
}


def _without(answers: Sequence[Object]) -> Block:
    """The clusters that get nothing of the object."""
    lines = []
    for item in answers[:_ANSWERS]:
        because = "; ".join(map(text, sequence(item.get("because"))))
        told = f"{names(map(text, sequence(item.get('clusters'))))}: gets nothing of it: {because}"
        lines.append(Line(told, tone=Tone.QUIET))
    return (*lines, *_rest(answers, "it is not on"))
