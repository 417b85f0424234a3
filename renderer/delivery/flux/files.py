"""All files below `delivery/flux`."""

from __future__ import annotations

from renderer.delivery.engine import Asked, Given
from renderer.delivery.parameters import encoded, parameters, parameters_path


def flux_files(asked: Asked) -> Given:
    """The files, by path from the top of the published tree."""
    return Given(
        files={parameters_path(unit): encoded(parameters(unit, unit.tenant)) for unit in asked.units}
    )
