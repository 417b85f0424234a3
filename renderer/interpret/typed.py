"""Does an object fit its Kubernetes type? Karmada converts before it interprets, and a misfit is an error.

Unknown fields are fine and null fits everything. Source: k8s.io/apimachinery pkg/runtime/converter.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from renderer.document.values import Object, Value
from renderer.interpret.api_pod import POD_TYPES
from renderer.interpret.api_workloads import WORKLOAD_TYPES
from renderer.model.quantity import parse_quantity

_TIME: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,]\d+)?(?:Z|[+-](\d{2}):(\d{2}))", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Struct:
    """A Kubernetes type: field name -> type expression."""

    name: str
    fields: Mapping[str, str]


def mistake(type_name: str, body: Value) -> str:
    """The first place where a value does not fit a type, in words; empty where it fits."""
    return _mistake(body, type_name, "")


def integer(value: Value) -> int | None:
    """A whole number as Go's conversion accepts it: 3 and 3.0, not 3.5, "3" or true."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def int32(value: Value) -> int:
    """The value as Go's int32 holds it: it wraps around; null and a misfit are 0."""
    number = integer(value) or 0
    return (number + 2**31) % 2**32 - 2**31


def _mistake(value: Value, expression: str, path: str) -> str:
    if value is None:
        return ""
    if expression[0] == "[":
        return _list_mistake(value, expression[1:-1], path)
    if expression[0] == "{":
        return _map_mistake(value, expression[1:-1], path)
    fits = PRIMITIVES.get(expression)
    if fits is not None:
        return "" if fits(value) else f"{path or 'it'} is not {WORDS.get(expression, expression)}"
    return _struct_mistake(value, types()[expression], path)


def _struct_mistake(value: Value, struct: Struct, path: str) -> str:
    if not isinstance(value, dict):
        return f"{path or 'it'} is not a map"
    for key, item in value.items():
        expression = struct.fields.get(key)
        if expression is not None and item is not None:
            found = _mistake(item, expression, f"{path}.{key}" if path else key)
            if found:
                return found
    return ""


def _list_mistake(value: Value, expression: str, path: str) -> str:
    if not isinstance(value, list):
        return f"{path} is not a list"
    mistakes = (_mistake(item, expression, f"{path}[{index}]") for index, item in enumerate(value))
    return next((found for found in mistakes if found), "")


def _map_mistake(value: Value, expression: str, path: str) -> str:
    if not isinstance(value, dict):
        return f"{path} is not a map"
    mistakes = (_mistake(item, expression, f"{path}.{key}") for key, item in value.items())
    return next((found for found in mistakes if found), "")


def _is_string(value: Value) -> bool:
    return isinstance(value, str)


def _is_bool(value: Value) -> bool:
    return isinstance(value, bool)


def _is_int(value: Value) -> bool:
    return integer(value) is not None


def _is_quantity(value: Value) -> bool:
    return parse_quantity(value) is not None


def _is_int_or_string(value: Value) -> bool:
    number = integer(value)
    return isinstance(value, str) or (number is not None and -(2**31) <= number < 2**31)


def _is_time(value: Value) -> bool:
    """RFC 3339, as Go's time package reads it."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return False
    day, hour, minute, second, zone_hour, zone_minute = match.groups("0")
    try:
        date.fromisoformat(day.replace("0000-", "2000-", 1))
    except ValueError:
        return False
    in_range = int(hour) < 24 and int(minute) < 60 and int(second) < 60
    return in_range and int(zone_hour) <= 24 and int(zone_minute) < 60


def _is_anything(_: Value) -> bool:
    return True


PRIMITIVES: Final[Mapping[str, Callable[[Value], bool]]] = {
    "string": _is_string,
    "bool": _is_bool,
    "int": _is_int,
    "quantity": _is_quantity,
    "int-or-string": _is_int_or_string,
    "time": _is_time,
    "any": _is_anything,
}

WORDS: Final = {
    "string": "a string",
    "bool": "true or false",
    "int": "a whole number",
    "quantity": "a quantity",
    "int-or-string": "a whole number or a string",
    "time": "a time (RFC 3339)",
}


@cache
def types() -> Mapping[str, Struct]:
    """All types by name, read from the tables when the first is needed."""
    return read_types(POD_TYPES + WORKLOAD_TYPES)


def read_types(table: str) -> Mapping[str, Struct]:
    """The types of a table, by name."""
    lines = re.sub(r"\n +", " ", table).splitlines()
    return {struct.name: struct for struct in map(_struct, lines)}


def _struct(line: str) -> Struct:
    name, _, fields = line.partition(": ")
    pairs = (field.partition("=") for field in fields.split())
    return Struct(name, {key: expression or "string" for key, _, expression in pairs})


def type_mistake(body: Object, kind: str) -> str:
    """The mistake of a whole object, naming it; empty where it fits."""
    found = mistake(kind, body)
    return f"it does not fit {kind}: {found}" if found else ""
