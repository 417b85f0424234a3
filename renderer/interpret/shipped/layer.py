"""All shipped kinds, as one layer."""

from __future__ import annotations

from functools import cache

from renderer.interpret.operations import Layer
from renderer.interpret.shipped.engines import engine_kinds
from renderer.interpret.shipped.flux import flux_kinds
from renderer.interpret.shipped.kruise import kruise_kinds
from renderer.interpret.shipped.ray import ray_kinds
from renderer.interpret.shipped.workflows import workflow_kinds


@cache
def shipped_layer(*, priority_class: bool = False) -> Layer:
    """The operations of shipped kinds; `priority_class` makes requirements carry the priority class."""
    return {
        **kruise_kinds(priority_class=priority_class),
        **workflow_kinds(priority_class=priority_class),
        **ray_kinds(priority_class=priority_class),
        **flux_kinds(),
        **engine_kinds(),
    }
