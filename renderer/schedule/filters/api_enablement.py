"""Leave out clusters that do not serve the resource's API.

Source: Karmada pkg/scheduler/framework/plugins/apienablement.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from renderer.match.fleet import Fleet, Mask
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.schedule.question import Question


@dataclass(frozen=True, slots=True)
class APIEnablement:
    """Reject a cluster whose list of APIs does not name apiVersion and kind.

    A list that is known to be incomplete is no excuse. A cluster whose inventory entry says nothing about
    APIs at all is not rejected: that is krender's reading, Karmada always has a list.
    """

    name: str = "APIEnablement"
    spares_targets: bool = True

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        wanted = question.binding.identity
        api = (wanted.api_version, wanted.kind)
        return fleet.where(_apis, api, lambda cluster: not self.reasons(question, cluster))

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        wanted = question.binding.identity
        if not cluster.apis_known or any(
            version == wanted.api_version and wanted.kind in kinds
            for version, kinds in cluster.api_enablements
        ):
            return ()
        elsewhere = [version for version, kinds in cluster.api_enablements if wanted.kind in kinds]
        hint = f", only in {', '.join(elsewhere)}" if elsewhere else ""
        return (f"{wanted.kind} is not served in {wanted.api_version}{hint}",)

    def told(self, _question: Question, _cluster: Cluster) -> str:
        return "cluster(s) did not have the API resource"


def _apis(cluster: Cluster) -> Hashable:
    return (cluster.apis_known, cluster.api_enablements)
