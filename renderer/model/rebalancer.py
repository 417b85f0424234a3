"""WorkloadRebalancer: workloads to be scheduled afresh, once.

Source: Karmada pkg/apis/apps/v1alpha1/workloadrebalancer_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document
from renderer.model.identity import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadRebalancer:
    """Which workloads are meant; a namespace that was left out is that of a cluster-scoped kind.

    `created_at` is RFC 3339 text, empty where the object carries no time.
    """

    name: str
    workloads: tuple[Identity, ...] = ()
    created_at: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Give `WorkloadRebalancer evening`, as messages name it."""
        return f"WorkloadRebalancer {self.name}"
