"""Leave out clusters that the workload is being evicted from.

Source: Karmada pkg/scheduler/framework/plugins/clustereviction.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.schedule.question import Question


@dataclass(frozen=True, slots=True)
class ClusterEviction:
    """Reject a cluster that an eviction task names, until the task is gone."""

    name: str = "ClusterEviction"
    spares_targets: bool = False

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        tasks = question.binding.graceful_eviction_tasks
        return fleet.everything & ~fleet.named(task.from_cluster for task in tasks)

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        tasks = question.binding.graceful_eviction_tasks
        return ("an eviction task names it",) if any(t.from_cluster == cluster.name for t in tasks) else ()

    def told(self, _question: Question, _cluster: Cluster) -> str:
        return "cluster(s) is in the process of eviction"
