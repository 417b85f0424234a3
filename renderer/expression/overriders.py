"""Values that depend on the cluster: the texts of overriders that hold expressions.

A policy annotated `krender.io/values: jinja2` may write `{{ cluster.spec.region }}` wherever an overrider
has a value; paths, keys, names and operators stay literal. Karmada has no such thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias, TypeVar

from renderer.document.pointer import escape
from renderer.document.values import Value
from renderer.expression.template import JinjaTemplate, parse
from renderer.model.overrides import (
    CommandArgsOverrider,
    FieldOverrider,
    ImageOverrider,
    LabelAnnotationOverrider,
    Overriders,
    PatchOperation,
)

CLUSTER: Final = "cluster"

_MARKS: Final = ("{{", "{%", "{#")
WORK: Final = 100_000  # steps; some hundredths of a second, on each cluster

_Entry = TypeVar("_Entry")
Visit: TypeAlias = Callable[[str, str], str]  # a text and its pointer below the overriders -> what to write


def holds_expression(text: str) -> bool:
    """Whether Jinja2 would find anything to do in a text."""
    return any(mark in text for mark in _MARKS)


@lru_cache(maxsize=4096)
def parsed(text: str) -> JinjaTemplate:
    """The text, ready to be given a `cluster`. Raises ExpressionError."""
    return parse(text, (CLUSTER,), WORK)


def expressions(overriders: Overriders) -> tuple[tuple[str, str], ...]:
    """The texts that hold expressions, each with its pointer, in the order in which `visited` goes."""
    found: list[tuple[str, str]] = []

    def visit(text: str, pointer: str) -> str:
        found.append((text, pointer))
        return text

    visited(overriders, visit)
    return tuple(found)


def visited(overriders: Overriders, visit: Visit) -> Overriders:
    """The overriders with each text that holds an expression as `visit` gives it, in a fixed order."""

    def text(value: str, pointer: str) -> str:
        return visit(value, pointer) if holds_expression(value) else value

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
