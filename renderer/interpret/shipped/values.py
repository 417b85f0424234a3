"""Values as a Lua script sees them, and what becomes of them on the way back.

Nulls vanish, numbers are doubles, empty maps and empty lists are the same empty table.
Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/lua.go, lua_convert.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from renderer.document.values import Object, Value, mapping
from renderer.model.interpretation import InterpretError

Path = tuple[str, ...]  # of map keys; places in lists are left out

_DECIMAL: Final = re.compile(r"\s*-?(?:\d+\.?\d*|\.\d+)\s*", re.ASCII)
_LARGEST: Final = 2**63


def at(value: Value, *path: str) -> Value:
    """The value at a path. Raises InterpretError where something on the way is not there."""
    for key in path:
        if value is None or isinstance(value, bool | int | float):
            raise InterpretError(f"{key} is looked for where there is no map")
        value = value.get(key) if isinstance(value, dict) else None
    return value


def optional(value: Value, *path: str) -> Value:
    """The value at a path, None where something on the way is absent."""
    for key in path:
        if value is None:
            return None
        value = at(value, key)
    return value


def items(value: Value) -> Iterator[Value]:
    """The values of a list or a map, nulls left out."""
    entries = list(value.values()) if isinstance(value, dict) else value
    if isinstance(entries, list):
        yield from (entry for entry in entries if entry is not None)


def number(value: Value) -> float | None:
    """A number, or text that is a plain decimal one; None for anything else."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return float(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def counted(value: Value, default: float) -> float:
    """A number as the scripts read it: `default` where it is absent or none."""
    found = number(value)
    return default if found is None else found


def replicas_of(value: Value) -> int:
    """What a script returns as replicas: a number, its fraction cut off.

    Raises InterpretError where it is none. Beyond 32 bits it is the least such number, as in Go.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InterpretError("replicas is not a number")
    whole = int(value) if value - value == 0 else -(2**31)  # neither infinite nor NaN
    return whole if -(2**31) <= whole < 2**31 else -(2**31)


def without_empty(value: Value) -> Value:
    """The value without nulls, and without the maps and lists below it that hold nothing else."""
    if isinstance(value, dict):
        return {key: without_empty(item) for key, item in value.items() if not _vanishes(item)}
    if isinstance(value, list):
        return [without_empty(item) for item in value if not _vanishes(item)]
    return value


def _vanishes(value: Value) -> bool:
    return value is None or (isinstance(value, dict | list) and next(items(value), None) is None)


def returned(body: Object) -> Object:
    """An object that a script has been given and gives back, otherwise unchanged.

    An empty table is a map where the object has an empty map at that path in any list element, else a
    list where it has an empty list, and else it is gone. Numbers beyond 2^53 lose precision.
    """
    maps, lists = set[Path](), set[Path]()
    _collect(body, (), maps, lists)
    return mapping(_returned(body, (), maps, lists))


def _collect(value: Value, path: Path, maps: set[Path], lists: set[Path]) -> None:
    children = value.items() if isinstance(value, dict) else [(None, item) for item in items(value)]
    for key, item in children:
        below = path if key is None else (*path, key)
        if item == {} or item == []:
            (maps if isinstance(item, dict) else lists).add(below)
        else:
            _collect(item, below, maps, lists)


def _returned(value: Value, path: Path, maps: set[Path], lists: set[Path]) -> Value:
    """The value, None where it vanishes."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value)
    if not isinstance(value, dict | list):
        return value
    if path and _vanishes(value):
        empty: Value = {} if path in maps else []
        return empty if path in maps or path in lists else None
    if isinstance(value, dict):
        kept = {key: _returned(item, (*path, key), maps, lists) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item is not None}
    found = (_returned(item, path, maps, lists) for item in value)
    return [item for item in found if item is not None]


def _number(value: float) -> float:
    double = float(value)
    return int(double) if double.is_integer() and abs(double) < _LARGEST else double
