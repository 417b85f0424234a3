"""What a binding remembers of earlier renders, and what asks it to forget.

Source: Karmada pkg/scheduler/scheduler.go; pkg/controllers/workloadrebalancer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from renderer.model.binding import Binding
from renderer.model.identity import Identity
from renderer.model.instant import EPOCH, after, later
from renderer.model.previous import Remembered
from renderer.model.rebalancer import WorkloadRebalancer


@dataclass(frozen=True, slots=True)
class Request:
    """A WorkloadRebalancer's wish to schedule a template afresh; `time` is empty where it states none."""

    name: str
    time: str


def requests(rebalancers: Iterable[WorkloadRebalancer]) -> Mapping[Identity, tuple[Request, ...]]:
    """The requests for each template, by name of the rebalancer."""
    found: dict[Identity, list[Request]] = {}
    for rebalancer in sorted(rebalancers, key=lambda item: item.name):
        for workload in rebalancer.workloads:
            found.setdefault(workload, []).append(Request(rebalancer.name, rebalancer.created_at))
    return {identity: tuple(items) for identity, items in found.items()}


def recalled(binding: Binding, remembered: Remembered | None) -> Binding:
    """The binding with its memory: the last result and what it was made for."""
    if remembered is None or remembered.attached:
        return binding
    # A published binding records a time only with a request; without one, any request is later.
    scheduled = EPOCH if remembered.applied_placement else ""
    return replace(
        binding,
        clusters=remembered.clusters,
        observed_affinity_name=remembered.observed_affinity_name,
        applied_placement=remembered.applied_placement,
        last_scheduled_time=remembered.last_scheduled_time or scheduled,
        reschedule_triggered_at=remembered.reschedule_triggered_at,
        graceful_eviction_tasks=remembered.graceful_eviction_tasks,
    )


def asked(binding: Binding, wishes: Iterable[Request], obeyed: Iterable[str], now: str) -> Binding:
    """The binding with the latest request for a fresh schedule on it.

    A rebalancer written by hand has no creationTimestamp: it counts from `now`, once, which is why the
    binding remembers the names of those it obeyed. It comes after the last pass even where the clock does
    not: outside a repository time stands still, and commits may be dated back.
    """
    known = frozenset(obeyed)
    latest = binding.reschedule_triggered_at
    for wish in wishes:
        if wish.time:
            latest = later(wish.time, latest)
        elif wish.name not in known:
            latest = later(after(now, binding.last_scheduled_time), latest)
    return replace(binding, reschedule_triggered_at=latest)


def served(binding: Binding) -> Binding:
    """The binding after a successful pass: its request is served even if the clock stands before it."""
    if not binding.reschedule_triggered_at:
        return binding
    latest = later(binding.last_scheduled_time, binding.reschedule_triggered_at)
    return replace(binding, last_scheduled_time=latest)
