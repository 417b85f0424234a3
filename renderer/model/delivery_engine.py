"""Who applies the rendered manifests to a cluster."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """Who applies the rendered manifests."""

    NONE = "none"
    ARGOCD = "argocd"
    FLUX = "flux"

    @property
    def product(self) -> str:
        """Its name; empty for none."""
        return {Engine.ARGOCD: "Argo CD", Engine.FLUX: "Flux"}.get(self, "")

    @property
    def unit(self) -> str:
        """The kind of what it is given for a directory; empty for none."""
        return {Engine.ARGOCD: "Application", Engine.FLUX: "Kustomization"}.get(self, "")
