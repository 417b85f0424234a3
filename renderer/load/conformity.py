"""Whether a value is what a schema asks for, with an API server's errors where it is not.

Source: k8s.io/kube-openapi pkg/validation/validate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from renderer.document.values import Object, Value
from renderer.load.field import ROOT, ErrorType, FieldError, Path, invalid, not_supported, required, too_long
from renderer.load.field import type_invalid as type_error
from renderer.load.schemas import Schema, compiled_pattern

_RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_DEFAULT_RANGE = _RANGES["int64"]
_INT_OR_STRING = ("integer", "string")
_LARGEST_FLOAT_INTEGER = 2**53 - 1


def check(value: Value, schema: Schema, path: Path = ROOT) -> Iterator[FieldError]:
    """Everything that keeps the value from being what the schema asks for, in document order.

    Looks into parts of the right type only, as an API server does.
    """
    yield from _type(value, schema, path)
    if schema.enum and not any(value == item and type(value) is type(item) for item in schema.enum):
        yield not_supported(path, value, tuple(str(item) for item in schema.enum))
    if isinstance(value, dict):
        yield from _object(value, schema, path)
    elif isinstance(value, list):
        yield from _list(value, schema, path)
    elif isinstance(value, str):
        yield from _text(value, schema, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number(value, schema, path)


def json_type(value: Value) -> str:
    """The JSON type of a value, as an API server names it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        # What does not fit an int64 has been read as a float64.
        return "integer" if _DEFAULT_RANGE[0] <= value <= _DEFAULT_RANGE[1] else "number"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _type(value: Value, schema: Schema, path: Path) -> Iterator[FieldError]:
    if not schema.types or (value is None and schema.nullable):
        return
    kind = json_type(value)
    if kind in schema.types or _acceptable_number(value, kind, schema.types):
        return
    wanted, found = ",".join(schema.types), kind
    if schema.format and kind not in ("string", "array", "null"):
        wanted, found = schema.format, {"integer": "int64", "number": "float64"}.get(kind, "")
    yield type_error(path, found, f'{path} in body must be of type {wanted}: "{found}"')
    if schema.types == _INT_OR_STRING:
        # An API server has tried both types before, and tells that as well.
        yield type_error(path, found, f'{path} in body must be of type integer: "{found}"')
        yield FieldError(
            type=ErrorType.INVALID,
            field="<nil>",
            detail=f"{json.dumps(str(path))} must validate at least one schema (anyOf)",
            pointer=path.pointer,
            value="",
        )
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from _range(value, schema.format, path)


def _acceptable_number(value: Value, kind: str, types: tuple[str, ...]) -> bool:
    if kind == "integer":
        return "number" in types
    if kind != "number" or "integer" not in types or not isinstance(value, int | float):
        return False
    return abs(value) <= _LARGEST_FLOAT_INTEGER and value == int(value)


def _object(value: Object, schema: Schema, path: Path) -> Iterator[FieldError]:
    for key, item in value.items():
        child = schema.properties.get(key, schema.additional)
        if child is not None:
            yield from check(item, child, path.child(key))
    for name in schema.required:
        if name not in value:
            child = schema.properties.get(name)
            yield required(path.child(name), without=child.without if child else "")


def _list(value: Sequence[Value], schema: Schema, path: Path) -> Iterator[FieldError]:
    if schema.items is not None:
        for index, item in enumerate(value):
            yield from check(item, schema.items, path.index(index))
    if schema.min_items is not None and len(value) < schema.min_items:
        yield invalid(path, len(value), f"{path} in body should have at least {schema.min_items} items")
    if schema.max_items is not None and len(value) > schema.max_items:
        yield FieldError(
            type=ErrorType.TOO_MANY,
            field=str(path),
            detail=f"must have at most {schema.max_items} items",
            pointer=path.pointer,
            value=len(value),
        )


def _text(value: str, schema: Schema, path: Path) -> Iterator[FieldError]:
    if schema.max_length is not None and len(value) > schema.max_length:
        yield too_long(path, value, schema.max_length)
    elif schema.min_length is not None and len(value) < schema.min_length:
        detail = f"{path} in body should be at least {schema.min_length} chars long"
        yield invalid(path, value, detail)
    elif schema.pattern and compiled_pattern(schema.pattern).search(value) is None:
        yield invalid(path, value, f"{path} in body should match '{schema.pattern}'")


def _number(value: int | float, schema: Schema, path: Path) -> Iterator[FieldError]:
    if schema.types == ("integer",):
        yield from _range(value, schema.format, path)
    if schema.maximum is not None and value > schema.maximum:
        yield invalid(path, value, f"{path} in body should be less than or equal to {schema.maximum}")
    if schema.minimum is not None and value < schema.minimum:
        yield invalid(path, value, f"{path} in body should be greater than or equal to {schema.minimum}")


def _range(value: int | float, format_: str, path: Path) -> Iterator[FieldError]:
    """A whole number is asked for: is it one, and does it fit its format?

    An API server loses the path of this error; the pointer still has it.
    """
    low, high = _RANGES.get(format_, _DEFAULT_RANGE)
    if low <= value <= high and value == int(value):
        return
    what = f"type integer with format {format_}" if format_ in _RANGES else "type integer (default format)"
    yield FieldError(
        type=ErrorType.INVALID,
        field="<nil>",
        detail=f"Checked value must be of {what} in {path}",
        pointer=path.pointer,
        value="",
    )
