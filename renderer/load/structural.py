"""What an API server does to an object before it looks at it: prune, drop nulls, fill in defaults.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/pruning and defaulting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderer.document.values import Object, Value
from renderer.load.field import ROOT, Path
from renderer.load.schemas import Schema


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that the schema of the object it stands in does not have."""

    path: Path
    schema: Schema


# What stands in a place where no object or list is allowed knows no field at all.
_NOTHING = Schema(closed=True)


def normalise(value: Value, schema: Schema, path: Path = ROOT) -> tuple[Value, tuple[UnknownField, ...]]:
    """The value without unknown fields and without nulls that mean nothing, with defaults filled in.

    Parts that do not change are shared with `value`. A null stays where it is a list element or where
    the schema admits it. Unknown fields come in document order.
    """
    unknown: list[UnknownField] = []
    return _normalise(value, schema, path, unknown), tuple(unknown)


def _normalise(value: Value, schema: Schema, path: Path, unknown: list[UnknownField]) -> Value:
    if isinstance(value, dict):
        return _object(value, _for_object(schema), path, unknown)
    if isinstance(value, list):
        return _list(value, _for_items(schema), path, unknown)
    return value


def _for_object(schema: Schema) -> Schema:
    return schema if not schema.types or "object" in schema.types else _NOTHING


def _for_items(schema: Schema) -> Schema:
    if schema.items is not None:
        return schema.items
    return _NOTHING if (schema.types and "array" not in schema.types) or schema.closed else _ANY


_ANY = Schema()


def _object(value: Object, schema: Schema, path: Path, unknown: list[UnknownField]) -> Object:
    result: dict[str, Value] = {}
    changed = False
    properties = schema.properties
    for key, item in value.items():
        child = properties.get(key, schema.additional)
        if child is None:
            if schema.closed:
                unknown.append(UnknownField(path.child(key), schema))
                changed = True
            else:
                result[key] = item
            continue
        new = item
        if item is None and not child.nullable:
            changed = True
            if not child.has_default:
                continue
            new = child.default
        if isinstance(new, dict | list):
            new = _normalise(new, child, path.child(key), unknown)
        changed = changed or new is not item
        result[key] = new
    return _with_defaults(result, properties) or (result if changed else value)


def _with_defaults(result: dict[str, Value], properties: Mapping[str, Schema]) -> Object | None:
    """The map with its missing defaults, None where none is missing."""
    missing = [key for key, child in properties.items() if child.has_default and key not in result]
    for key in missing:
        result[key] = _normalise(properties[key].default, properties[key], ROOT, [])
    return result if missing else None


def _list(value: Sequence[Value], items: Schema, path: Path, unknown: list[UnknownField]) -> Value:
    result: list[Value] = []
    changed = False
    for index, item in enumerate(value):
        new = item
        if item is None and not items.nullable and items.has_default:
            new = items.default
        if isinstance(new, dict | list):
            new = _normalise(new, items, path.index(index), unknown)
        changed = changed or new is not item
        result.append(new)
    return result if changed else value
