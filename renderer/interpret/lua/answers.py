"""What functions of scripts return, as answers to what Karmada asks of a kind.

Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/lua.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.interpret.dependencies import verified
from renderer.interpret.lua.machine import Result
from renderer.interpret.lua.repair import repaired
from renderer.interpret.lua.values import in_order_of
from renderer.interpret.shipped.pods import component, stated_requirements
from renderer.interpret.shipped.values import replicas_of
from renderer.interpret.typed import mistake
from renderer.model.binding import Component
from renderer.model.interpretation import Dependency, InterpretError, Workload
from renderer.model.selectors import LabelSelector, Requirement

_COMPONENT = ("name", "replicas", "replicaRequirements")
_DEPENDENCY = ("apiVersion", "kind", "namespace", "name", "labelSelector")
_REQUIREMENTS = ("nodeClaim", "resourceRequest", "namespace", "priorityClassName")


def workload(replicas: Result, requirements: Result) -> Workload:
    """What GetReplicas returns. Raises InterpretError, as all of these do."""
    if replicas.kind != "number":
        raise InterpretError(f"it returns replicas that are {_article(replicas.kind)}, not a number")
    count = replicas_of(replicas.value)
    if requirements.kind == "nil":
        return Workload(replicas=count)
    table = repaired(_table(requirements, "requirements"))
    return Workload(replicas=count, requirements=stated_requirements(_fields(table, _REQUIREMENTS)))


def components(returned: Result) -> tuple[Component, ...]:
    """What GetComponents returns."""
    if returned.kind == "nil":
        return ()
    return tuple(_component(entry) for entry in _entries(returned, "components"))


def dependencies(returned: Result) -> tuple[Dependency, ...]:
    """What GetDependencies returns."""
    return verified(tuple(_dependency(entry) for entry in _entries(returned, "dependencies")))


def merged(found: Iterable[tuple[Dependency, ...]]) -> tuple[Dependency, ...]:
    """The dependencies of several scripts in order, each once but for label selectors, as in Karmada."""
    every = [item for items in found for item in items]
    selected = [item for item in every if item.label_selector is not None]
    distinct = [*dict.fromkeys(item for item in every if item.label_selector is None), *selected]
    return tuple(sorted(distinct, key=lambda item: (item.api_version, item.kind, item.namespace, item.name)))


def healthy(returned: Result) -> bool:
    """What InterpretHealth returns."""
    if returned.kind != "boolean":
        raise InterpretError(f"it returns {_article(returned.kind)}, not true or false")
    return returned.value is True


def status(returned: Result) -> Value:
    """What ReflectStatus returns."""
    return repaired(_table(returned, "a status"))


def revised(returned: Result, *given: Object) -> Object:
    """The object that ReviseReplica or Retain returns, given those objects."""
    found = repaired(_table(returned, "an object"), *given)
    if not isinstance(found, dict) or not text(found.get("kind")):
        raise InterpretError("it returns an object without a kind")
    return mapping(in_order_of(found, given[0]))


def _table(returned: Result, what: str) -> Value:
    if returned.kind != "table":
        raise InterpretError(f"it returns {_article(returned.kind)} where {what} should be")
    return returned.value


def _article(kind: str) -> str:
    return kind if kind == "nil" else f"a {kind}"


def _entries(returned: Result, what: str) -> Sequence[Value]:
    found = repaired(_table(returned, what), is_object=False)
    if not isinstance(found, list):
        raise InterpretError(f"it returns a map where a list of {what} should be")
    return found


def _fields(entry: Value, names: Sequence[str]) -> Value:
    """An entry with its fields by their names: Go matches them in any case, the last one counting."""
    if not isinstance(entry, dict):
        return entry
    known = {name.lower(): name for name in names}
    found: dict[str, Value] = {}
    for key in sorted(entry):
        name = key if key in names else known.get(key.lower())
        if name is not None:
            found[name] = entry[key]
    return found


def _component(entry: Value) -> Component:
    fields = _fields(entry, _COMPONENT)
    if not isinstance(fields, dict):
        raise InterpretError("it returns a component that is not a map")
    needs = _fields(fields.get("replicaRequirements"), _REQUIREMENTS)
    return component(
        fields.get("name"), fields.get("replicas"), None if needs is None else stated_requirements(needs)
    )


def _dependency(entry: Value) -> Dependency:
    fields = _fields(entry, _DEPENDENCY)
    fault = mistake("DependencyEntry", fields)
    if fault:
        raise InterpretError(f"it returns a dependency that is none: {fault}")
    found = mapping(fields)
    selector = found.get("labelSelector")
    return Dependency(
        api_version=text(found.get("apiVersion")),
        kind=text(found.get("kind")),
        namespace=text(found.get("namespace")),
        name=text(found.get("name")),
        label_selector=None if selector is None else _selector(mapping(selector)),
    )


def _selector(selector: Object) -> LabelSelector:
    labels = mapping(selector.get("matchLabels"))
    return LabelSelector(
        match_labels=tuple((key, text(labels[key])) for key in sorted(labels)),
        match_expressions=tuple(
            Requirement(
                key=text(item.get("key")),
                operator=text(item.get("operator")),
                values=tuple(map(text, sequence(item.get("values")))),
            )
            for item in map(mapping, sequence(selector.get("matchExpressions")))
        ),
    )
