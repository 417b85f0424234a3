"""What there is to tell of a run beyond its Plan, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from renderer.document.problem import Problem
from renderer.view.metrics.families import (
    BUILD,
    CHANGED,
    CLUSTER_LAST_PUBLISH,
    EXIT_CODE,
    FINDINGS,
    LAST_PUBLISH,
    MOVED,
    STOPS,
    WROTE,
)
from renderer.view.metrics.openmetrics import Measured


def ended(version: str, code: int) -> tuple[Measured, ...]:
    """Which krender ran, and how the run ended."""
    return (BUILD.of({(version,): 1}), EXIT_CODE.at(code))


def found(problems: Iterable[Problem]) -> tuple[Measured, ...]:
    """What `check` would tell, each problem counted."""
    return (FINDINGS.of(Counter((problem.severity.value, problem.rule) for problem in problems)),)


def stopped(guards: Iterable[str]) -> tuple[Measured, ...]:
    """What the guards stopped; nothing, where all of them were asked."""
    return (STOPS.of(Counter((guard,) for guard in guards)),)


def changed(added: int, modified: int, deleted: int) -> tuple[Measured, ...]:
    """Files of objects that are not as they were published before the run."""
    return (CHANGED.of({("added",): added, ("modified",): modified, ("deleted",): deleted}),)


def moved(replicas: int) -> tuple[Measured, ...]:
    """Replicas that go from one cluster to another."""
    return (MOVED.at(replicas),)


def wrote(*, anything: bool) -> tuple[Measured, ...]:
    """Whether the run wrote or committed anything."""
    return (WROTE.at(int(anything)),)


def published(date: int, clusters: Mapping[str, int]) -> tuple[Measured, ...]:
    """The date of the branch's last commit, and of the last that changed each cluster, where known."""
    return (
        LAST_PUBLISH.at(date),
        CLUSTER_LAST_PUBLISH.of({(name,): when for name, when in clusters.items()}),
    )
