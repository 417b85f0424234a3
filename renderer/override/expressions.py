"""Values that depend on the cluster: the texts of a templated rule that hold expressions, and their values.

A policy annotated `krender.io/values: jinja2` may write `{{ cluster.spec.region }}` wherever an overrider
has a value; paths, keys, names and operators stay literal. Karmada has no such thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from renderer.document.pointer import escape
from renderer.document.problem import Problem
from renderer.document.values import Value
from renderer.match.labels import valid_value
from renderer.model.cluster import Cluster
from renderer.model.overrides import (
    CommandArgsOverrider,
    FieldOverrider,
    ImageOverrider,
    LabelAnnotationOverrider,
    OverridePolicy,
    Overriders,
    PatchOperation,
)
from renderer.override.wording import policy_problem

if TYPE_CHECKING:
    from jinja2 import Template

_MARKS = ("{{", "{%", "{#")

_Entry = TypeVar("_Entry")
Visit: TypeAlias = Callable[[str, str], str]  # a text and its pointer below the overriders -> what to write


def expressions(overriders: Overriders) -> tuple[str, ...]:
    """The texts of a templated rule that hold expressions, in the order of its values."""
    found: list[str] = []

    def visit(text: str, _: str) -> str:
        found.append(text)
        return text

    _visited(overriders, visit)
    return tuple(found)


def rendered(
    policy: OverridePolicy, index: int, cluster: Cluster
) -> tuple[Overriders, tuple[str, ...], Problem | None]:
    """The overriders of a rule with the values that a cluster gives its expressions.

    Beside them the values in order, or the problem of the first expression that has none.
    """
    rule = policy.rules[index]
    values: list[str] = []

    def visit(text: str, pointer: str) -> str:
        try:
            value = _value(text, cluster)
        except _NoValueError as error:
            raise _NoValueError(str(error), pointer, undefined=error.undefined) from None
        values.append(value)
        if "/labelsOverrider/" in pointer and not valid_value(value):
            raise _NoValueError(f'"{value}" cannot be the value of a label', pointer)
        return value

    try:
        overriders = _visited(rule.overriders, visit)
    except _NoValueError as error:
        fault = policy_problem(
            policy,
            rule.pointer + error.pointer,
            what=f"{policy}, rule {index + 1}: an expression has no value on cluster {cluster.name}: {error}",
            why="nothing that this rule applies to reaches that cluster",
            fix="give the cluster that fact, or write a default: {{ … | default('…') }}"
            if error.undefined
            else "mend the expression",
        )
        return rule.overriders, (), fault
    return overriders, tuple(values), None


class _NoValueError(ValueError):
    def __init__(self, reason: str, pointer: str = "", *, undefined: bool = False) -> None:
        super().__init__(reason)
        self.pointer, self.undefined = pointer, undefined


def _value(text: str, cluster: Cluster) -> str:
    from renderer.override import sandbox

    compiled = _compiled(text)
    if isinstance(compiled, str):
        raise _NoValueError(compiled)
    try:
        return sandbox.compute(compiled, cluster.body, len(text) + sandbox.LONGEST)
    except sandbox.ExpressionError as error:
        raise _NoValueError(str(error), undefined=error.undefined) from None


@lru_cache(maxsize=4096)
def _compiled(text: str) -> Template | str:
    """The text ready to be computed, or why it cannot be."""
    from renderer.override import sandbox

    try:
        return sandbox.compile_text(text)
    except sandbox.ExpressionError as error:
        return str(error)


def _visited(overriders: Overriders, visit: Visit) -> Overriders:
    """The overriders with each text that holds an expression as `visit` gives it, in a fixed order."""

    def text(value: str, pointer: str) -> str:
        return visit(value, pointer) if any(mark in value for mark in _MARKS) else value

    def image(entry: ImageOverrider, pointer: str) -> ImageOverrider:
        return replace(entry, value=text(entry.value, f"{pointer}/value"))

    def words(entry: CommandArgsOverrider, pointer: str) -> CommandArgsOverrider:
        values = (text(word, f"{pointer}/value/{place}") for place, word in enumerate(entry.value))
        return replace(entry, value=tuple(values))

    def entries(entry: LabelAnnotationOverrider, pointer: str) -> LabelAnnotationOverrider:
        values = ((key, text(value, f"{pointer}/value/{escape(key)}")) for key, value in entry.value)
        return replace(entry, value=tuple(values))

    def operation(entry: PatchOperation, pointer: str) -> PatchOperation:
        return replace(entry, value=_deep(entry.value, f"{pointer}/value", text))

    def field(entry: FieldOverrider, pointer: str) -> FieldOverrider:
        json = _each(entry.json, f"{pointer}/json", operation)
        return replace(entry, json=json, yaml=_each(entry.yaml, f"{pointer}/yaml", operation))

    return replace(
        overriders,
        image_overrider=_each(overriders.image_overrider, "/imageOverrider", image),
        command_overrider=_each(overriders.command_overrider, "/commandOverrider", words),
        args_overrider=_each(overriders.args_overrider, "/argsOverrider", words),
        labels_overrider=_each(overriders.labels_overrider, "/labelsOverrider", entries),
        annotations_overrider=_each(overriders.annotations_overrider, "/annotationsOverrider", entries),
        field_overrider=_each(overriders.field_overrider, "/fieldOverrider", field),
        plaintext=_each(overriders.plaintext, "/plaintext", operation),
    )


def _each(
    entries: tuple[_Entry, ...], pointer: str, visit: Callable[[_Entry, str], _Entry]
) -> tuple[_Entry, ...]:
    return tuple(visit(entry, f"{pointer}/{place}") for place, entry in enumerate(entries))


def _deep(value: Value, pointer: str, visit: Visit) -> Value:
    """A value with the texts in it visited: also those in its maps and lists, but no keys."""
    match value:
        case str():
            return visit(value, pointer)
        case dict():
            return {key: _deep(item, f"{pointer}/{escape(key)}", visit) for key, item in value.items()}
        case list():
            return [_deep(item, f"{pointer}/{place}", visit) for place, item in enumerate(value)]
    return value
