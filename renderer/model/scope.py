"""Whether a kind's objects live in a namespace or belong to the cluster."""

from __future__ import annotations

from enum import StrEnum

Kind = tuple[str, str]  # API group, kind


class Scope(StrEnum):
    """Where objects of a kind live."""

    NAMESPACED = "Namespaced"
    CLUSTER = "Cluster"
    UNKNOWN = "unknown"
