"""The facts about a template as text for a terminal: the answer first, the arithmetic below it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.problems import printable

_LONG = 100  # characters of a value on one line
_ROWS = 40  # clusters listed one by one; more are counted by reason


def object_text(facts: Object) -> str:
    """The whole explanation of one template."""
    blocks = [
        "\n".join(_head(facts)),
        _table(["CLUSTER", "REPLICAS", "WHY"], _rows(facts)),
        "\n".join(_scheduling(facts)),
        "\n".join(_overrides(facts)),
    ]
    return "\n\n".join(block for block in blocks if block)


def named(identity: Object) -> str:
    """An object by kind, namespace and name."""
    namespace = text(identity.get("namespace"))
    name = text(identity.get("name"))
    return (
        f"{text(identity.get('kind'))} {namespace}/{name}"
        if namespace
        else f"{text(identity.get('kind'))} {name}"
    )


def shown(value: Value) -> str:
    """A value on one line, cut where it is long."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    written = printable(written)
    return written if len(written) <= _LONG else f"{written[: _LONG - 1]}…"


def _head(facts: Object) -> Iterator[str]:
    source = text(facts.get("source"))
    yield named(mapping(facts.get("object"))) + (f"  ({source})" if source else "")
    claim = mapping(facts.get("claim"))
    policy = mapping(claim.get("policy"))
    if policy:
        verb = "claimed by" if claim.get("outcome") == "claimed" else f"{text(claim.get('outcome'))}:"
        yield f"{verb} {named(policy)}, which {text(claim.get('because'))}  ({text(policy.get('source'))})"
    else:
        yield f"not claimed: {text(claim.get('outcome'))}"
    for loss in map(mapping, sequence(claim.get("lost"))):
        yield f"  {named(loss)} lost: {text(loss.get('because'))}  ({text(loss.get('source'))})"
    standing = _STANDINGS.get(text(facts.get("standing")))
    if standing:
        yield standing
    for item in map(mapping, sequence(facts.get("requiredBy"))):
        yield f"needed by binding {text(item.get('namespace'))}/{text(item.get('name'))}"
    if facts.get("condition"):
        message = text(facts.get("message"))
        yield f"scheduling: {text(facts.get('condition'))}" + (f": {message}" if message else "")
    if facts.get("error"):
        yield f"error: {text(facts.get('error'))}"


_STANDINGS = {
    "follows": "has no placement of its own: it goes where the templates go that need it",
    "namespace": "a Namespace that no policy claims: it goes where something lives in it",
    "orphan": "was placed earlier: its files stay as last published",
    "held": "cannot be decided now: its files stay as last published",
}


def _rows(facts: Object) -> list[tuple[str, str, str]]:
    """One row a cluster; clusters beyond the first are counted where they have the same answer."""
    rows = [_row(mapping(item)) for item in sequence(facts.get("clusters"))]
    taken = sorted(row for row in rows if row[1] != "-")
    refused = sorted(row for row in rows if row[1] == "-")
    return [*_bounded(taken), *_bounded(refused)]


def _row(item: Object) -> tuple[str, str, str]:
    because = [text(reason) for reason in sequence(item.get("because"))]
    if item.get("as"):
        because.append(f"as {named(mapping(item.get('as')))}")
    if item.get("heldBack"):
        because.append(f"{text(item.get('heldBack'))}: its file stays as last published")
    if item.get("completions") is not None:
        because.append(f"{item.get('completions')} completions")
    if not item.get("gets"):
        return text(item.get("cluster")), "-", "; ".join(because)
    replicas = item.get("replicas")
    return text(item.get("cluster")), "yes" if replicas is None else str(replicas), "; ".join(because)


def _bounded(rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    if len(rows) <= _ROWS:
        return list(rows)
    groups: dict[tuple[str, str], list[str]] = {}
    for name, replicas, why in rows:
        groups.setdefault((replicas, why), []).append(name)
    return [
        (names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more", replicas, why)
        for (replicas, why), names in groups.items()
    ]


def _scheduling(facts: Object) -> Iterator[str]:
    scheduling = mapping(facts.get("scheduling"))
    if not scheduling:
        return
    if not scheduling.get("scheduled"):
        yield "placement: no pass was due, the earlier result stands"
        return
    attempts = [mapping(item) for item in sequence(scheduling.get("attempts"))]
    for attempt in attempts:
        if attempt.get("affinityName") or len(attempts) > 1:
            failure = text(attempt.get("failure"))
            yield f"affinity term {text(attempt.get('affinityName'))}: {failure or 'fits'}"
        yield from _regions(attempt)
        if attempt.get("spreadConstraintsIgnored"):
            yield "spread constraints: ignored for static and equal weights, as Karmada does"
        for swap in map(mapping, sequence(attempt.get("swaps"))):
            yield f"for more capacity, {text(swap.get('taken'))} was taken instead of {text(swap.get('out'))}"
        for division in map(mapping, sequence(attempt.get("divisions"))):
            yield from _division(division, attempt)


def _regions(attempt: Object) -> Iterator[str]:
    for region in map(mapping, sequence(attempt.get("regions"))):
        verdict = "chosen" if region.get("chosen") else "not chosen"
        clusters = ", ".join(map(text, sequence(region.get("clusters"))))
        yield (
            f"region {text(region.get('name'))}: {verdict}, score {region.get('score')}, "
            f"{region.get('available')} replicas available on {clusters}"
        )


def _division(division: Object, attempt: Object) -> Iterator[str]:
    strategy = text(division.get("strategy"))
    weights = mapping(division.get("weights"))
    if not strategy or strategy == "Duplicated":
        return
    scaling = f", {text(division.get('scaling'))}" if division.get("scaling") else ""
    yield f"{division.get('replicas')} replicas by {strategy}{scaling}:"
    kept = mapping(division.get("kept"))
    if kept:
        yield "  kept: " + ", ".join(f"{name} {count}" for name, count in kept.items())
    if weights:
        yield "  weights: " + ", ".join(f"{name} {weight}" for name, weight in weights.items())
    if division.get("notNeeded"):
        yield "  not needed: " + ", ".join(mapping(division.get("notNeeded")))
    rounds = [mapping(item) for item in sequence(division.get("rounds"))]
    if rounds:
        yield f"  seat by seat, to the highest weight/(2·seats+1): {', '.join(_seats(rounds))}"
        if any(sequence(item.get("tied")) for item in rounds):
            yield "  ties go to the cluster with fewer seats, then by name"
    if strategy != "StaticWeight":
        yield from _capacities(attempt)


def _seats(rounds: Iterable[Object]) -> Iterator[str]:
    """Winners in the order of their seats; a run of one winner is counted."""
    last, count = "", 0
    for winner in [*(text(item.get("to")) for item in rounds), ""]:
        if winner == last:
            count += 1
            continue
        if last:
            yield last if count == 1 else f"{last} ×{count}"
        last, count = winner, 1


def _capacities(attempt: Object) -> Iterator[str]:
    for item in map(mapping, sequence(attempt.get("candidates"))):
        bounds = [mapping(bound) for bound in sequence(item.get("bounds"))]
        least = min(bounds, key=_replicas, default=None)
        why = f", bounded by {text(least.get('resource'))} ({text(least.get('detail'))})" if least else ""
        yield f"  {text(item.get('cluster'))}: room for {item.get('free')} more{why}"


def _replicas(bound: Object) -> int:
    replicas = bound.get("replicas")
    return replicas if isinstance(replicas, int) else 0


def _overrides(facts: Object) -> Iterator[str]:
    """Rule by rule in the order in which they apply, each change once with the clusters that have it."""
    outcomes = [mapping(item) for item in sequence(facts.get("overrides"))]
    rules: dict[tuple[str, str], _Changes] = {rule: {} for rule in _in_order(outcomes)}
    for outcome in outcomes:
        clusters = [text(name) for name in sequence(outcome.get("clusters"))]
        for rule in map(mapping, sequence(outcome.get("rules"))):
            steps = rules[_rule(rule)]
            for step in map(mapping, sequence(rule.get("steps"))):
                steps.setdefault(_what(step), {}).setdefault(_change(step), []).extend(clusters)
    if rules:
        yield "overrides, in the order in which they apply"
    for (title, source), steps in rules.items():
        yield f"  {title}  ({source})"
        for what, changes in steps.items():
            yield f"    {what}"
            for change, clusters in changes.items():
                yield f"      {change[0]}  on {_names(sorted(clusters))}"
                yield from (f"        note: {note}" for note in change[1:])
        if not steps:
            yield "    changes nothing"
    for outcome in outcomes:
        if outcome.get("failed"):
            yield f"  failed on {_names(sequence(outcome.get('clusters')))}: {text(outcome.get('failed'))}"


_Changes: TypeAlias = dict[str, dict[tuple[str, ...], list[str]]]  # what, change -> clusters


def _rule(rule: Object) -> tuple[str, str]:
    return text(rule.get("rule")), text(rule.get("source"))


def _in_order(outcomes: Iterable[Object]) -> list[tuple[str, str]]:
    """The rules of all outcomes in one order: each stands behind the one that it follows somewhere."""
    order: list[tuple[str, str]] = []
    for outcome in outcomes:
        place = 0
        for rule in map(_rule, map(mapping, sequence(outcome.get("rules")))):
            if rule not in order:
                order.insert(place, rule)
            place = order.index(rule) + 1
    return order


def _what(step: Object) -> str:
    words = (text(step.get("overrider")), text(step.get("operator")), text(step.get("component")))
    inside = f" at {text(step.get('subPath'))}" if step.get("subPath") else ""
    return f"{' '.join(filter(None, words))}  {text(step.get('path'))}{inside}"


def _change(step: Object) -> tuple[str, ...]:
    before = shown(step["before"]) if "before" in step else "(absent)"
    after = shown(step["after"]) if "after" in step else "(absent)"
    change = f"{before} -> {after}" if step.get("changed") else f"{before}, unchanged"
    return (change, *map(text, sequence(step.get("notes"))))


def _names(names: Sequence[Value]) -> str:
    listed = [text(name) for name in names]
    return ", ".join(listed) if len(listed) <= 12 else f"{', '.join(listed[:12])} and {len(listed) - 12} more"


def _table(header: Sequence[str], rows: Sequence[tuple[str, str, str]]) -> str:
    if not rows:
        return ""
    lines = [tuple(header), *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(2)]
    return "\n".join(
        f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {printable(line[2])}".rstrip() for line in lines
    )
