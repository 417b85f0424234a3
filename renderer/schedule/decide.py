"""The step: bindings of all claimed templates to bindings with a result.

Workload affinity lets one binding look at others, so the order matters there: higher priority first,
then by namespace and name; each decision is visible to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from renderer.model.binding import Binding
from renderer.model.cluster import Cluster
from renderer.model.decision import Condition, Decision
from renderer.model.failover import FailoverSettings
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity
from renderer.model.previous import Key, Previous, Remembered
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.schedule.failover import Failover
from renderer.schedule.inventory import Inventory
from renderer.schedule.memory import Request, asked, recalled, requests, served
from renderer.schedule.question import SchedulerOptions
from renderer.schedule.scheduler import reconcile, settled

NO_FAILOVER: Final = FailoverSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A binding after the render, and how it came about.

    `condition` and `message` are those of the Scheduled condition; where nothing was due, the last ones.
    """

    binding: Binding
    decision: Decision
    condition: str
    message: str = ""
    rebalanced_by: tuple[str, ...] = ()


def decide(
    bindings: Sequence[Binding],
    clusters: Iterable[Cluster],
    previous: Previous,
    rebalancers: Iterable[WorkloadRebalancer],
    *,
    now: str,
    gates: FeatureGates,
    options: SchedulerOptions,
    failover: FailoverSettings = NO_FAILOVER,
) -> tuple[Decided, ...]:
    """Schedule each binding for which a pass is due; the results are in the order of `bindings`."""
    inventory, wishes = Inventory(clusters), requests(rebalancers)
    leave = Failover.of(inventory.fleet.clusters, failover, gates, now)
    current = [_with_memory(binding, previous, wishes, now) for binding in bindings]
    results: dict[Key, Decided] = {}
    order = sorted(
        range(len(current)), key=lambda i: (-(current[i].schedule_priority or 0), current[i].identity)
    )
    for place in order:
        binding = current[place]
        others = tuple(item for item in current if item is not binding) if gates.workload_affinity else ()
        schedule = partial(reconcile, clusters=inventory, gates=gates, options=options, others=others)
        after, decision = _at_rest(leave.assessed(binding), leave, schedule, now)
        current[place] = after
        remembered = previous.bindings.get(binding.identity.key)
        results[binding.identity.key] = _decided(
            after, decision, remembered, wishes.get(binding.identity, ())
        )
    return tuple(results[binding.identity.key] for binding in bindings)


def _at_rest(
    binding: Binding, leave: Failover, schedule: Callable[[Binding], Decision], now: str
) -> tuple[Binding, Decision]:
    """Evict and schedule until nothing is left to evict, as the controllers of a live Karmada do in turn.

    A cluster that the work leaves does not get it back while there is a task, so there is an end. Where the
    last pass was not due, the decision is the one before it that was made.
    """
    made: Decision | None = None
    binding = leave.evicted(binding)
    while True:
        decision = schedule(binding)
        made = (
            decision
            if made is None or decision.condition is not None
            else replace(made, clusters=decision.clusters)
        )
        binding = settled(binding, decision, now)
        if decision.condition is Condition.SUCCESS:
            binding = leave.concluded(served(binding))
        left = leave.evicted(binding)
        if left is binding:
            return binding, made
        binding = left


def _with_memory(
    binding: Binding, previous: Previous, wishes: Mapping[Identity, tuple[Request, ...]], now: str
) -> Binding:
    remembered = previous.bindings.get(binding.identity.key)
    obeyed = remembered.rebalanced_by if remembered else ()
    return asked(recalled(binding, remembered), wishes.get(binding.identity, ()), obeyed, now)


def _decided(
    binding: Binding, decision: Decision, remembered: Remembered | None, wishes: tuple[Request, ...]
) -> Decided:
    condition, message = "", ""
    if decision.condition is not None:
        condition = decision.condition.value
        message = decision.failure.message if decision.failure else ""
    elif remembered is not None:
        condition, message = remembered.condition, remembered.message
    return Decided(
        binding=binding,
        decision=decision,
        condition=condition,
        message=message,
        # Only requests without a time of their own need to be remembered by name.
        rebalanced_by=tuple(wish.name for wish in wishes if not wish.time),
    )
