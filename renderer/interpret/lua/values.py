"""Values of documents to values of a script and back.

A value goes over as a flat list that both sides can walk: a whole number n >= 0 begins a map of n entries, a
number n < 0 a list of -n - 1 items; every other number is a float. Texts are bytes, a character each.
Source: Karmada pkg/resourceinterpreter/customized/declarative/luavm/lua.go; layeh.com/gopher-json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from renderer.document.values import Value

Flat: TypeAlias = int | float | str | bool | None

_LARGEST = 2**63


def flattened(value: Value) -> list[Flat]:
    """A value for a script: numbers are doubles, nulls vanish, maps are in the order of their keys.

    In Karmada the order of an object's keys is random; here it does not depend on how the file is written.
    """
    flat: list[Flat] = []
    _flatten(value, flat)
    return flat


def _flatten(value: Value, flat: list[Flat]) -> None:
    if isinstance(value, str):
        flat.append(to_bytes(value))
    elif value is None or isinstance(value, bool):
        flat.append(value)
    elif isinstance(value, dict):
        keys = [key for key in sorted(value) if value[key] is not None]
        flat.append(len(keys))
        for key in keys:
            flat.append(to_bytes(key))
            _flatten(value[key], flat)
    elif isinstance(value, list):
        items = [item for item in value if item is not None]
        flat.append(-len(items) - 1)
        for item in items:
            _flatten(item, flat)
    elif isinstance(value, int | float):
        flat.append(float(value))


def restored(flat: Sequence[Flat], at: int) -> tuple[Value, int]:
    """The value that begins at an index of a flat list, and the index after it.

    Whole numbers are integers; a table without entries is an empty list.
    """
    head = flat[at]
    at += 1
    if isinstance(head, int) and not isinstance(head, bool):
        if head < 0:
            items: list[Value] = []
            for _ in range(-head - 1):
                item, at = restored(flat, at)
                items.append(item)
            return items, at
        entries: dict[str, Value] = {}
        for _ in range(head):
            key = to_text(str(flat[at]))
            entries[key], at = restored(flat, at + 1)
        return entries, at
    if isinstance(head, float):
        return (int(head) if head.is_integer() and -_LARGEST <= head < _LARGEST else head), at
    return to_text(head) if isinstance(head, str) else head, at


def in_order_of(value: Value, reference: Value) -> Value:
    """The value with the keys that a reference has in the reference's order, others after them."""
    if isinstance(value, dict) and isinstance(reference, dict):
        keys = [key for key in reference if key in value] + [key for key in value if key not in reference]
        return {key: in_order_of(value[key], reference.get(key)) for key in keys}
    if isinstance(value, list) and isinstance(reference, list):
        paired = [*reference[: len(value)], *[None] * (len(value) - len(reference))]
        return [in_order_of(item, other) for item, other in zip(value, paired, strict=True)]
    return value


def to_bytes(text: str) -> str:
    """A text as the bytes of its UTF-8, a character each."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


def to_text(text: str) -> str:
    """The text that bytes are; each byte that is no UTF-8 is U+FFFD, as in Go."""
    if text.isascii():
        return text
    decoded = text.encode("latin-1").decode("utf-8", "surrogateescape")
    return "".join("\ufffd" if "\udc80" <= character <= "\udcff" else character for character in decoded)
