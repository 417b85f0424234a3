"""ResourceBinding and ClusterResourceBinding: what the scheduler is asked and what it remembers.

Source: Karmada pkg/apis/work/v1alpha2/binding_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.values import Object
from renderer.model.identity import Identity
from renderer.model.placement import Placement
from renderer.model.quantity import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaRequirements:
    """What one replica needs. Present but empty still makes its binding a workload."""

    node_claim: Object | None = None
    resource_request: tuple[tuple[str, Quantity], ...] = ()
    namespace: str = ""
    priority_class_name: str = ""
    raw: Object = field(default_factory=dict, repr=False, compare=False)  # as a binding writes it


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One pod template of a workload that has several."""

    name: str
    replicas: int = 0
    replica_requirements: ReplicaRequirements | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetCluster:
    """A cluster of the result, with the replicas it runs (0: none recorded)."""

    name: str
    replicas: int = 0
    components: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GracefulEvictionTask:
    """A cluster being left; `raw` keeps all that the binding said."""

    from_cluster: str
    purge_mode: str = ""
    raw: Object = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BindingSnapshot:
    """A depending binding, as an attached binding records it (requiredBy)."""

    namespace: str
    name: str
    clusters: tuple[TargetCluster, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One template's binding before a scheduling pass.

    `identity` is the template; `namespace` and `name` are the binding's own (an attached binding lives
    in the namespace of the binding that needs it). `clusters`, `observed_affinity_name`,
    `applied_placement` and the times are memory: what the previous pass left behind. Times are RFC 3339
    text, empty when unset. `placement` is None for a binding that only follows others.
    """

    identity: Identity
    namespace: str = ""
    name: str = ""
    uid: str = ""  # of the template; decides name ties
    placement: Placement | None = None
    replicas: int = 0
    replica_requirements: ReplicaRequirements | None = None
    components: tuple[Component, ...] = ()
    scheduler_name: str = "default-scheduler"
    scheduling_suspended: bool = False
    managed: bool = True  # carries the label of a policy, so the scheduler looks at it
    affinity_group: str = ""
    anti_affinity_group: str = ""
    required_by: tuple[BindingSnapshot, ...] = ()
    clusters: tuple[TargetCluster, ...] = ()
    observed_affinity_name: str = ""
    applied_placement: str = ""  # JSON text of the placement last scheduled for
    last_scheduled_time: str = ""
    reschedule_triggered_at: str = ""
    graceful_eviction_tasks: tuple[GracefulEvictionTask, ...] = ()


def binding_name(kind: str, name: str) -> str:
    """The name of a template's binding: `web-deployment` for Deployment web.

    Source: Karmada pkg/util/names/names.go, GenerateBindingName.
    """
    return f"{name.replace(':', '.')}-{kind}".lower()
