"""Failover as a step: work leaves clusters with NoExecute taints, and eviction tasks end when they are due.

The clock is the render's; what a live control plane learns from the health of workloads is not known here,
so a task ends by its time alone, or when nothing is left that could become healthy.
Source: Karmada pkg/controllers/cluster/taint_manager.go; pkg/util/helper/taint.go;
pkg/controllers/gracefuleviction/evictiontask.go; pkg/apis/work/v1alpha2/binding_types_helper.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from typing import Final

from renderer.document.values import Value, dig, mapping, sequence, text
from renderer.match.tolerations import tolerates
from renderer.model.binding import Binding, GracefulEvictionTask, TargetCluster
from renderer.model.cluster import Cluster, Taint
from renderer.model.failover import FailoverSettings
from renderer.model.gates import FeatureGates
from renderer.model.instant import EPOCH, instant, is_instant
from renderer.model.placement import Toleration
from renderer.schedule.applied import applied_placement

DIRECTLY: Final = "Directly"
GRACEFULLY: Final = "Gracefully"

_REASON: Final = "TaintUntolerated"
_PRODUCER: Final = "TaintManager"
_SECOND: Final = 10**9  # nanoseconds, in which Go counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Failover:
    """What decides about evictions in one render: the taints that evict, by cluster, and the clock."""

    settings: FailoverSettings
    taints: Mapping[str, tuple[Taint, ...]]
    stateful: bool
    now: str

    @classmethod
    def of(
        cls, clusters: Iterable[Cluster], settings: FailoverSettings, gates: FeatureGates, now: str
    ) -> Failover:
        """Of the clusters with the taints that count; none evicts unless the gate and the setting say so."""
        evicting: dict[str, tuple[Taint, ...]] = {}
        if gates.failover and settings.no_execute_eviction:
            for cluster in clusters:
                taints = tuple(taint for taint in cluster.taints if taint.effect == "NoExecute")
                if taints:
                    evicting[cluster.name] = taints
        return cls(settings=settings, taints=evicting, stateful=gates.stateful_failover_injection, now=now)

    def evicted(self, binding: Binding) -> Binding:
        """The binding without the clusters that it must leave, and with a task for each of them."""
        targets = [target for target in binding.clusters if target.name in self.taints] if self.taints else []
        if not targets:
            return binding
        tolerations = applied_tolerations(binding.applied_placement)
        # Who wants state preserved waits for a status of the workload, and here nobody has one.
        if tolerations is None or (self.stateful and _preserves_state(binding)):
            return binding
        leaving = [
            target for target in targets if is_overdue(self.taints[target.name], tolerations, self.now)
        ]
        return self._left(binding, leaving) if leaving else binding

    def _left(self, binding: Binding, leaving: Sequence[TargetCluster]) -> Binding:
        names = {target.name for target in leaving}
        known = {task.from_cluster for task in binding.graceful_eviction_tasks}
        mode = purge_mode(binding, self.settings)
        tasks = tuple(_task(target, mode, self.now) for target in leaving if target.name not in known)
        return replace(
            binding,
            clusters=tuple(target for target in binding.clusters if target.name not in names),
            graceful_eviction_tasks=(*binding.graceful_eviction_tasks, *tasks),
        )

    def assessed(self, binding: Binding) -> Binding:
        """The binding with the tasks that are not over yet; one without a time begins now."""
        tasks = binding.graceful_eviction_tasks
        kept = tuple(
            task if task.creation_timestamp else _stamped(task, self.now)
            for task in tasks
            if not self._is_over(task)
        )
        return binding if kept == tasks else replace(binding, graceful_eviction_tasks=kept)

    def _is_over(self, task: GracefulEvictionTask) -> bool:
        if not task.creation_timestamp:
            return False
        if task.suppress_deletion is not None:
            return not task.suppress_deletion
        grace = task.grace_period_seconds
        seconds = self.settings.graceful_eviction_seconds if grace is None else grace
        return nanoseconds(self.now) > nanoseconds(task.creation_timestamp) + seconds * _SECOND

    def concluded(self, binding: Binding) -> Binding:
        """The binding after a successful pass: with no cluster left, no task waits for health any more."""
        if binding.clusters:
            return binding
        kept = tuple(task for task in binding.graceful_eviction_tasks if task.suppress_deletion)
        return replace(binding, graceful_eviction_tasks=kept)


@lru_cache(maxsize=4096)
def is_overdue(taints: tuple[Taint, ...], tolerations: tuple[Toleration, ...], now: str) -> bool:
    """Whether work must leave a cluster with these NoExecute taints by now.

    At once where a taint is not tolerated. Else when the first of the tolerations in use runs out for one of
    the taints that it tolerates; never where none of them states seconds.
    """
    used: list[Toleration] = []
    for taint in taints:
        first = next((item for item in tolerations if tolerates(item, taint)), None)
        if first is None:
            return True
        used.append(first)
    deadlines = [
        nanoseconds(taint.time_added) + _duration(item.toleration_seconds)
        for item in used
        if item.toleration_seconds is not None
        for taint in taints
        if is_instant(taint.time_added) and tolerates(item, taint)
    ]
    return bool(deadlines) and min(deadlines) <= nanoseconds(now)


def purge_mode(binding: Binding, settings: FailoverSettings) -> str:
    """How the work leaves: as its policy says for clusters, else as the settings do."""
    cluster = dig(binding.failover, "cluster")
    if isinstance(cluster, dict):
        return text(cluster.get("purgeMode")) or GRACEFULLY
    return settings.purge_mode


def left_behind(tasks: Iterable[GracefulEvictionTask]) -> tuple[str, ...]:
    """The clusters that keep their manifests until the task ends; one that is purged directly does not.

    Source: Karmada pkg/util/helper/binding.go, ObtainBindingSpecExistingClusters.
    """
    return tuple(task.from_cluster for task in tasks if task.purge_mode != DIRECTLY)


@lru_cache(maxsize=1024)
def applied_tolerations(applied: str) -> tuple[Toleration, ...] | None:
    """The tolerations of the placement last scheduled for; None where there is none that can be read."""
    placement = applied_placement(applied) if applied else None
    if placement is None:
        return None
    return tuple(map(_toleration, sequence(placement.get("clusterTolerations"))))


def _toleration(value: Value) -> Toleration:
    fields = mapping(value)
    seconds = fields.get("tolerationSeconds")
    return Toleration(
        key=text(fields.get("key")),
        operator=text(fields.get("operator")),
        value=text(fields.get("value")),
        effect=text(fields.get("effect")),
        toleration_seconds=seconds if isinstance(seconds, int) else None,
    )


def _preserves_state(binding: Binding) -> bool:
    rules = dig(binding.failover, "cluster", "statePreservation", "rules")
    return bool(sequence(rules))


def _task(target: TargetCluster, mode: str, now: str) -> GracefulEvictionTask:
    raw: dict[str, Value] = {"fromCluster": target.name, "purgeMode": mode}
    if target.replicas > 0:
        raw["replicas"] = target.replicas
    raw |= {"reason": _REASON, "producer": _PRODUCER, "creationTimestamp": now}
    return GracefulEvictionTask(from_cluster=target.name, purge_mode=mode, creation_timestamp=now, raw=raw)


def _stamped(task: GracefulEvictionTask, now: str) -> GracefulEvictionTask:
    return replace(task, creation_timestamp=now, raw={**task.raw, "creationTimestamp": now})


def nanoseconds(moment: str) -> int:
    """A point in time as nanoseconds since 1970."""
    return (instant(moment) - instant(EPOCH)) // timedelta(microseconds=1) * 1000


def _duration(seconds: int) -> int:
    """Seconds as a Go duration, which wraps around at 64 bits."""
    return (seconds * _SECOND + 2**63) % 2**64 - 2**63
