"""Placement: which clusters may have a resource, and how its replicas are divided among them.

Source: Karmada pkg/apis/policy/v1alpha1/propagation_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.values import Object
from renderer.model.selectors import FieldSelector, LabelSelector


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAffinity:
    """Which clusters are admitted. Every field that is set must admit the cluster; `exclude` wins."""

    label_selector: LabelSelector | None = None
    field_selector: FieldSelector | None = None
    cluster_names: tuple[str, ...] = ()  # empty admits every name
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAffinityTerm:
    """A named affinity group of clusterAffinities, with the groups its surplus may overflow to."""

    affinity_name: str
    affinity: ClusterAffinity
    overflow_affinities: tuple[ClusterAffinityTerm, ...] = ()
    raw: Object = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toleration:
    """A Kubernetes toleration. Operator and effect stay text: unknown ones tolerate nothing."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadConstraint:
    """How many groups of clusters to use; maxGroups 0 means that it was left out."""

    spread_by_field: str = ""
    spread_by_label: str = ""
    min_groups: int = 0
    max_groups: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticClusterWeight:
    """The weight of the clusters that an affinity admits."""

    target_cluster: ClusterAffinity
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPreferences:
    """weightPreference: a static list of weights, or the name of a dynamic one."""

    static_weight_list: tuple[StaticClusterWeight, ...] = ()
    dynamic_weight: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaScheduling:
    """How replicas are divided. Types stay text: an unknown combination is an error of the scheduler."""

    replica_scheduling_type: str = ""
    replica_division_preference: str = ""
    weight_preference: ClusterPreferences | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadAffinityTerm:
    """The label key whose value makes the group of workloads that stay together or apart."""

    group_by_label_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The whole placement; `raw` is its JSON in normal form, which a binding remembers."""

    cluster_affinity: ClusterAffinity | None = None
    cluster_affinities: tuple[ClusterAffinityTerm, ...] = ()
    cluster_tolerations: tuple[Toleration, ...] = ()
    spread_constraints: tuple[SpreadConstraint, ...] = ()
    replica_scheduling: ReplicaScheduling | None = None
    workload_affinity: WorkloadAffinityTerm | None = None
    workload_anti_affinity: WorkloadAffinityTerm | None = None
    raw: Object = field(default_factory=dict, repr=False, compare=False)
