"""ClusterTaintPolicy: taints that follow the conditions of a cluster.

Source: Karmada pkg/apis/policy/v1alpha1/clustertaint_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document
from renderer.model.cluster import Taint
from renderer.model.placement import ClusterAffinity


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCondition:
    """A condition of a cluster's status; the operator (In, NotIn) stays text."""

    condition_type: str
    operator: str
    status_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterTaintPolicy:
    """Taints to add where all of some conditions hold, and to remove where all of others do.

    No `target_clusters` means every cluster; no conditions means never. `created_at` is RFC 3339 text, empty
    where the object carries no time.
    """

    name: str
    created_at: str = ""
    target_clusters: ClusterAffinity | None = None
    add_on_conditions: tuple[MatchCondition, ...] = ()
    remove_on_conditions: tuple[MatchCondition, ...] = ()
    taints: tuple[Taint, ...] = ()
    document: Document | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Give `ClusterTaintPolicy disk-pressure`, as messages name it."""
        return f"ClusterTaintPolicy {self.name}"
