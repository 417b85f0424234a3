"""Leave out clusters with a taint that the placement does not tolerate.

Source: Karmada pkg/scheduler/framework/plugins/tainttoleration.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from renderer.match.fleet import Fleet, Mask
from renderer.match.tolerations import nearest, untolerated
from renderer.model.cluster import Cluster, Taint
from renderer.model.decision import Reasons
from renderer.model.placement import Toleration
from renderer.schedule.question import Question


@dataclass(frozen=True, slots=True)
class TaintToleration:
    """Reject a cluster for each untolerated NoSchedule or NoExecute taint."""

    name: str = "TaintToleration"
    spares_targets: bool = True

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        tolerations = question.placement.cluster_tolerations
        return fleet.where(_taints, tolerations, lambda cluster: not untolerated(cluster.taints, tolerations))

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        tolerations = question.placement.cluster_tolerations
        return tuple(_reason(taint, tolerations) for taint in untolerated(cluster.taints, tolerations))

    def told(self, question: Question, cluster: Cluster) -> str:
        first = untolerated(cluster.taints, question.placement.cluster_tolerations)[0]
        return f"cluster(s) had untolerated taint {{{first}}}"


def _reason(taint: Taint, tolerations: tuple[Toleration, ...]) -> str:
    near = nearest(taint, tolerations)
    if near is None:
        return f"taint {taint} is not tolerated"
    index, different = near
    return (
        f"taint {taint} is not tolerated: clusterTolerations[{index}] is near, but {' and '.join(different)}"
    )


def _taints(cluster: Cluster) -> Hashable:
    return cluster.taints
