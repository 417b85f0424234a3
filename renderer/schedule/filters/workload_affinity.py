"""Keep workloads of one group together, or apart; only behind the gate WorkloadAffinity.

Source: Karmada pkg/scheduler/framework/plugins/workloadaffinity and workloadantiaffinity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from renderer.match.fleet import Fleet, Mask
from renderer.model.binding import Binding, binding_name
from renderer.model.cluster import Cluster
from renderer.model.decision import Reasons
from renderer.schedule.question import Question


@dataclass(frozen=True, slots=True)
class WorkloadAffinity:
    """Reject a cluster that some placed workload of the affinity group is not on."""

    name: str = "WorkloadAffinity"
    spares_targets: bool = True

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        mask = fleet.everything
        for member in _members(question, _together):
            mask &= fleet.named(target.name for target in member.clusters)
        return mask

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        return tuple(
            f"{member.name} of its affinity group {member.affinity_group} is not there"
            for member in _members(question, _together)
            if not _targets(member, cluster)
        )

    def told(self, _question: Question, _cluster: Cluster) -> str:
        return "ResourceBinding with the same affinity group does not target this cluster"


@dataclass(frozen=True, slots=True)
class WorkloadAntiAffinity:
    """Reject a cluster that some workload of the anti-affinity group is on."""

    name: str = "WorkloadAntiAffinity"
    spares_targets: bool = True

    def passing(self, question: Question, fleet: Fleet) -> Mask:
        mask = fleet.everything
        for member in _members(question, _apart):
            mask &= ~fleet.named(target.name for target in member.clusters)
        return mask

    def reasons(self, question: Question, cluster: Cluster) -> Reasons:
        return tuple(
            f"{member.name} of its anti-affinity group {member.anti_affinity_group} is there"
            for member in _members(question, _apart)
            if _targets(member, cluster)
        )

    def told(self, _question: Question, _cluster: Cluster) -> str:
        return "cluster already has workload with the same anti-affinity group"


def companions(binding: Binding, others: Iterable[Binding]) -> tuple[Binding, ...]:
    """Those of the others that the two filters look at: bindings of one of the binding's groups."""
    return tuple(
        other
        for other in others
        if any(group_of(binding) and group_of(other) == group_of(binding) for group_of in (_together, _apart))
    )


def _members(question: Question, group_of: Callable[[Binding], str]) -> Iterator[Binding]:
    """The other placed workloads of the group, in the namespace of the resource."""
    group = group_of(question.binding)
    if not group or not question.gates.workload_affinity:
        return
    identity = question.binding.identity
    own_name = binding_name(identity.kind, identity.name)
    for other in question.others:
        if (
            group_of(other) == group
            and other.namespace == identity.namespace
            and other.name != own_name
            and other.clusters
        ):
            yield other


def _targets(member: Binding, cluster: Cluster) -> bool:
    return any(target.name == cluster.name for target in member.clusters)


def _together(binding: Binding) -> str:
    return binding.affinity_group


def _apart(binding: Binding) -> str:
    return binding.anti_affinity_group
