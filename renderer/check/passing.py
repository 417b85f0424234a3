"""Which clusters pass the scheduler's filters, asked again for a finding."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.match.fleet import Fleet, Mask
from renderer.model.binding import Binding, TargetCluster
from renderer.model.placement import Placement
from renderer.model.plan import Plan, Rendering, Standing
from renderer.model.policy import PropagationPolicy
from renderer.schedule.filters import feasible
from renderer.schedule.question import Question, SchedulerOptions


class Passing:
    """The filters over the inventory of a plan. What workload affinity asks of others is left out."""

    def __init__(self, plan: Plan) -> None:
        """Take the clusters with the taints that count."""
        self.fleet = Fleet(plan.clusters or plan.workspace.clusters)
        self._gates = plan.workspace.config.feature_gates
        self._targets: dict[int, tuple[tuple[TargetCluster, ...], Mask]] = {}

    def question(self, binding: Binding, targets: Mask = 0) -> Question:
        """The binding against its affinity term in force; `targets` are exempt from some filters."""
        return Question(
            binding=binding,
            placement=binding.placement or Placement(),
            affinity_name=binding.observed_affinity_name,
            previous=dict.fromkeys(self.fleet.positions(targets), 0),
            targets=targets,
            others=(),
            gates=self._gates,
            options=SchedulerOptions(),
            fresh=False,
        )

    def of(self, binding: Binding) -> Mask:
        """The clusters that a binding may have, those included that it has and that are spared a filter."""
        return feasible(self.question(binding, self.targets(binding)), self.fleet)

    def targets(self, binding: Binding) -> Mask:
        """The clusters that a binding has."""
        known = self._targets.get(id(binding.clusters))
        if known is None:
            mask = self.fleet.named(target.name for target in binding.clusters)
            # Bindings with one result share the tuple; kept here, its id stays its own.
            known = self._targets[id(binding.clusters)] = (binding.clusters, mask)
        return known[1]

    def names(self, mask: Mask) -> list[str]:
        """The names of the clusters in a mask."""
        return [cluster.name for cluster in self.fleet.members(mask)]


def placed(plan: Plan) -> Iterator[tuple[Rendering, Binding, PropagationPolicy]]:
    """Every template that a policy places, with its binding and the policy."""
    for rendering in plan.renderings:
        policy, binding = rendering.claim.policy, rendering.binding
        if rendering.standing is Standing.PLACED and binding is not None and policy is not None:
            yield rendering, binding, policy
