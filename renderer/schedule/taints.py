"""Taints that follow the conditions of clusters, as Karmada's controllers give and take them.

A live cluster object keeps its taints; here they are remembered beside the bindings. A taint lasts as long
as what gave it is there: in Karmada one that a deleted ClusterTaintPolicy gave stays for ever, and here
nobody could take it off a cluster whose inventory does not have it.
Source: Karmada pkg/controllers/cluster/cluster_controller.go, taintClusterByCondition;
pkg/controllers/taint; pkg/apis/cluster/mutation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from renderer.match.clusters import admits
from renderer.model.cluster import Cluster, Taint
from renderer.model.config import WorkspaceConfig
from renderer.model.failover import GivenTaint
from renderer.model.instant import is_instant
from renderer.model.taint_policy import ClusterTaintPolicy, MatchCondition

READY: Final = "condition Ready"
INVENTORY: Final = "inventory"

NOT_READY: Final = ("cluster.karmada.io/not-ready", "NoSchedule")
UNREACHABLE: Final = ("cluster.karmada.io/unreachable", "NoSchedule")

Kind: TypeAlias = tuple[str, str]  # key and effect: a cluster has one taint of each
Given: TypeAlias = dict[Kind, GivenTaint]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tainted:
    """The clusters with the taints that count, and those of them that krender gave."""

    clusters: tuple[Cluster, ...]
    given: tuple[GivenTaint, ...] = ()


def tainted(
    clusters: Sequence[Cluster],
    policies: Iterable[ClusterTaintPolicy],
    remembered: Iterable[GivenTaint],
    config: WorkspaceConfig,
    now: str,
) -> Tainted:
    """Give and take taints by condition, in the way and order of Karmada's controllers.

    ClusterTaintPolicies count behind the gate Failover, oldest first, then by name. A taint keeps the time at
    which it was given first.
    """
    rules = _Rules(policies, config, now)
    before: dict[str, Given] = {}
    for item in remembered:
        before.setdefault(item.cluster, {})[_kind(item.taint)] = item
    if rules.idle:
        return Tainted(clusters=tuple(clusters))
    results = [rules.on(cluster, before.get(cluster.name, {})) for cluster in clusters]
    return Tainted(
        clusters=tuple(cluster for cluster, _ in results),
        given=tuple(item for _, given in results for item in given),
    )


class _Rules:
    """What gives taints in a workspace."""

    def __init__(self, policies: Iterable[ClusterTaintPolicy], config: WorkspaceConfig, now: str) -> None:
        gate, settings = config.feature_gates.failover, config.failover
        self.now = now
        self.by_readiness = settings.taint_not_ready
        self.stamps = gate and settings.no_execute_eviction
        self.policies = sorted(policies, key=lambda item: (item.created_at, item.name)) if gate else []
        self.names = {_named(policy): policy for policy in self.policies}

    @property
    def idle(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.by_readiness or self.stamps or self.policies)

    def on(
        self, cluster: Cluster, before: Mapping[Kind, GivenTaint]
    ) -> tuple[Cluster, tuple[GivenTaint, ...]]:
        """The cluster with its taints, and those that were given to it."""
        work = _Work(cluster, self.now)
        if self.stamps:
            work.stamp(before)
        for item in before.values():
            if self.lasts(item):
                work.add(item.taint, item.given_by)
        if self.by_readiness:
            _by_readiness(work)
        for policy in self.policies:
            if policy.target_clusters is None or admits(policy.target_clusters, cluster):
                _by_policy(work, policy)
        return work.cluster(), tuple(work.given.values())

    def lasts(self, item: GivenTaint) -> bool:
        """Whether what gave a taint is still there."""
        if item.given_by == READY:
            return self.by_readiness
        policy = self.names.get(item.given_by)
        return policy is not None and _kind(item.taint) in map(_kind, policy.taints)


class _Work:
    """The taints of a cluster while they are given and taken."""

    def __init__(self, cluster: Cluster, now: str) -> None:
        self.original = cluster
        self.now = now
        self.taints: dict[int, Taint] = dict(enumerate(cluster.taints))
        self.given: Given = {}

    def stamp(self, before: Mapping[Kind, GivenTaint]) -> None:
        """A NoExecute taint without a time counts from when it was first seen, as admission would have it."""
        for place, taint in enumerate(self.original.taints):
            if taint.effect != "NoExecute" or is_instant(taint.time_added):
                continue
            seen = before.get(_kind(taint))
            known = seen is not None and seen.given_by == INVENTORY and seen.taint.value == taint.value
            time = seen.taint.time_added if seen is not None and known else self.now
            self.taints[place] = replace(taint, time_added=time)
            self.given[_kind(taint)] = GivenTaint(
                cluster=self.original.name, taint=self.taints[place], given_by=INVENTORY
            )

    def add(self, taint: Taint, given_by: str) -> None:
        """Add a taint, unless one of its key and effect is there."""
        if any(_kind(item) == _kind(taint) for item in self.taints.values()):
            return
        timed = taint if taint.time_added else replace(taint, time_added=self.now)
        self.taints[max(self.taints, default=-1) + 1] = timed
        self.given[_kind(taint)] = GivenTaint(cluster=self.original.name, taint=timed, given_by=given_by)

    def remove(self, kind: Kind) -> None:
        """Take a taint away, whoever gave it."""
        place = next((place for place, item in self.taints.items() if _kind(item) == kind), None)
        if place is not None:
            del self.taints[place]
            self.given.pop(kind, None)

    def cluster(self) -> Cluster:
        """The cluster with these taints."""
        taints = tuple(self.taints.values())
        return self.original if taints == self.original.taints else replace(self.original, taints=taints)


def _by_readiness(work: _Work) -> None:
    """The taint of a cluster that is not ready, or cannot be reached; neither of one that is ready."""
    ready = next((item.status for item in work.original.conditions if item.type == "Ready"), None)
    if ready in ("True", "Unknown"):
        work.remove(NOT_READY)
    if ready in ("True", "False"):
        work.remove(UNREACHABLE)
    if ready in (None, "False"):
        work.add(Taint(key=NOT_READY[0], effect=NOT_READY[1]), READY)
    elif ready == "Unknown":
        work.add(Taint(key=UNREACHABLE[0], effect=UNREACHABLE[1]), READY)


def _by_policy(work: _Work, policy: ClusterTaintPolicy) -> None:
    if _hold(policy.add_on_conditions, work.original):
        for taint in policy.taints:
            work.add(taint, _named(policy))
    if _hold(policy.remove_on_conditions, work.original):
        for taint in policy.taints:
            work.remove(_kind(taint))


def _hold(wanted: Sequence[MatchCondition], cluster: Cluster) -> bool:
    """Whether all conditions hold; none never do, nor does one of an operator that is not known."""
    return bool(wanted) and all(_holds(item, cluster) for item in wanted)


def _holds(wanted: MatchCondition, cluster: Cluster) -> bool:
    """Whether the cluster has the condition with such a status; NotIn asks for its presence, too.

    Of several conditions of one type the last counts for NotIn, and any for In.
    """
    found = False
    for condition in cluster.conditions:
        if condition.type != wanted.condition_type:
            continue
        listed = condition.status in wanted.status_values
        if wanted.operator == "In":
            found = found or listed
        elif wanted.operator == "NotIn":
            found = not listed
        else:
            return False
    return found


def _kind(taint: Taint) -> Kind:
    return (taint.key, taint.effect)


def _named(policy: ClusterTaintPolicy) -> str:
    return str(policy)
