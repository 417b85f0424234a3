"""The filters of Jinja2 templates: those of Jinja2 that are harmless, and our own where they are not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NoReturn

from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.runtime import Undefined

from renderer.load.meter import Meter, TooMuch

JINJA_FILTERS: Final = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int", "items", "last",
    "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select",
    "selectattr", "sort", "title", "trim", "unique", "upper",
)  # fmt: skip

_WIDE = re.compile(r"[0-9]{4}|\*|\{[^{}]*\{")
_LOOKS_INSIDE = re.compile(r"\{[^{}:!]*[.\[]")
_MAX_INDENT = 200
_MAX_JSON_INDENT = 16
_MAX_PLACES = 20


class Refusal(SecurityError):  # noqa: N818 - what it says is what it is
    """Something a template must not do, and what to do instead."""

    def __init__(self, what: str, fix: str) -> None:
        """Keep both."""
        super().__init__(what)
        self.fix = fix


def printed(value: object) -> str:
    """What an expression writes: text, numbers, true or false.

    Raises Refusal for anything else, which would not be the YAML it looks like, and UndefinedError
    for a name that does not exist.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float | Undefined):
        return str(value)
    raise Refusal(f"{kind_of(value)} cannot be written as text", "add | tojson, or choose a part of it")


def kind_of(value: object) -> str:
    """How messages call a value of a template."""
    names = {dict: "a map", list: "a list", str: "a text", type(None): "null", int: "a number"}
    return names.get(type(value), f"a {type(value).__name__.lower()}")


@dataclass(frozen=True, slots=True)
class OwnFilters:
    """Filters that know how large their result becomes before they make it.

    `look` gives the attribute of a value, as `value.name` does in the template.
    """

    meter: Meter
    look: Callable[[object, str], object]

    def table(self) -> dict[str, Callable[..., object]]:
        """The filters by the names templates use."""
        return {
            "format": self.percent,
            "groupby": self.groupby,
            "indent": self.indent,
            "join": self.join,
            "replace": self.replace,
            "round": _round,
            "string": printed,
            "sum": self.sum,
            "tojson": self.tojson,
        }

    def join(self, values: Iterable[object], separator: str = "", attribute: str | None = None) -> str:
        """The values as one text."""
        pieces: list[str] = []
        length = 0
        for value in values:
            pieces.append(printed(self._part(value, attribute)))
            more = len(pieces[-1]) + len(separator)
            length += more
            self.meter.text(length, more)
        return printed(separator).join(pieces)

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """The text with one part for another."""
        text = printed(text)
        times = text.count(old)
        self.meter.text(len(text) + (times if count < 0 else min(times, count)) * len(new))
        return text.replace(old, new, count)

    def format(self, text: str, *args: object, **kwargs: object) -> str:
        """The text with values in its braces."""
        _check_format(text, (*args, *kwargs.values()))
        if _LOOKS_INSIDE.search(text):
            raise Refusal("a format may not look into its values", "hand it the part you need")
        return text.format(*args, **kwargs)

    def percent(self, text: str, *args: object, **kwargs: object) -> str:
        """The text with values at its percent signs."""
        _check_format(text, (*args, *kwargs.values()))
        return text % (kwargs or args)

    def modulo(self, text: str, values: object) -> str:
        """What `text % values` means."""
        each = (
            values
            if isinstance(values, tuple)
            else values.values()
            if isinstance(values, dict)
            else (values,)
        )
        _check_format(text, each)
        return text % values

    def indent(self, text: str, width: int = 4, first: bool = False, blank: bool = False) -> str:
        """The text with spaces before each line but the first."""
        if not 0 <= width <= _MAX_INDENT:
            raise TooMuch(f"an indent may have {_MAX_INDENT} characters at most")
        space = " " * width
        lines = printed(text).split("\n")
        self.meter.text(len(text) + len(lines) * width)
        indented = [lines[0], *(space + line if line or blank else line for line in lines[1:])]
        return (space if first else "") + "\n".join(indented)

    def tojson(self, value: object, indent: int | None = None) -> str:
        """The value as JSON, which is YAML too. Keys keep their order."""
        if indent is not None and not 0 <= indent <= _MAX_JSON_INDENT:
            raise TooMuch(f"an indent of JSON may be {_MAX_JSON_INDENT} at most")
        pieces: list[str] = []
        length = 0
        for piece in json.JSONEncoder(ensure_ascii=False, indent=indent, default=_no_json).iterencode(value):
            length += len(piece)
            self.meter.text(length, len(piece))
            pieces.append(piece)
        return "".join(pieces)

    def sum(self, values: Iterable[object], attribute: str | None = None) -> int | float:
        """The sum of numbers."""
        total: int | float = 0
        for value in values:
            number = self._part(value, attribute)
            if isinstance(number, Undefined):
                str(number)  # raises the better error
            if not isinstance(number, int | float):
                raise Refusal(
                    f"{kind_of(number)} cannot be added up", "write attribute='...' to say which number"
                )
            total += number
        return total

    def groupby(self, values: Iterable[object], attribute: str) -> list[tuple[object, object]]:
        """Pairs of a text and the list of the values that have it there, in order of the text."""
        groups: dict[str, list[object]] = {}
        for value in values:
            groups.setdefault(printed(self._part(value, attribute)), []).append(value)
        return [(key, self.meter.made(groups[key])) for key in sorted(groups)]

    def _part(self, value: object, attribute: str | None) -> object:
        """The value at a path such as `metadata.name`; without a path the value itself."""
        for name in attribute.split(".") if attribute else ():
            value = self.look(value, name)
        return value


def _check_format(text: str, values: Iterable[object]) -> None:
    if _WIDE.search(text):
        raise TooMuch("a format may not have a width of four digits, or one that is computed")
    for value in values:
        printed(value)


def _round(value: float, precision: int = 0, method: str = "common") -> object:
    if not 0 <= precision <= _MAX_PLACES:
        raise TooMuch(f"a number can be rounded to {_MAX_PLACES} places at most")
    rounded: object = FILTERS["round"](value, precision, method)
    return rounded


def _no_json(value: object) -> NoReturn:
    if isinstance(value, Undefined):
        str(value)  # raises the better error
    raise Refusal(f"{kind_of(value)} cannot be written as JSON", "add | list before | tojson")
