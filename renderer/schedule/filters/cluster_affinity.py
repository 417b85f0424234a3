"""Leave out clusters that the affinity in force does not admit.

Source: Karmada pkg/scheduler/framework/plugins/clusteraffinity.
"""

from __future__ import annotations

from dataclasses import dataclass

from renderer.match.clusters import admits
from renderer.match.clusters import rejections as affinity_rejections
from renderer.match.fleet import Fleet, Mask, union
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.model.placement import ClusterAffinity
from renderer.schedule.question import Question, is_workload


@dataclass(frozen=True, slots=True)
class ClusterAffinityFilter:
    """Reject a cluster that neither the affinity nor, for workloads, an overflow affinity admits."""

    name: str = "ClusterAffinity"
    spares_targets: bool = False

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        affinities = in_force(question)
        if not affinities:
            return fleet.everything
        return union(fleet.admitted(affinity) for _, affinity in affinities)

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        affinities = in_force(question)
        if not affinities or any(admits(affinity, cluster) for _, affinity in affinities):
            return ()
        return tuple(
            f"{name}: {reason}" if name else reason
            for name, affinity in affinities
            for reason in affinity_rejections(affinity, cluster)
        )

    def told(self, _question: Question, _cluster: Cluster) -> str:
        return "cluster(s) did not match the placement cluster affinity constraint"


def in_force(question: Question) -> tuple[tuple[str, ClusterAffinity], ...]:
    """The affinities, by term name, any one of which suffices; none where there is no restriction."""
    if question.placement.cluster_affinity is not None:
        return (("", question.placement.cluster_affinity),)
    term = question.term
    if term is None:
        return ()
    overflow = term.overflow_affinities if is_workload(question.binding) else ()
    return tuple((entry.affinity_name, entry.affinity) for entry in (term, *overflow))
