"""PropagationPolicy and ClusterPropagationPolicy, as admission leaves them.

Source: Karmada pkg/apis/policy/v1alpha1/propagation_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document
from renderer.document.values import Object
from renderer.model.placement import Placement
from renderer.model.selectors import ResourceSelector


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspension:
    """What is held back: dispatching to all clusters, or to some."""

    dispatching: bool = False
    dispatching_on_clusters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagationPolicy:
    """Which templates go where. An empty namespace makes it a ClusterPropagationPolicy."""

    name: str
    namespace: str = ""
    resource_selectors: tuple[ResourceSelector, ...] = ()
    placement: Placement = field(default_factory=Placement)
    priority: int = 0
    propagate_deps: bool = False
    conflict_resolution: str = "Abort"
    preserve_resources_on_deletion: bool | None = None
    suspension: Suspension | None = None
    scheduler_name: str = "default-scheduler"
    dependent_overrides: tuple[str, ...] = ()
    activation_preference: str = ""
    preemption: str = "Never"
    priority_class_name: str = ""  # schedulePriority.priorityClassName
    deleting: bool = False
    body: Object = field(default_factory=dict, repr=False, compare=False)  # the defaulted object
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """The kind a user wrote."""
        return "PropagationPolicy" if self.namespace else "ClusterPropagationPolicy"

    def __str__(self) -> str:
        """Give `PropagationPolicy shop/web`, as messages name it."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"
