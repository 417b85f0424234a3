"""The step: a template's body to all that later steps need to know of it."""

from __future__ import annotations

from renderer.document.values import Object
from renderer.interpret.native import native_layer
from renderer.interpret.operations import Interpreter, Layer, Operations
from renderer.interpret.shipped.layer import shipped_layer
from renderer.model.binding import Component
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import Dependency, Interpretation, InterpretError, Workload


def interpreter(gates: FeatureGates, *custom: Layer) -> Interpreter:
    """An interpreter of shipped and built-in kinds, with custom layers asked before them."""
    priority_class = gates.resource_quota_estimate
    shipped = shipped_layer(priority_class=priority_class)
    return Interpreter((*custom, shipped, native_layer(priority_class=priority_class)))


def interpret(body: Object, ask: Interpreter, gates: FeatureGates) -> Interpretation:
    """Replicas and their needs, components, dependencies; errors are part of the answer, not raised."""
    operations = ask.of(body)
    workload: Workload | None = None
    components: tuple[Component, ...] = ()
    error = ""
    try:
        # With components a workload has no replicas of its own.
        if gates.multiple_pod_templates_scheduling and operations.components is not None:
            components = operations.components(body)
        elif operations.replica is not None:
            workload = operations.replica(body)
    except InterpretError as caught:
        error = str(caught)
    dependencies, dependencies_error = _dependencies(body, operations)
    return Interpretation(
        workload=workload,
        components=components,
        dependencies=dependencies,
        revisable=operations.revise is not None,
        error=error,
        dependencies_error=dependencies_error,
    )


def _dependencies(body: Object, operations: Operations) -> tuple[tuple[Dependency, ...], str]:
    if operations.dependencies is None:
        return (), ""
    try:
        return operations.dependencies(body), ""
    except InterpretError as caught:
        return (), str(caught)
