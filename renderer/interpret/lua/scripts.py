"""Which script of which customization answers what.

Of several customizations for a kind, sorted by name, the first script of an operation answers; only
dependencies come from all of them. An empty script answers nothing.
Source: Karmada pkg/resourceinterpreter/customized/declarative (configurable.go, configmanager).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from renderer.document.values import Object, Value
from renderer.interpret.lua import answers
from renderer.interpret.lua.installed import INSTALL, lua_module
from renderer.interpret.lua.machine import Machine, Result, ScriptError
from renderer.interpret.operations import Kind, Layer, Operations
from renderer.model.binding import Component
from renderer.model.customization import ResourceInterpreterCustomization
from renderer.model.gates import FeatureGates
from renderer.model.interpretation import Dependency, InterpretError, Workload

Answer = TypeVar("Answer")

_NO_LUA: Final = f"it needs Lua, which is not installed: {INSTALL}"


@dataclass(frozen=True, slots=True)
class Script:
    """A script of a customization: its field of spec.customizations, and the function it has to define."""

    customization: ResourceInterpreterCustomization
    field: str
    function: str
    lua: str

    def failed(self, text: str, line: int = 0) -> InterpretError:
        """The error of this script, with the place in its file where it is known."""
        document = self.customization.document
        pointer = f"/spec/customizations/{self.field}/luaScript"
        place = f"{document.where_line(pointer, line)}: " if document and document.file else ""
        at = "" if place or not line else f", line {line}"
        return InterpretError(f"{place}{self.function} of {self.customization}{at}: {text}")


def scripted_layer(
    customizations: Iterable[ResourceInterpreterCustomization], *, now: str, gates: FeatureGates
) -> Layer:
    """The operations that customizations have scripts for; see `customized_layer`."""
    by_kind: dict[Kind, list[ResourceInterpreterCustomization]] = {}
    for item in sorted(customizations, key=lambda one: one.name):
        by_kind.setdefault((item.api_version, item.kind), []).append(item)
    module = lua_module()
    machine = None
    if module is not None:
        machine = Machine(module, now=now, priority_class=gates.resource_quota_estimate)
    return {kind: _operations(items, machine) for kind, items in by_kind.items()}


def _operations(items: Sequence[ResourceInterpreterCustomization], machine: Machine | None) -> Operations:
    def first(field: str, function: str, lua: Callable[[ResourceInterpreterCustomization], str]) -> _Asked:
        scripts = [Script(item, field, function, lua(item)) for item in items if lua(item)]
        return _Asked(tuple(scripts), machine)

    replicas = first("replicaResource", "GetReplicas", lambda item: item.replica_resource)
    revision = first("replicaRevision", "ReviseReplica", lambda item: item.replica_revision)
    parts = first("componentResource", "GetComponents", lambda item: item.component_resource)
    needed = first("dependencyInterpretation", "GetDependencies", lambda item: item.dependency_interpretation)
    health = first("healthInterpretation", "InterpretHealth", lambda item: item.health_interpretation)
    status = first("statusReflection", "ReflectStatus", lambda item: item.status_reflection)
    retention = first("retention", "Retain", lambda item: item.retention)
    return Operations(
        replica=replicas.workload if replicas else None,
        revise=revision.revised if revision else None,
        components=parts.components if parts else None,
        dependencies=needed.dependencies if needed else None,
        health=health.healthy if health else None,
        status=status.status if status else None,
        retain=retention.retained if retention else None,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The scripts for one operation, the one that answers first."""

    scripts: tuple[Script, ...]
    machine: Machine | None

    def __bool__(self) -> bool:
        return bool(self.scripts)

    def workload(self, body: Object) -> Workload:
        return self._first(lambda found: answers.workload(*found), 2, body)

    def revised(self, body: Object, replicas: int) -> Object:
        return self._first(lambda found: answers.revised(found[0], body), 1, body, replicas)

    def components(self, body: Object) -> tuple[Component, ...]:
        return self._first(lambda found: answers.components(found[0]), 1, body)

    def dependencies(self, body: Object) -> tuple[Dependency, ...]:
        return answers.merged(
            self._answer(script, lambda found: answers.dependencies(found[0]), 1, body)
            for script in self.scripts
        )

    def healthy(self, body: Object) -> bool:
        return self._first(lambda found: answers.healthy(found[0]), 1, body)

    def status(self, body: Object) -> Value:
        return self._first(lambda found: answers.status(found[0]), 1, body)

    def retained(self, desired: Object, observed: Object) -> Object:
        return self._first(lambda found: answers.revised(found[0], desired, observed), 1, desired, observed)

    def _first(self, read: Callable[[tuple[Result, ...]], Answer], wanted: int, *arguments: Value) -> Answer:
        return self._answer(self.scripts[0], read, wanted, *arguments)

    def _answer(
        self, script: Script, read: Callable[[tuple[Result, ...]], Answer], wanted: int, *arguments: Value
    ) -> Answer:
        """Run a script and read what it returns; what fails says where."""
        if self.machine is None:
            raise script.failed(_NO_LUA)
        try:
            return read(self.machine.run(script.lua, script.function, wanted, *arguments))
        except ScriptError as error:
            raise script.failed(error.text, error.line) from None
        except InterpretError as error:
            raise script.failed(str(error)) from None
