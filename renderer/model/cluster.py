"""The inventory: clusters and the facts they carry.

Source: Karmada pkg/apis/cluster/v1alpha1/types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from renderer.document.source import Document
from renderer.document.values import Object
from renderer.model.delivery_engine import Engine
from renderer.model.quantity import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Taint:
    """A cluster taint; `time_added` is RFC 3339 text or empty."""

    key: str
    value: str = ""
    effect: str = ""
    time_added: str = ""

    def __str__(self) -> str:
        """Give `key=value:Effect`, as kubectl writes taints."""
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One entry of status.conditions."""

    type: str
    status: str
    reason: str = ""
    message: str = ""
    last_transition_time: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceModelRange:
    """The share of one resource that a node of a grade has; only `min` decides."""

    name: str
    min: Quantity
    max: Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceModel:
    """A grade of nodes."""

    grade: int
    ranges: tuple[ResourceModelRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSummary:
    """What a cluster has and what is taken: resource name -> quantity; grade -> number of nodes."""

    allocatable: tuple[tuple[str, Quantity], ...] = ()
    allocated: tuple[tuple[str, Quantity], ...] = ()
    allocating: tuple[tuple[str, Quantity], ...] = ()
    allocatable_modelings: tuple[tuple[int, int], ...] = ()


IN_CLUSTER: Final = "https://kubernetes.default.svc"  # where what runs in a cluster reaches that cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One member cluster.

    `slug` is the portable name for directories and object names (equal to `name` unless that is not a
    valid DNS name); `body` is the Cluster object as Karmada would hold it, for value expressions.
    """

    name: str
    slug: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    provider: str = ""
    region: str = ""
    zones: tuple[str, ...] = ()
    taints: tuple[Taint, ...] = ()
    sync_mode: str = "Push"
    server: str = ""
    api_enablements: tuple[tuple[str, tuple[str, ...]], ...] = ()  # groupVersion -> kinds
    apis_known: bool = True  # False: the inventory says nothing about APIs, so nothing is rejected for one
    resource_summary: ResourceSummary | None = None
    resource_models: tuple[ResourceModel, ...] = ()
    conditions: tuple[Condition, ...] = ()
    deletion_timestamp: str = ""
    kubernetes_version: str = ""
    paused: bool = False
    frozen: bool = False
    protected: bool = False
    wave: int = 0
    engine: Engine | None = None  # who applies its manifests; None: the engine of the fleet
    previous_name: str = ""  # what it was called when it was last published
    observed_at: str = ""
    observed_source: str = ""
    body: Object = field(default_factory=dict, repr=False, compare=False)
    document: Document | None = field(default=None, repr=False, compare=False)
