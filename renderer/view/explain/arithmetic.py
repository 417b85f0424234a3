"""How the scheduler came to its result, as it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.view.explain.page import Line, Table, Tone, names
from renderer.view.explain.selection import NO_MATTER

_SEATS: Final = 12  # told one a line; more are told as runs of winners
_RUNS: Final = 60
_ROWS: Final = 20  # clusters of which the capacity is told


def scheduling_block(facts: Object) -> Iterator[Line | Table]:
    """Why a pass was due, what was remembered, the affinity terms, regions, capacities and divisions."""
    scheduling = mapping(facts.get("scheduling"))
    if not scheduling:
        return
    yield from _trigger(scheduling)
    yield from _memory(mapping(scheduling.get("memory")))
    passed = [text(name) for name in sequence(scheduling.get("notTried"))]
    if passed:
        yield Line(f"affinity terms not tried again: {names(passed)}; a pass begins at the one last observed")
    attempts = [mapping(item) for item in sequence(scheduling.get("attempts"))]
    for attempt in attempts:
        yield from _term(attempt, several=len(attempts) > 1)
        yield from _regions(attempt)
        yield from _selected(attempt)
        for division in map(mapping, sequence(attempt.get("divisions"))):
            yield from _division(division)
        yield from _capacities(attempt)
    if not attempts and scheduling.get("affinityName"):
        yield Line(f"affinity term in force: {text(scheduling.get('affinityName'))}")


def _trigger(scheduling: Object) -> Iterator[Line]:
    because = text(scheduling.get("because"))
    if not scheduling.get("scheduled"):
        yield Line(f"placement: {because}")
        return
    fresh = ", and afresh: nothing counts as kept" if scheduling.get("fresh") else ""
    yield Line(f"placement: decided now, because {because}{fresh}")


def _memory(memory: Object) -> Iterator[Line]:
    clusters = [mapping(item) for item in sequence(memory.get("clusters"))]
    if clusters:
        listed = names(_with_number(text(item.get("cluster")), item.get("replicas")) for item in clusters)
        term = f", by affinity term {text(memory.get('affinityName'))}" if memory.get("affinityName") else ""
        yield Line(f"before: {listed}{term}")
    evictions = [text(name) for name in sequence(memory.get("evictions"))]
    if evictions:
        yield Line(f"being evicted from: {names(evictions)}")


def _with_number(name: str, number: Value) -> str:
    return f"{name} {number}" if number else name


def _term(attempt: Object, *, several: bool) -> Iterator[Line]:
    name = text(attempt.get("affinityName"))
    failure = mapping(attempt.get("failure"))
    if failure:
        term = f"affinity term {name}" if name else "the pass"
        yield Line(f"{term} failed: {text(failure.get('message'))}", tone=Tone.BAD)
    elif name or several:
        yield Line(f"affinity term in force: {name}")
    terminating = [text(item) for item in sequence(attempt.get("terminating"))]
    if terminating:
        yield Line(f"being deleted, so not considered: {names(terminating)}")


def _regions(attempt: Object) -> Iterator[Line | Table]:
    rows = tuple(_region(mapping(item)) for item in sequence(attempt.get("regions")))
    if rows:
        yield Line("regions; of the combinations that will do, the one of the highest total score is chosen")
        yield Table(("REGION", "CHOSEN", "SCORE", "ROOM", "CLUSTERS"), rows, indent=2)


def _region(region: Object) -> tuple[str, ...]:
    clusters = [text(name) for name in sequence(region.get("clusters"))]
    counted = region.get("counted")
    told = names(clusters, 6) + (f" (first {counted} counted)" if counted not in (0, len(clusters)) else "")
    room = _room(region.get("available"))
    return (
        text(region.get("name")),
        "yes" if region.get("chosen") else "no",
        str(region.get("score")),
        room,
        told,
    )


def _selected(attempt: Object) -> Iterator[Line]:
    if attempt.get("spreadConstraintsIgnored"):
        yield Line("spread constraints: ignored for static and equal weights, as Karmada does")
    for swap in map(mapping, sequence(attempt.get("swaps"))):
        yield Line(f"for its capacity {text(swap.get('taken'))} was taken instead of {text(swap.get('out'))}")


def _division(division: Object) -> Iterator[Line | Table]:
    strategy, weights = text(division.get("strategy")), mapping(division.get("weights"))
    if not strategy or strategy == "Duplicated":
        return
    grows = division.get("scaling") == "scale up" and not division.get("kept")
    scaling = f", {text(division.get('scaling'))}" if division.get("scaling") and not grows else ""
    tier = f"overflow tier {division.get('overflowOrder')}: " if division.get("overflowOrder") else ""
    yield Line(f"{tier}{division.get('replicas')} replicas by {strategy}{scaling}")
    kept = mapping(division.get("kept"))
    if kept:
        yield Line(f"kept: {names(f'{name} {number}' for name, number in kept.items())}", indent=2)
    if weights:
        yield Line(f"weights: {_weights(weights)}", indent=2)
    if division.get("notNeeded"):
        yield Line(f"not needed: {names(mapping(division.get('notNeeded')))}", indent=2)
    yield from _seats(division)


def _weights(weights: Object) -> str:
    """Clusters by weight, the heaviest first."""
    groups: dict[int, list[str]] = {}
    for name, weight in weights.items():
        groups.setdefault(weight if isinstance(weight, int) else 0, []).append(name)
    ordered = sorted(groups.items(), reverse=True)
    told = [f"{weight} for {names(sorted(group), 6)}" for weight, group in ordered[:_ROWS]]
    return "; ".join([*told, *(["…"] if len(ordered) > _ROWS else [])])


def _seats(division: Object) -> Iterator[Line | Table]:
    rounds = [mapping(item) for item in sequence(division.get("rounds"))]
    if not rounds:
        if division.get("seats") and division.get("weights"):
            yield Line(f"{division.get('seats')} seats by Webster's method, too many to list", indent=2)
        return
    if len(mapping(division.get("weights"))) == 1:
        return
    yield Line("seat by seat, each to the highest weight / (2 × seats held + 1)", indent=2)
    if len(rounds) <= _SEATS:
        rows = tuple(_seat(item) for item in rounds)
        yield Table(("SEAT", "TO", "CLAIM", "SAME CLAIM"), rows, indent=4)
    else:
        yield Line(", ".join(_runs(rounds)), indent=4)
    if any(sequence(item.get("tied")) for item in rounds):
        yield Line(f"equal claims: first who holds fewer seats, then by name, {_ties(division)}", indent=2)


def _ties(division: Object) -> str:
    if division.get("ties") == "descending":
        return "z before a, as the template's uid decides"
    return "a before z" + (", as the template's uid decides" if division.get("tiesByUid") else "")


def _seat(item: Object) -> tuple[str, ...]:
    held, quotient = item.get("held"), item.get("quotient")
    below = 2 * held + 1 if isinstance(held, int) else 1
    claim = f"{item.get('weight')}/{below}"
    if below > 1 and isinstance(quotient, float):
        claim += f" = {quotient:.3g}"
    tied = [text(name) for name in sequence(item.get("tied"))]
    number = item.get("tiedCount")
    more = f" and {number - len(tied)} more" if isinstance(number, int) and number > len(tied) else ""
    return str(item.get("seat")), text(item.get("to")), claim, names(tied, 20) + more


def _runs(rounds: Iterable[Object]) -> Iterator[str]:
    """Winners in the order of their seats; a run of one winner is counted."""
    runs: list[tuple[str, int]] = []
    for item in rounds:
        winner = text(item.get("to"))
        if runs and runs[-1][0] == winner:
            runs[-1] = (winner, runs[-1][1] + 1)
        else:
            runs.append((winner, 1))
    yield from (name if number == 1 else f"{name} ×{number}" for name, number in runs[:_RUNS])
    if len(runs) > _RUNS:
        yield "…"


def _capacities(attempt: Object) -> Iterator[Line | Table]:
    """What each cluster has room for and what bounds it, where the result depends on that."""
    divisions = [mapping(item) for item in sequence(attempt.get("divisions"))]
    measured = any(text(item.get("strategy")) in ("DynamicWeight", "Aggregated") for item in divisions)
    candidates = [mapping(item) for item in sequence(attempt.get("candidates"))]
    counts = measured or attempt.get("needed") is not None or attempt.get("regions") is not None
    if not candidates or not (counts or attempt.get("failure")):
        return
    yield Line("capacity, in the order of preference")
    rows = tuple(_capacity(item) for item in candidates[:_ROWS])
    yield Table(("CLUSTER", "ROOM", "RUNS", "BOUNDED BY"), rows, indent=2)
    if len(candidates) > _ROWS:
        yield Line(f"and {len(candidates) - _ROWS} more: --format json tells all", indent=2, tone=Tone.QUIET)


def _capacity(item: Object) -> tuple[str, ...]:
    bounds = sorted(map(mapping, sequence(item.get("bounds"))), key=_replicas)
    name = text(item.get("cluster"))
    tier = f" (tier {item.get('overflowOrder')})" if item.get("overflowOrder") else ""
    return name + tier, _room(item.get("free")), str(item.get("previous")), _bounded(bounds)


def _bounded(bounds: Sequence[Object]) -> str:
    """The resource that allows least, and how many replicas the others would."""
    if not bounds:
        return "nothing is measured"
    least, *others = bounds
    detail = f" ({text(least.get('detail'))})" if least.get("detail") else ""
    rest = ", ".join(f"{text(item.get('resource'))} {item.get('replicas')}" for item in others)
    return f"{text(least.get('resource'))}{detail}" + (f"; {rest}" if rest else "")


def _room(value: Value) -> str:
    return "any" if isinstance(value, int) and value >= NO_MATTER else str(value)


def _replicas(bound: Object) -> int:
    replicas = bound.get("replicas")
    return replicas if isinstance(replicas, int) else 0
