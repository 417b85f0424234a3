"""All files below `delivery/argocd`."""

from __future__ import annotations

from renderer.delivery.engine import Asked, Given
from renderer.delivery.parameters import encoded, parameters, parameters_path


def argocd_files(asked: Asked) -> Given:
    """The files, by path from the top of the published tree."""
    project = asked.config.delivery.argocd.project
    return Given(
        files={
            parameters_path(unit): encoded(parameters(unit, unit.tenant or project)) for unit in asked.units
        }
    )
