"""What can be asked of a kind, and who answers: the first layer that has the operation.

Source: Karmada pkg/resourceinterpreter/interpreter.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, TypeAlias

from renderer.document.values import Object, Value
from renderer.model.binding import Component
from renderer.model.interpretation import Dependency, Workload


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """The operations of one kind. None: this layer does not have it. All raise InterpretError."""

    replica: Callable[[Object], Workload] | None = None
    revise: Callable[[Object, int], Object] | None = None
    components: Callable[[Object], tuple[Component, ...]] | None = None
    dependencies: Callable[[Object], tuple[Dependency, ...]] | None = None
    health: Callable[[Object], bool] | None = None
    status: Callable[[Object], Value] | None = None
    retain: Callable[[Object, Object], Object] | None = None

    def over(self, other: Operations) -> Operations:
        """These operations, and those of the other where these lack one."""
        lacking = {field.name for field in fields(self) if getattr(self, field.name) is None}
        return replace(self, **{name: getattr(other, name) for name in sorted(lacking)})


Kind: TypeAlias = tuple[str, str]  # apiVersion, kind
Layer: TypeAlias = Mapping[Kind, Operations]

NOTHING: Final = Operations()


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Layers of operations, the one that is asked first in front."""

    layers: tuple[Layer, ...]

    def of(self, body: Object) -> Operations:
        """The operations for an object's apiVersion and kind."""
        kind = (str(body.get("apiVersion", "")), str(body.get("kind", "")))
        found = NOTHING
        for layer in self.layers:
            found = found.over(layer.get(kind, NOTHING))
        return found
