"""All files below `delivery/argocd`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderer.delivery.parameters import encoded, parameters, parameters_path
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Unit


def argocd_files(units: Sequence[Unit], config: WorkspaceConfig) -> Mapping[str, bytes]:
    """The files, by path from the top of the published tree."""
    project = config.delivery.argocd.project
    return {parameters_path(unit): encoded(parameters(unit, unit.tenant or project)) for unit in units}
