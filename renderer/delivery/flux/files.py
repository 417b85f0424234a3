"""All files below `delivery/flux`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderer.delivery.parameters import encoded, parameters, parameters_path
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Unit


def flux_files(units: Sequence[Unit], config: WorkspaceConfig) -> Mapping[str, bytes]:  # noqa: ARG001
    """The files, by path from the top of the published tree."""
    return {parameters_path(unit): encoded(parameters(unit, unit.tenant)) for unit in units}
