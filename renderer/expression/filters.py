"""The filters: those of Jinja2 that are harmless, and our own where they are not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

from jinja2 import Environment
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.runtime import Undefined

from renderer.document.number import json_spelling
from renderer.expression.meter import Meter, TooMuch

HARMLESS: Final = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int", "items", "last",
    "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select",
    "selectattr", "sort", "title", "trim", "truncate", "unique", "upper", "urlencode",
)  # fmt: skip

# What may follow a percent sign: a name, flags, a width and a precision of at most three digits.
_CONVERSION: Final = re.compile(r"%(?:\(\w+\))?[-+ #0]*[0-9]{0,3}(?:\.[0-9]{0,3})?[a-zA-Z%]")
_MOST: Final = 100  # spaces of an indent, places of a rounded number


class Refusal(SecurityError):  # noqa: N818 - what it says is what it is
    """Something a template must not do, and what to do instead."""

    def __init__(self, what: str, fix: str) -> None:
        """Keep both."""
        super().__init__(what)
        self.fix = fix


def printed(value: object) -> str:
    """What an expression writes: text, numbers as JSON has them, true or false.

    Raises Refusal for anything else, which would not be the YAML it looks like, and UndefinedError for a
    name that does not exist.
    """
    match value:
        case str() | Undefined():
            return str(value)
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            raise Refusal("the number is out of range", "compute with smaller ones")
        case int() | float():
            return json_spelling(value)
        case None:
            raise Refusal("null cannot be written as text", "write | default('...', true)")
    raise Refusal(f"{kind_of(value)} cannot be written as text", "add | tojson, or choose a part of it")


def kind_of(value: object) -> str:
    """How messages call a value of a template."""
    names = {dict: "a map", list: "a list", tuple: "a list", str: "a text", type(None): "null"}
    numbers = {int: "a number", float: "a number"}
    return (names | numbers).get(type(value), f"a {type(value).__name__.lower()}")


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters that know how large their result becomes before they make it."""

    meter: Meter
    environment: Environment

    def table(self) -> dict[str, Callable[..., object]]:
        """The filters by the names templates use."""
        return {
            "format": lambda text, *args, **kwargs: self.format(text, kwargs or args),
            "groupby": self.groupby,
            "indent": self.indent,
            "join": self.join,
            "replace": self.replace,
            "round": _round,
            "string": printed,
            "sum": lambda values, attribute=None: FILTERS["sum"](self.environment, values, attribute),
            "tojson": self.tojson,
        }

    def join(self, values: Iterable[object], separator: object = "", attribute: str | None = None) -> str:
        """The values as one text."""
        part = make_attrgetter(self.environment, attribute)
        between = printed(separator)

        def pieces() -> Iterator[str]:
            for number, value in enumerate(values):
                if number:
                    yield between
                yield printed(part(value))

        return self._joined(pieces())

    def replace(self, text: object, old: str, new: str, count: int = -1) -> str:
        """The text with one part for another."""
        whole = printed(text)
        times = whole.count(old)
        self.meter.text(len(whole) + (times if count < 0 else min(times, count)) * len(new))
        return whole.replace(old, new, count)

    def format(self, text: str, values: object) -> str:
        """What `text % values` means."""
        each = (
            values.values()
            if isinstance(values, dict)
            else values
            if isinstance(values, tuple)
            else (values,)
        )
        longest = max((len(printed(value)) for value in each), default=0)
        if "%" in _CONVERSION.sub("", text):
            raise Refusal(
                "a format is too wide, or none", "write % before a letter, and three digits at most"
            )
        self.meter.text(len(text) + text.count("%") * longest)
        return text % values

    def indent(self, text: object, width: int = 4, first: bool = False, blank: bool = False) -> object:
        """The text with spaces before each line but the first."""
        whole = printed(text)
        _check_small(width)
        self.meter.text(len(whole) + width * len(whole.splitlines()))
        return FILTERS["indent"](whole, width, first, blank)

    def tojson(self, value: object, indent: int | None = None) -> str:
        """The value as JSON, which is YAML too. Keys keep their order."""
        _check_small(indent or 0)
        return self._joined(
            json.JSONEncoder(ensure_ascii=False, indent=indent, default=_no_json).iterencode(value)
        )

    def groupby(self, values: Iterable[object], attribute: str) -> list[tuple[object, object]]:
        """Pairs of a text and the list of the values that have it there, in order of the text."""
        part = make_attrgetter(self.environment, attribute)
        groups: dict[str, list[object]] = {}
        for value in values:
            groups.setdefault(printed(part(value)), []).append(value)
        return [(key, self.meter.made(groups[key])) for key in sorted(groups)]

    def _joined(self, pieces: Iterable[str]) -> str:
        """The pieces as one text; each is paid for before there is another."""
        kept: list[str] = []
        for piece in pieces:
            self.meter.text(len(piece))
            kept.append(piece)
        return "".join(kept)


def _round(value: float, precision: int = 0, method: str = "common") -> object:
    _check_small(precision)
    rounded: object = FILTERS["round"](value, precision, method)
    return rounded


def _check_small(number: int) -> None:
    if not 0 <= number <= _MOST:
        raise TooMuch(f"the number of places must be between 0 and {_MOST}")


def _no_json(value: object) -> NoReturn:
    if isinstance(value, Undefined):
        str(value)  # raises the better error
    raise Refusal(f"{kind_of(value)} cannot be written as JSON", "add | list before | tojson")
