"""Findings about capacity: clusters that get more than they have room for, since nothing asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.match.fleet import Fleet
from renderer.model.binding import Binding
from renderer.model.cluster import Cluster
from renderer.model.plan import Plan, Rendering
from renderer.schedule.capacity import Demand, Estimator
from renderer.schedule.units import PODS

OVERCOMMITTED: Final = Rule(
    id="KR206", title="A cluster is given more than it has room for", severity=Severity.NOTE
)

RULES: Final = (OVERCOMMITTED,)


def capacity_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    measured = {cluster.name for cluster in plan.workspace.clusters if _is_measured(cluster)}
    if not measured:
        return
    fleet = Fleet(plan.workspace.clusters)
    estimator = Estimator(fleet)
    for rendering in plan.renderings:
        binding = rendering.binding
        if binding is None or not binding.replicas or not _ignores_capacity(binding):
            continue
        remembered = plan.previous.bindings.get(rendering.template.identity.key)
        held = {target.name: target.replicas for target in remembered.clusters} if remembered else {}
        requirements = binding.replica_requirements
        demand = Demand(requests=requirements.resource_request if requirements else None)
        room = estimator.allocatable(demand, binding.replicas)
        # What runs there already is allocated already.
        short = [
            target.name
            for target in binding.clusters
            if target.name in measured
            and target.replicas - held.get(target.name, 0) > room[fleet.position[target.name]]
        ]
        if short:
            yield _overcommitted(rendering, sorted(short), fleet, estimator, demand)


def _is_measured(cluster: Cluster) -> bool:
    """Whether enough is known of a cluster: without a number of pods Karmada takes it to have no room."""
    return cluster.resource_summary is not None and PODS in dict(cluster.resource_summary.allocatable)


def _ignores_capacity(binding: Binding) -> bool:
    """Whether replicas are given out without asking for room: duplicated, or by static or equal weights."""
    if binding.placement is None or not binding.is_divided:
        return binding.placement is not None
    scheduling = binding.placement.replica_scheduling
    if scheduling is None or scheduling.replica_division_preference != "Weighted":
        return False
    return scheduling.weight_preference is None or not scheduling.weight_preference.dynamic_weight


def _overcommitted(
    rendering: Rendering, short: list[str], fleet: Fleet, estimator: Estimator, demand: Demand
) -> Problem:
    bounds = estimator.bounds(demand, fleet.position[short[0]])
    tightest = min(bounds, key=lambda bound: bound.replicas)
    policy = rendering.claim.policy
    return OVERCOMMITTED.at(
        policy.document if policy else rendering.template.document,
        "/spec/placement" if policy else "",
        what=f"{rendering.template.identity} is given to {some(short)}, which has no room for it"
        if len(short) == 1
        else f"{rendering.template.identity} is given to {some(short)}, which have no room for it",
        why="only dynamic weights and Aggregated look at capacity; "
        f"{short[0]} has room for {tightest.replicas} by {tightest.resource} ({tightest.detail})",
        fix="divide the replicas by dynamicWeight: AvailableReplicas or by Aggregated, if room is to count",
    )
