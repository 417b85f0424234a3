"""Values to YAML for Git: block style, stable, and the same values to every reader.

Maps keep their order, lists stand under their key without indentation, text of several lines is a literal
block. There are no anchors, tags, folded lines, tabs or carriage returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from renderer.document.number import INT64_MAX, INT64_MIN, json_number
from renderer.document.quote import inline, key
from renderer.document.values import Object, Value

_MEMO_ENTRIES, _MEMO_LENGTH = 65_536, 256
_LONGEST_SIMPLE_KEY = 1000  # beyond 1024 characters a reader no longer looks for the colon
_STEP = "  "


class _Memo(dict[str, str]):
    """Texts as they are written, worked out once each; starts over when it is full."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, text: str) -> str:
        written = self._write(text)
        if len(text) <= _MEMO_LENGTH:
            if len(self) >= _MEMO_ENTRIES:
                self.clear()
            self[text] = written
        return written


_TEXTS = _Memo(inline)
_KEYS = _Memo(lambda text: f"{key(text)}:")


def emit(value: Value) -> str:
    """The value as a YAML document that ends with a newline.

    Takes what the readers give: dict, list, str, int, float, bool and None. Raises ValueError for infinities
    and NaN, TypeError for any other type.
    """
    out: list[str] = []
    if isinstance(value, dict) and value:
        _map(value, "", "", out.append)
    elif isinstance(value, list) and value:
        _list(value, "", "", out.append)
    else:
        out.append(f"{_leaf(value, '')}\n")
    return "".join(out)


def scalar(text: str) -> str:
    """A text as it stands in a document, wherever that is; empty where it becomes a block of lines."""
    return _TEXTS[text]


def _map(node: Object, lead: str, indent: str, put: Callable[[str], None]) -> None:
    """Write a map that is not empty: its first key after `lead`, the others after `indent`."""
    below = indent + _STEP
    for name, value in node.items():
        head = _KEYS[name] if len(name) <= _LONGEST_SIMPLE_KEY else f"? {key(name)}\n{indent}:"
        if isinstance(value, str):
            put(f"{lead}{head} {_TEXTS[value] or _literal(value, indent)}\n")
        elif isinstance(value, dict) and value:
            put(f"{lead}{head}\n")
            _map(value, below, below, put)
        elif isinstance(value, list) and value:
            put(f"{lead}{head}\n")
            _list(value, indent, indent, put)
        else:
            put(f"{lead}{head} {_leaf(value, indent)}\n")
        lead = indent


def _list(items: Sequence[Value], lead: str, indent: str, put: Callable[[str], None]) -> None:
    """Write a list that is not empty, in the same way."""
    below = indent + _STEP
    for value in items:
        if isinstance(value, str):
            put(f"{lead}- {_TEXTS[value] or _literal(value, indent)}\n")
        elif isinstance(value, dict) and value:
            _map(value, f"{lead}- ", below, put)
        elif isinstance(value, list) and value:
            _list(value, f"{lead}- ", below, put)
        else:
            put(f"{lead}- {_leaf(value, indent)}\n")
        lead = indent


def _leaf(value: Value, indent: str) -> str:
    """Anything that has nothing below it."""
    match value:
        case str():
            return _TEXTS[value] or _literal(value, indent)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _float(value)
        case dict():
            return "{}"
        case list():
            return "[]"
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _float(value: float) -> str:
    """A float: as an integer if it is one, else with a point and a signed exponent, known to all readers."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a JSON number")
    number = json_number(value)
    if isinstance(number, int) and INT64_MIN <= number <= INT64_MAX:
        return str(number)
    mantissa, exponent, power = repr(value).partition("e")
    if not exponent:
        return mantissa
    return f"{mantissa}{'' if '.' in mantissa else '.0'}e{int(power):+03d}"


def _literal(text: str, indent: str) -> str:
    """The text as a literal block whose lines stand one step below `indent`, without its last newline."""
    body = text.rstrip("\n")
    kept = len(text) - len(body)
    chomping = ("-", "", "+")[min(kept, 2)]
    lines = f"\n{body}".replace("\n", f"\n{indent}{_STEP}")
    if "\n\n" in body:  # no trailing space on empty lines
        lines = lines.replace(f"\n{indent}{_STEP}\n", "\n\n").replace(f"\n{indent}{_STEP}\n", "\n\n")
    return f"|{chomping}{lines}" + "\n" * (kept - 1)
