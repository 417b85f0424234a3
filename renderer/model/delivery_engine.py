"""Who applies the rendered manifests to a cluster."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """Who applies the rendered manifests."""

    NONE = "none"
    ARGOCD = "argocd"
    FLUX = "flux"
