"""The quick way through pruning, defaulting and checking, for the many documents that are in order.

It decides without paths and errors whether a value conforms as it is, or once defaults are filled in.
For everything else it gives up, and the slow way says what is wrong. Both give the same value.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final

from renderer.document.values import Object, Value
from renderer.load.conformity import check
from renderer.load.schemas import Schema
from renderer.load.structural import normalise


class Unsettled(Enum):
    """The answer for a value that is not in order."""

    UNSETTLED = "unsettled"


UNSETTLED: Final = Unsettled.UNSETTLED


def settled(value: Value, schema: Schema) -> Value | Unsettled:
    """The conforming value with its defaults, sharing what did not change; else UNSETTLED."""
    if isinstance(value, dict):
        return _object(value, schema) if not schema.types or "object" in schema.types else UNSETTLED
    if isinstance(value, list):
        return _list(value, schema)
    if schema.any_text and isinstance(value, str):
        return value
    return value if _scalar_conforms(value, schema) else UNSETTLED


@lru_cache(maxsize=65536, typed=True)  # the same facts stand in thousands of clusters
def _scalar_conforms(value: Value, schema: Schema) -> bool:
    return value is not None and next(check(value, schema), None) is None


def _object(value: Object, schema: Schema) -> Value | Unsettled:
    properties, additional, changed = schema.properties, schema.additional, None
    for key, item in value.items():
        child = properties.get(key, additional)
        if child is None:
            if schema.closed:
                return UNSETTLED
            continue
        if child.any_text and isinstance(item, str):
            continue
        new = settled(item, child)
        if isinstance(new, Unsettled):
            return UNSETTLED
        if new is not item:
            changed = changed or dict(value)
            changed[key] = new
    for name in schema.required:
        if name not in value:
            return UNSETTLED
    for name in schema.defaulted:
        if name not in value:
            changed = changed or dict(value)
            changed[name] = normalise(properties[name].default, properties[name])[0]
    return value if changed is None else changed


def _list(value: Value, schema: Schema) -> Value | Unsettled:
    if not isinstance(value, list) or (schema.types and "array" not in schema.types):
        return UNSETTLED
    if len(value) < (schema.min_items or 0):
        return UNSETTLED
    if schema.max_items is not None and len(value) > schema.max_items:
        return UNSETTLED
    if schema.items is None:
        return value
    result: list[Value] = []
    changed = False
    for item in value:
        new = settled(item, schema.items)
        if isinstance(new, Unsettled):
            return UNSETTLED
        changed = changed or new is not item
        result.append(new)
    return result if changed else value
