"""ResourceInterpreterCustomization: Lua scripts that teach Karmada a kind.

Source: Karmada pkg/apis/config/v1alpha1/resourceinterpretercustomization_types.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceInterpreterCustomization:
    """The scripts for one kind, one for each question; an empty script answers nothing."""

    name: str
    api_version: str
    kind: str
    retention: str = ""
    replica_resource: str = ""
    component_resource: str = ""
    replica_revision: str = ""
    status_reflection: str = ""
    status_aggregation: str = ""
    health_interpretation: str = ""
    dependency_interpretation: str = ""
    document: Document | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Give `ResourceInterpreterCustomization widgets`, as messages name it."""
        return f"ResourceInterpreterCustomization {self.name}"
