"""What one scheduling pass is asked: a binding, against one affinity term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter

from renderer.match.fleet import Fleet, Mask
from renderer.model.binding import Binding, TargetCluster
from renderer.model.gates import FeatureGates
from renderer.model.placement import ClusterAffinityTerm, Placement

_NOWHERE = -1
_NAME = attrgetter("name")
_REPLICAS = attrgetter("replicas")

DIVIDED = "Divided"
DUPLICATED = "Duplicated"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerOptions:
    """Flags of the scheduler, and of krender where it schedules.

    A cluster that a binding names and the inventory no longer has counts as one being deleted, as it does
    in a live control plane before it is gone; `vanished_is_terminating=False` takes the inventory literally.
    """

    scheduler_name: str = "default-scheduler"
    enable_empty_workload_propagation: bool = False
    vanished_is_terminating: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A binding with the affinity term under trial.

    `previous` is the previous result as position in the fleet -> replicas, the first entry where a name is
    repeated, and `targets` its mask. `others` are the bindings that workload affinity looks at.
    """

    binding: Binding
    placement: Placement
    affinity_name: str
    previous: Mapping[int, int]
    targets: Mask
    others: tuple[Binding, ...]
    gates: FeatureGates
    options: SchedulerOptions
    fresh: bool

    @property
    def term(self) -> ClusterAffinityTerm | None:
        """The term that has the current name; it counts where there is no clusterAffinity."""
        return next(
            (term for term in self.placement.cluster_affinities if term.affinity_name == self.affinity_name),
            None,
        )

    @property
    def component_sets(self) -> bool:
        """Whether capacity is counted in whole sets of components.

        Source: Karmada pkg/scheduler/core/estimation.go, isMultiTemplateSchedulingApplicable.
        """
        return (
            self.gates.multiple_pod_templates_scheduling
            and bool(self.binding.components)
            and any(
                constraint.spread_by_field == "cluster"
                and constraint.min_groups == 1
                and constraint.max_groups == 1
                for constraint in self.placement.spread_constraints
            )
        )


def previous_replicas(clusters: tuple[TargetCluster, ...], fleet: Fleet) -> dict[int, int]:
    """The previous result by position; the first entry of a name counts."""
    entries = clusters[::-1]  # so that the first one of a name comes last, and stays
    places = map(fleet.position.get, map(_NAME, entries), repeat(_NOWHERE))
    held = dict(zip(places, map(_REPLICAS, entries), strict=True))
    held.pop(_NOWHERE, None)
    return held


def is_workload(binding: Binding) -> bool:
    """Whether the binding has replicas to run: some, or requirements (even empty), or components.

    Source: Karmada pkg/apis/work/v1alpha2/binding_types_helper.go, IsWorkload.
    """
    return binding.replicas > 0 or binding.replica_requirements is not None or bool(binding.components)


def scheduling_type(placement: Placement) -> str:
    """Duplicated or Divided (or whatever was written); nothing written is Duplicated.

    Source: Karmada pkg/apis/policy/v1alpha1/propagation_helper.go.
    """
    scheduling = placement.replica_scheduling
    return DUPLICATED if scheduling is None else scheduling.replica_scheduling_type
