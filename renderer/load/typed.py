"""Objects as Karmada's typed code sees them: read into a struct and written back.

The trip has consequences that users meet: a required field that is missing appears empty, an optional
one that is empty disappears, and keys come in the order of the struct. What cannot be read is an error.
Source: sigs.k8s.io/json, encoding/json.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from renderer.document.values import Object, Value

_INT_RANGES = {"int32": (-(2**31), 2**31 - 1)}
_INT64 = (-(2**63), 2**63 - 1)
_PLAIN_FLOAT_LIMIT = 1e21  # from here on Go writes a float with an exponent
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


class DecodeError(ValueError):
    """A value cannot be read into its struct; the text is Go's."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, bool or integer. `json` is its JSON type, `name` its Go type."""

    json: str
    name: str


@dataclass(frozen=True, slots=True)
class Time:
    """A point in time, written as RFC 3339 text."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON, kept as it is (apiextensions JSON)."""


@dataclass(frozen=True, slots=True)
class TextMap:
    """A map of strings to strings."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """A map of resource names to quantities, which are read elsewhere."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Something that can be absent, so that its zero value is kept."""

    to: GoType


@dataclass(frozen=True, slots=True)
class ListOf:
    """A slice; absent and empty differ only while it is not written back."""

    item: GoType


@dataclass(frozen=True, slots=True)
class Field:
    """A struct's field; one that omits its empty value is not written where it is empty.

    `embedded` is the embedded struct it comes from, which Go's errors mention.
    """

    name: str
    type: GoType
    omit_empty: bool
    embedded: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct; `name` is its Go type with the package."""

    name: str
    fields: tuple[Field, ...]


GoType: TypeAlias = Scalar | Time | Anything | TextMap | Amounts | Pointer | ListOf | Struct

TEXT = Scalar("string", "string")
BOOL = Scalar("boolean", "bool")
INT = Scalar("integer", "int")
INT32 = Scalar("integer", "int32")
INT64 = Scalar("integer", "int64")


def word(name: str) -> Scalar:
    """A named string type."""
    return Scalar("string", name)


def need(name: str, kind: GoType = TEXT) -> Field:
    """A field that is always written."""
    return Field(name, kind, omit_empty=False)


def may(name: str, kind: GoType = TEXT) -> Field:
    """A field that is written unless it is empty."""
    return Field(name, kind, omit_empty=True)


def normal_form(value: Value, kind: GoType) -> Value:
    """The value read into the type and written back.

    Unknown fields are ignored. Raises DecodeError for the first part, in key order, that does not fit.
    """
    return _trip(value, kind, None, ())


def normal_object(value: Value, kind: Struct) -> Object:
    """The same for a struct, which is always written as an object."""
    result = _trip(value, kind, None, ())
    if not isinstance(result, dict):  # pragma: no cover - a struct is written as an object
        raise DecodeError(f"{kind.name} is no object")
    return result


def _trip(value: Value, kind: GoType, struct: Struct | None, stack: tuple[str, ...]) -> Value:
    match kind:
        case Pointer(to):
            return None if value is None else _trip(value, to, struct, stack)
        case Struct():
            return _struct(value, kind, struct, stack)
        case ListOf(item):
            if value is None or isinstance(value, list):
                return None if value is None else [_trip(part, item, struct, stack) for part in value]
        case TextMap():
            if value is None or isinstance(value, dict):
                return _text_map(value, struct, stack)
        case Anything():
            return value
        case Amounts():
            if value is None or isinstance(value, dict):
                return value
        case Time():
            if value is None or (isinstance(value, str) and _TIME.fullmatch(value)):
                return value
        case _:
            return _scalar(value, kind, struct, stack)
    raise _error(value, kind, struct, stack)


def _struct(value: Value, kind: Struct, outer: Struct | None, stack: tuple[str, ...]) -> Object:
    if value is not None and not isinstance(value, dict):
        raise _error(value, kind, outer, stack)
    given = value or {}
    fields = {field.name: field for field in kind.fields}
    read = {
        key: _trip(given[key], fields[key].type, kind, _deeper(stack, fields[key]))
        for key in sorted(given)
        if key in fields
    }
    result: dict[str, Value] = {}
    for field in kind.fields:
        part = read[field.name] if field.name in read else _zero(field.type)
        if not (field.omit_empty and _is_empty(part, field.type)):
            result[field.name] = part
    return result


def _deeper(stack: tuple[str, ...], field: Field) -> tuple[str, ...]:
    return (*stack, field.embedded, field.name) if field.embedded else (*stack, field.name)


def _text_map(value: Object | None, struct: Struct | None, stack: tuple[str, ...]) -> Value:
    if value is None:
        return None
    return {key: _scalar(value[key], TEXT, struct, stack) for key in sorted(value)}


def _scalar(value: Value, kind: Scalar, struct: Struct | None, stack: tuple[str, ...]) -> Value:
    if value is None:
        return _zero(kind)
    if kind.json == "string" and isinstance(value, str):
        return value
    if kind.json == "boolean" and isinstance(value, bool):
        return value
    if kind.json == "integer" and isinstance(value, int | float) and not isinstance(value, bool):
        low, high = _INT_RANGES.get(kind.name, _INT64)
        if low <= value <= high and value == int(value):
            return int(value)
    raise _error(value, kind, struct, stack)


def _zero(kind: GoType) -> Value:
    match kind:
        case Struct():
            return _struct(None, kind, None, ())
        case Scalar("string"):
            return ""
        case Scalar("boolean"):
            return False
        case Scalar():
            return 0
        case _:
            return None


def _is_empty(value: Value, kind: GoType) -> bool:
    match kind:
        case Struct() | Anything():
            return False
        case Pointer() | Time():
            return value is None
        case _:
            return not value


def _error(value: Value, kind: GoType, struct: Struct | None, stack: tuple[str, ...]) -> DecodeError:
    what = _described(value, kind)
    if struct is None:
        return DecodeError(f"json: cannot unmarshal {what} into Go value of type {type_name(kind)}")
    place = f"{struct.name.rpartition('.')[2]}.{'.'.join(stack)}"
    return DecodeError(
        f"json: cannot unmarshal {what} into Go struct field {place} of type {type_name(kind)}"
    )


def _described(value: Value, kind: GoType) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int | float):
        is_integer = isinstance(kind, Scalar) and kind.json == "integer"
        return f"number {go_number(value)}" if is_integer else "number"
    return "array" if isinstance(value, list) else "object"


def go_number(value: int | float) -> str:
    """A number as Go writes it in JSON."""
    if isinstance(value, int) and _INT64[0] <= value <= _INT64[1]:
        return str(value)
    number = float(value)
    return format(Decimal(repr(number)), "f") if abs(number) < _PLAIN_FLOAT_LIMIT else repr(number)


def type_name(kind: GoType) -> str:
    """The Go type as an error names it."""
    match kind:
        case Scalar() | Struct():
            return kind.name
        case Pointer(to):
            return type_name(to)
        case ListOf(item):
            return f"[]{type_name(item)}"
        case TextMap():
            return "map[string]string"
        case Amounts():
            return "v1.ResourceList"
        case Time():
            return "v1.Time"
        case _:
            return "v1.JSON"
