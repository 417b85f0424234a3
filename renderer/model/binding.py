"""ResourceBinding and ClusterResourceBinding: what the scheduler is asked and what it remembers.

Source: Karmada pkg/apis/work/v1alpha2/binding_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.values import Object, dig, sequence
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
    """A cluster being left; `raw` keeps all that the binding said.

    `creation_timestamp` is RFC 3339 text, empty where nobody stamped it yet. `suppress_deletion` True keeps
    the task, and with it the cluster's manifests, until a person sets it to False.
    """

    from_cluster: str
    purge_mode: str = ""
    creation_timestamp: str = ""
    grace_period_seconds: int | None = None
    suppress_deletion: bool | None = None
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
    `failover` is the policy's, as JSON; `schedule_priority` None means that no class was asked for.
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
    propagate_deps: bool = False
    conflict_resolution: str = ""
    preserve_resources_on_deletion: bool | None = None
    failover: Object | None = field(default=None, repr=False, compare=False)
    suspension: Object | None = field(default=None, repr=False, compare=False)
    schedule_priority: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Namespace and name of the binding itself."""
        return (self.namespace, self.name)

    @property
    def is_workload(self) -> bool:
        """Whether it has replicas to be placed, so that manifests get the replicas of their cluster."""
        return self.replicas > 0 or self.replica_requirements is not None or bool(self.components)

    @property
    def is_divided(self) -> bool:
        """Whether its replicas are divided among clusters; without replicaScheduling they are not."""
        scheduling = self.placement.replica_scheduling if self.placement else None
        return scheduling is not None and scheduling.replica_scheduling_type == "Divided"

    @property
    def target_clusters(self) -> tuple[TargetCluster, ...]:
        """Its own clusters, then those of the bindings that need it; the first mention of a cluster counts.

        Source: Karmada pkg/controllers/binding/common.go, mergeTargetClusters.
        """
        if not self.required_by:
            return self.clusters
        known = {cluster.name for cluster in self.clusters}
        merged = list(self.clusters)
        for snapshot in self.required_by:
            for cluster in snapshot.clusters:
                if cluster.name not in known:
                    known.add(cluster.name)
                    merged.append(cluster)
        return tuple(merged)

    def suspends(self, cluster: str) -> bool:
        """Whether dispatching to a cluster is held back."""
        if self.suspension is None:
            return False
        names = dig(self.suspension, "dispatchingOnClusters", "clusterNames")
        return self.suspension.get("dispatching") is True or cluster in sequence(names)


def binding_name(kind: str, name: str) -> str:
    """The name of a template's binding: `web-deployment` for Deployment web.

    Source: Karmada pkg/util/names/names.go, GenerateBindingName.
    """
    return f"{name.replace(':', '.')}-{kind}".lower()
