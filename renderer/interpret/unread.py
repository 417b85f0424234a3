"""Lua scripts of the user that krender does not run yet: asking for what they answer is an error.

Without this layer the built-in answer would be given, which Karmada would not give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from renderer.interpret.operations import NOTHING, Kind, Layer, Operations
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.interpretation import InterpretError


def unread_layer(customizations: Iterable[ResourceInterpreterCustomization]) -> Layer:
    """A layer that refuses every operation for which one of the customizations has a script.

    Of several for one kind the first by name answers.
    """
    layer: dict[Kind, Operations] = {}
    for item in sorted(customizations, key=lambda one: one.name):
        kind = (item.api_version, item.kind)
        layer[kind] = layer.get(kind, NOTHING).over(_refused(item))
    return layer


def _refused(item: ResourceInterpreterCustomization) -> Operations:
    return Operations(
        replica=_refusal(item, "replicaResource") if item.replica_resource else None,
        revise=_refusal(item, "replicaRevision") if item.replica_revision else None,
        components=_refusal(item, "componentResource") if item.component_resource else None,
        dependencies=(_refusal(item, "dependencyInterpretation") if item.dependency_interpretation else None),
    )


def _refusal(item: ResourceInterpreterCustomization, field: str) -> Callable[..., NoReturn]:
    def refuse(*_: object) -> NoReturn:
        raise InterpretError(f"the script {field} of {item} is not run by this version of krender")

    return refuse
