"""What a JSON document is made of, and the few safe ways to look into one.

Documents are trees of plain dict, list, str, int, float, bool and None. They are shared between
templates, manifests and plans, so nobody changes one in place: a change makes new nodes along its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = bool | int | float | str | Sequence["Value"] | Mapping[str, "Value"] | None
Object: TypeAlias = Mapping[str, Value]

EMPTY: Object = {}


def mapping(value: Value) -> Object:
    """The value itself if it is a map, else an empty map."""
    return value if isinstance(value, dict) else EMPTY


def sequence(value: Value) -> Sequence[Value]:
    """The value itself if it is a list, else an empty tuple."""
    return value if isinstance(value, list) else ()


def text(value: Value) -> str:
    """The value itself if it is a string, else the empty string."""
    return value if isinstance(value, str) else ""


def dig(value: Value, *keys: str) -> Value:
    """The value below nested map keys; None where a key or a map is missing."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
