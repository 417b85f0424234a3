"""Findings about what the inventory knows of clusters: too little, too long ago, or nothing good."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.passing import Passing, placed
from renderer.document.problem import Problem
from renderer.match.fleet import Mask, union
from renderer.model.binding import Binding
from renderer.model.cluster import Cluster
from renderer.model.decision import Strategy
from renderer.model.instant import instant, is_instant
from renderer.model.plan import Plan
from renderer.model.policy import PropagationPolicy
from renderer.model.variants import alike
from renderer.schedule.assign import strategy_of
from renderer.schedule.units import PODS

UNKNOWN: Final = Rule(id="KR213", title="A cluster of unknown capacity counts as full")
NOT_READY: Final = Rule(id="KR214", title="A cluster that is not ready gets work")
OLD: Final = Rule(id="KR215", title="Capacity is told by old figures")

RULES: Final = (UNKNOWN, NOT_READY, OLD)

_MANY_HOURS: Final = 72

_TAINTS: Final = ("cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable")


def fact_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    passing = Passing(plan)
    asked: dict[int, tuple[PropagationPolicy, Mask]] = {}
    for _, binding, policy in placed(plan):
        if _asks_for_room(binding):
            before = asked.get(id(policy), (policy, 0))[1]
            asked[id(policy)] = (policy, before | passing.of(binding))
    unknown = passing.fleet.where(_knows_pods, None, lambda cluster: not _knows_pods(cluster))
    for policy, mask in asked.values():
        if mask & unknown:
            yield _unknown(policy, passing.names(mask & unknown), mask.bit_count())
    yield from _old(plan, passing.fleet.members(union(mask for _, mask in asked.values()) & ~unknown))
    yield from _not_ready(plan, passing.fleet.clusters)


def _asks_for_room(binding: Binding) -> bool:
    """Whether replicas are divided by what clusters have free."""
    if binding.placement is None or not binding.replicas:
        return False
    return strategy_of(binding.placement) in (Strategy.DYNAMIC_WEIGHT, Strategy.AGGREGATED)


def _knows_pods(cluster: Cluster) -> bool:
    return cluster.resource_summary is not None and PODS in dict(cluster.resource_summary.allocatable)


def _unknown(policy: PropagationPolicy, names: list[str], passing: int) -> Problem:
    return UNKNOWN.at(
        policy.document,
        "/spec/placement",
        what=f"{policy}: {len(names)} of {passing} clusters have no known number of pods: {some(names)}",
        why="Karmada takes an absent number for 0, so they have no room for a replica",
        fix="add pods to status.resourceSummary.allocatable, or capacity: {pods: …} in a ClusterInventory",
    )


def _old(plan: Plan, clusters: tuple[Cluster, ...]) -> Iterator[Problem]:
    limit = plan.workspace.config.capacity_max_age_seconds
    dated = [cluster for cluster in clusters if is_instant(cluster.observed_at)]
    if not limit or not dated or not plan.now:
        return
    latest = instant(plan.now) - timedelta(seconds=limit)
    old = sorted(
        (cluster for cluster in dated if instant(cluster.observed_at) < latest),
        key=lambda cluster: (instant(cluster.observed_at), cluster.name),
    )
    if old:
        age = instant(plan.now) - instant(old[0].observed_at)
        yield OLD.at(
            old[0].document,
            what=f"the figures of {some([cluster.name for cluster in old])} are up to {_words(age)} old",
            why="replicas are divided by what was free then, and by nothing that came since",
            fix="refresh the inventory, or set capacityMaxAgeSeconds in krender.yaml (0: never tell)",
        )


def _words(age: timedelta) -> str:
    hours = age // timedelta(hours=1)
    return f"{hours} hours" if hours < _MANY_HOURS else f"{hours // 24} days"


def _not_ready(plan: Plan, clusters: tuple[Cluster, ...]) -> Iterator[Problem]:
    troubled = {cluster.name: cluster for cluster in clusters if _is_troubled(cluster)}
    if not troubled:
        return
    # Manifests of the same clusters share the list of names.
    lists = {id(item.clusters): item.clusters for one in plan.renderings for item in alike(one.manifests)}
    names = sorted(dict.fromkeys(filter(troubled.__contains__, chain.from_iterable(lists.values()))))
    if names:
        yield NOT_READY.at(
            troubled[names[0]].document,
            what=f"{some(names)} {'gets' if len(names) == 1 else 'get'} work without being ready",
            why="Karmada's scheduler looks at taints only, and no taint keeps work away from there",
            fix="set failover: {taintNotReady: true} in krender.yaml, or taint the cluster",
        )


def _is_troubled(cluster: Cluster) -> bool:
    """Whether it says that it is not ready, and nothing has been done about it."""
    tainted = any(taint.key in _TAINTS for taint in cluster.taints)
    return not tainted and any(
        item.type == "Ready" and item.status in ("False", "Unknown") for item in cluster.conditions
    )
