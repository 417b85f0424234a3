"""One policy as it is read: what comes of it, its selectors, what it has and has not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from renderer.document.values import Object, mapping, sequence, text
from renderer.view.explain.page import Block, Line, Page, Table, Tone, count, names
from renderer.view.explain.text import named

_Cells: TypeAlias = Callable[[Object], tuple[str, ...]]

_ROWS: Final = 200  # objects listed one by one


def policy_page(facts: Object) -> Page:
    """The whole explanation of one policy."""
    return (
        tuple(_head(facts)),
        tuple(_refusal(facts)),
        tuple(_selectors(facts)),
        _table(facts, "claims", ("CLAIMS", "CLUSTERS", "REPLICAS", "WHY"), _claimed, Tone.GOOD),
        _table(facts, "lost", ("DOES NOT GET", "TAKEN BY", "WHY"), _lost, Tone.QUIET),
        _table(facts, "without", ("DOES NOT GET", "WHY"), _without, Tone.QUIET),
        *(tuple(_rule(mapping(rule))) for rule in sequence(facts.get("rules"))),
    )


def _head(facts: Object) -> Iterator[Line]:
    policy = mapping(facts.get("policy"))
    yield Line(named(policy), source=text(facts.get("source")), tone=Tone.TITLE)
    if "claims" in facts:
        claims, lost = len(sequence(facts.get("claims"))), len(sequence(facts.get("lost")))
        told = f"claims {count(claims, 'template')}"
        told += f", and loses {lost} to other policies" if lost else ""
        told += f"; priority {facts.get('priority')}" if facts.get("priority") else ""
        yield Line(told, tone=Tone.GOOD if claims else Tone.BAD)
    elif "rules" in facts:
        rules = [mapping(item) for item in sequence(facts.get("rules"))]
        unused = sum(1 for rule in rules if not sequence(rule.get("touches")))
        told = f"{count(len(rules), 'rule')}, " + (
            f"{unused} of them never applied" if unused else "each of them applied to something"
        )
        yield Line(told, tone=Tone.BAD if unused else Tone.GOOD)


def _refusal(facts: Object) -> Iterator[Line]:
    if facts.get("refused"):
        yield Line(f"refused, so it does not exist: {text(facts.get('refused'))}", tone=Tone.BAD)
        yield Line("krender check tells where and how to mend it")


def _selectors(facts: Object) -> Iterator[Line]:
    selectors = [mapping(item) for item in sequence(facts.get("selectors"))]
    if not selectors and "rules" in facts:
        yield Line("no selectors: every template" + (" of its namespace" if _namespace(facts) else ""))
    for item in selectors:
        selected = [named(mapping(each)) for each in sequence(item.get("selects"))]
        told = f"selects {names(selected, 6)}" if selected else "selects nothing"
        yield Line(
            f"{text(item.get('selector'))}: {told}",
            source=text(item.get("source")),
            tone=Tone.PLAIN if selected else Tone.BAD,
        )
        for miss in map(mapping, sequence(item.get("nearMisses"))):
            differences = " and ".join(map(text, sequence(miss.get("differences"))))
            yield Line(f"near: {named(mapping(miss.get('object')))}: {differences}", indent=2)


def _namespace(facts: Object) -> str:
    return text(mapping(facts.get("policy")).get("namespace"))


def _table(facts: Object, key: str, header: tuple[str, ...], row: _Cells, tone: Tone) -> Block:
    items = [mapping(item) for item in sequence(facts.get(key))]
    rows = tuple(row(item) for item in items[:_ROWS])
    cut = len(items) - len(rows)
    more = [Line(f"and {cut} more: --format json tells all", tone=Tone.QUIET)] if cut else []
    return (Table(header, rows, tones=tuple(tone for _ in rows)), *more)


def _claimed(item: Object) -> tuple[str, ...]:
    replicas = item.get("replicas")
    why = [text(item.get("because"))]
    if item.get("condition") not in (None, "Success"):
        why.append(f"{text(item.get('condition'))}: {text(item.get('message'))}")
    if item.get("error"):
        why.append(f"error: {text(item.get('error'))}")
    return (
        named(mapping(item.get("object"))),
        str(item.get("clusters")),
        "" if replicas is None else str(replicas),
        "; ".join(why),
    )


def _lost(item: Object) -> tuple[str, ...]:
    winner = mapping(item.get("to"))
    return named(mapping(item.get("object"))), named(winner) if winner else "", text(item.get("because"))


def _without(item: Object) -> tuple[str, ...]:
    return named(mapping(item.get("object"))), text(item.get("because"))


def _rule(rule: Object) -> Iterator[Line]:
    targets = [text(name) for name in sequence(rule.get("targets"))]
    yield Line(text(rule.get("rule")), source=text(rule.get("source")))
    everywhere = rule.get("everywhere") and len(targets) > 1
    told = f"all {len(targets)} clusters" if everywhere else names(targets)
    yield Line(f"targets {told or 'no cluster'}", indent=2)
    if rule.get("because"):
        yield Line(f"never applied: {text(rule.get('because'))}", indent=2, tone=Tone.BAD)
    for item in map(mapping, sequence(rule.get("touches"))):
        did = "changes" if item.get("changed") else "applies without change to"
        did = f"fails ({text(item.get('failed'))}) for" if item.get("failed") else did
        on = names(map(text, sequence(item.get("clusters"))))
        tone = Tone.BAD if item.get("failed") else Tone.PLAIN
        yield Line(f"{did} {named(mapping(item.get('object')))} on {on}", indent=2, tone=tone)
