"""Customizations of the workspace, as a layer that is asked before all others."""

from __future__ import annotations

from collections.abc import Sequence

from renderer.interpret.operations import Layer
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.gates import FeatureGates


def customized_layer(
    customizations: Sequence[ResourceInterpreterCustomization], *, now: str, gates: FeatureGates
) -> Layer:
    """The operations that customizations have scripts for; `now` (RFC 3339) is what scripts see of time.

    Where Lua is not installed each of them is an error that says so.
    """
    if not customizations:
        return {}
    # Most workspaces have none, and should not wait for a translator and its tables to be imported.
    from renderer.interpret.lua.scripts import scripted_layer

    return scripted_layer(customizations, now=now, gates=gates)
