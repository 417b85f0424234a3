"""What was last published: the scheduler's memory, and the files themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.document.values import Object
from renderer.model.binding import GracefulEvictionTask, TargetCluster
from renderer.model.claim_memory import ClaimMemory
from renderer.model.failover import GivenTaint
from renderer.model.identity import Identity
from renderer.model.left_alone import LeftAlone
from renderer.model.released import Released
from renderer.model.tree import EMPTY_TREE, Tree

Key: TypeAlias = tuple[str, str, str, str]  # group, kind, namespace, name of a template


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What the published binding of one template says.

    `claimed_by` is the policy it was built from: its namespace, empty for a ClusterPropagationPolicy, and
    its name. `condition` and `message` are those of the Scheduled condition, empty for a binding that only
    follows others (`attached`). `rebalanced_by` names the WorkloadRebalancers that have been obeyed.
    """

    identity: Identity
    attached: bool = False
    claimed_by: tuple[str, str] | None = None
    replicas: int = 0
    propagate_deps: bool = False
    preserve_resources_on_deletion: bool = False
    clusters: tuple[TargetCluster, ...] = ()
    observed_affinity_name: str = ""
    applied_placement: str = ""
    condition: str = ""
    message: str = ""
    last_scheduled_time: str = ""
    reschedule_triggered_at: str = ""
    rebalanced_by: tuple[str, ...] = ()
    graceful_eviction_tasks: tuple[GracefulEvictionTask, ...] = ()
    raw: Object = field(default_factory=dict, repr=False, compare=False)  # the binding as it was read


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """The published tree and what was read from it; empty for a first render.

    `claims` is None where they were decided afresh. `taints` are those that krender gave clusters.
    `released` are files that were kept, with marks, though nothing asked for them. `left_alone` are those in
    which an engine was told to leave a field alone.
    """

    bindings: Mapping[Key, Remembered] = field(default_factory=dict)
    claims: ClaimMemory | None = None
    taints: tuple[GivenTaint, ...] = ()
    released: tuple[Released, ...] = ()
    left_alone: tuple[LeftAlone, ...] = ()
    tree: Tree = EMPTY_TREE


NOTHING = Previous()
