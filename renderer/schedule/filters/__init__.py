"""The filters: which clusters may have the resource at all. A module is a filter.

Karmada runs its plugins in random order and reports the first that fails; here all are asked, in this order.
"""

from __future__ import annotations

from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.decision import Rejection
from renderer.schedule.filters.api_enablement import APIEnablement
from renderer.schedule.filters.cluster_affinity import ClusterAffinityFilter
from renderer.schedule.filters.cluster_eviction import ClusterEviction
from renderer.schedule.filters.filter import Filter
from renderer.schedule.filters.spread_constraint import SpreadConstraintFilter
from renderer.schedule.filters.taint_toleration import TaintToleration
from renderer.schedule.filters.workload_affinity import WorkloadAffinity, WorkloadAntiAffinity
from renderer.schedule.question import Question

FILTERS: tuple[Filter, ...] = (
    APIEnablement(),
    TaintToleration(),
    ClusterAffinityFilter(),
    SpreadConstraintFilter(),
    ClusterEviction(),
    WorkloadAffinity(),
    WorkloadAntiAffinity(),
)


def feasible(question: Question, fleet: Fleet) -> Mask:
    """The clusters that pass every filter, those being deleted left out."""
    mask = standing(fleet)
    for plugin in FILTERS:
        mask &= plugin.passing(question, fleet) | (question.targets if plugin.spares_targets else 0)
    return mask


def rejections(question: Question, fleet: Fleet, cluster: Cluster) -> tuple[Rejection, ...]:
    """Every filter that leaves the cluster out, with all reasons; empty where it is feasible."""
    is_target = fleet.position[cluster.name] in question.previous
    found = []
    for plugin in FILTERS:
        if plugin.spares_targets and is_target:
            continue
        if reasons := plugin.reasons(question, cluster):
            found.append(Rejection(plugin=plugin.name, reasons=reasons, told=plugin.told(question, cluster)))
    return tuple(found)


def standing(fleet: Fleet) -> Mask:
    """The clusters that are not being deleted: the others are skipped and appear in no diagnosis."""
    return fleet.where(_terminating, None, lambda cluster: not _terminating(cluster))


def _terminating(cluster: Cluster) -> bool:
    return bool(cluster.deletion_timestamp)
