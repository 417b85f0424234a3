"""The scheduler: what becomes of a binding, given the inventory and what was decided before.

Source: Karmada pkg/scheduler/scheduler.go and helper.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from renderer.model.binding import Binding, TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.decision import Attempt, Condition, Decision, ErrorClass, Rejection, Stages, Trigger
from renderer.model.gates import FeatureGates
from renderer.model.placement import Placement
from renderer.schedule.applied import applied_text
from renderer.schedule.attempt import rejected, run, stages
from renderer.schedule.filters.workload_affinity import companions
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import Question, SchedulerOptions
from renderer.schedule.triggers import admitted, due, placement_applied, reschedule_requested

DEFAULT_GATES = FeatureGates()
DEFAULT_OPTIONS = SchedulerOptions()


def reconcile(
    binding: Binding,
    clusters: Inventory | Sequence[Cluster],
    *,
    gates: FeatureGates = DEFAULT_GATES,
    options: SchedulerOptions = DEFAULT_OPTIONS,
    others: Sequence[Binding] = (),
) -> Decision:
    """Schedule a binding if a pass is due; otherwise its previous result stands.

    Give one Inventory to all calls of a run: they share what they find out. `others` are the bindings that
    workload affinity looks at, as decided so far; they matter only behind its gate. A binding without a
    placement only follows others and is never scheduled.
    """
    case = _Case.of(binding, clusters, gates, options, others)
    if not case.admitted or case.trigger is Trigger.NONE:
        return case.standing()
    return case.scheduled()


def schedule(
    binding: Binding,
    clusters: Inventory | Sequence[Cluster],
    *,
    gates: FeatureGates = DEFAULT_GATES,
    options: SchedulerOptions = DEFAULT_OPTIONS,
    others: Sequence[Binding] = (),
) -> Decision:
    """Run a scheduling pass whether or not one is due."""
    return _Case.of(binding, clusters, gates, options, others).scheduled()


def settled(binding: Binding, decision: Decision, now: str) -> Binding:
    """The binding as the decision leaves it; `now` is RFC 3339 text.

    The time of the last pass is renewed only where somebody could tell: where there was none yet, and where
    a reschedule request is thereby served. So deciding again on one's own result changes nothing.
    """
    placement = binding.placement
    if not decision.scheduled or placement is None:
        return binding
    applies = decision.condition in (Condition.SUCCESS, Condition.NO_CLUSTER_FIT)
    counts = decision.condition is Condition.SUCCESS
    renew = counts and (not binding.last_scheduled_time or reschedule_requested(binding))
    return replace(
        binding,
        clusters=decision.clusters,
        observed_affinity_name=decision.affinity_name,
        applied_placement=applied_text(placement) if applies else binding.applied_placement,
        last_scheduled_time=now if renew else binding.last_scheduled_time,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A binding before the scheduler.

    It lives as long as the decision, for whoever asks for reasons, so it holds nothing of the fleet's size.
    """

    binding: Binding
    placement: Placement
    inventory: Inventory
    gates: FeatureGates
    options: SchedulerOptions
    others: tuple[Binding, ...]
    admitted: bool
    trigger: Trigger
    fresh: bool

    @classmethod
    def of(
        cls,
        binding: Binding,
        clusters: Inventory | Sequence[Cluster],
        gates: FeatureGates,
        options: SchedulerOptions,
        others: Sequence[Binding],
    ) -> _Case:
        inventory = clusters if isinstance(clusters, Inventory) else Inventory(clusters)
        placement = binding.placement
        return cls(
            binding=binding,
            placement=placement or Placement(),
            inventory=inventory,
            gates=gates,
            options=options,
            others=companions(binding, others) if gates.workload_affinity else (),
            admitted=placement is not None and admitted(binding, options),
            trigger=due(binding, placement, inventory.fleet, gates, options) if placement else Trigger.NONE,
            fresh=reschedule_requested(binding),
        )

    def scheduled(self) -> Decision:
        """Try the affinity terms in order; the first success wins, else the first failure decides."""
        attempts = []
        for name in self.names():
            attempts.append(self.attempt(name))
            if attempts[-1].ok:
                break
        return self.outcome(tuple(attempts))

    def names(self) -> tuple[str, ...]:
        """The terms to try: from the observed one on, or all where a reschedule was asked for."""
        observed = self.binding.observed_affinity_name
        names = tuple(term.affinity_name for term in self.placement.cluster_affinities)
        if not names:
            return (observed,)
        return names if self.fresh or observed not in names else names[names.index(observed) :]

    def question(self, affinity_name: str) -> Question:
        previous, targets = self.inventory.held(self.binding.clusters)
        return Question(
            binding=self.binding,
            placement=self.placement,
            affinity_name=affinity_name,
            previous=previous,
            targets=targets,
            others=self.others,
            gates=self.gates,
            options=self.options,
            fresh=self.fresh,
        )

    def attempt(self, affinity_name: str) -> Attempt:
        found = run(self.question(affinity_name), self.inventory)
        return Attempt(
            affinity_name=affinity_name,
            clusters=found.clusters,
            failure=found.failure,
            stages=partial(_stages, self, affinity_name),
        )

    def outcome(self, attempts: tuple[Attempt, ...]) -> Decision:
        """What is stored: the result; nothing where no cluster fits; else the previous result."""
        first, last = attempts[0], attempts[-1]
        if last.ok:
            return self.decision(Condition.SUCCESS, last.clusters, last.affinity_name, attempts)
        observed = self.binding.observed_affinity_name
        if first.failure is not None and first.failure.error_class is not ErrorClass.FIT:
            condition = first.failure.error_class.condition
            return self.decision(condition, self.binding.clusters, observed, attempts)
        return self.decision(Condition.NO_CLUSTER_FIT, (), observed, attempts)

    def standing(self) -> Decision:
        """The previous result as it is."""
        return self.decision(None, self.binding.clusters, self.binding.observed_affinity_name, ())

    def decision(
        self,
        condition: Condition | None,
        clusters: tuple[TargetCluster, ...],
        affinity_name: str,
        attempts: tuple[Attempt, ...],
    ) -> Decision:
        applies = condition in (Condition.SUCCESS, Condition.NO_CLUSTER_FIT)
        return Decision(
            admitted=self.admitted,
            trigger=self.trigger,
            scheduled=condition is not None,
            fresh=self.fresh,
            condition=condition,
            failure=None if condition in (None, Condition.SUCCESS) else attempts[0].failure,
            retry=condition is not None and not applies,
            clusters=clusters,
            affinity_name=affinity_name,
            placement_applied=applies or placement_applied(self.placement, self.binding.applied_placement),
            attempts=attempts,
            rejections=partial(_rejections, self, affinity_name),
        )

    def in_force(self, name: str) -> str:
        """The affinity term that counts: the one with the name, else the first."""
        names = [term.affinity_name for term in self.placement.cluster_affinities]
        return name if name in names or not names else names[0]


def _stages(case: _Case, affinity_name: str) -> Stages:
    return stages(case.question(affinity_name), case.inventory)


def _rejections(case: _Case, affinity_name: str) -> Mapping[str, tuple[Rejection, ...]]:
    return rejected(case.question(case.in_force(affinity_name)), case.inventory)
