"""YAML byte for byte as sigs.k8s.io/yaml writes it; needed where Karmada edits YAML embedded in a field.

Source: sigs.k8s.io/yaml JSONToYAML over go.yaml.in/yaml/v2 (encode.go, emitterc.go, sorter.go).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cmp_to_key
from typing import Final

from renderer.document.go_json import go_json
from renderer.document.go_text import BREAKS, Style, choose_style, escape, has_breaks, must_escape
from renderer.document.natural_order import compare_keys
from renderer.document.number import INT64_MIN, UINT64_MAX, yaml_spelling
from renderer.document.read import read_single
from renderer.document.scalars import RAW_SCALARS
from renderer.document.values import Object, Value

_WIDTH: Final = 80
_STEP: Final = 2
_BOM: Final = "\ufeff"
_LONGEST_SIMPLE_KEY: Final = 128  # bytes

# Characters that Go's JSON holds as themselves and that a YAML reader refuses, or (NEL) folds into a space.
_CHANGED_BY_READING = re.compile("[\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def emit_go(value: Value) -> str:
    """The YAML text of a JSON value, keys sorted.

    The library reads the value's JSON text as YAML before it writes. Raises InputError for text that does not
    survive that.
    """
    text = go_json(value)
    return emit_go_json(text) if _CHANGED_BY_READING.search(text) else _Writer().document(value)


def emit_go_json(text: str) -> str:
    """The YAML text of a JSON text, whose numbers count as they are spelled. Raises InputError."""
    return _Writer().document(read_single(text, scalars=RAW_SCALARS))


class _Writer:
    """The text so far, and the place a line has reached.

    `fresh` says that nothing but indentation and indicators stands on the line, so that a block may begin on
    it; `spaced` that what comes next needs no space before it.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.column, self.fresh, self.spaced = 0, True, True

    def document(self, value: Value) -> str:
        """Write the one document."""
        self._node(value, -_STEP, in_map=False)
        self._to(0)
        return "".join(self.parts)

    def _node(self, value: Value, indent: int, *, in_map: bool) -> None:
        """Write a value inside a container that stands at `indent`."""
        if isinstance(value, dict) and value:
            self._map(value, indent + _STEP)
        elif isinstance(value, list) and value:
            # After "key:" a list is not indented.
            self._list(value, indent if in_map and not self.fresh else indent + _STEP)
        elif isinstance(value, str):
            self._scalar(value, choose_style(value), max(indent, 0) + _STEP)
        else:
            self._put(_spell(value))

    def _map(self, node: Object, indent: int) -> None:
        for key in sorted(node, key=cmp_to_key(compare_keys)):
            self._to(indent)
            if len(key.encode()) <= _LONGEST_SIMPLE_KEY and not has_breaks(key):
                self._scalar(key, choose_style(key), None)
                self._put(":", glued=True)
            else:
                self._put("?", keeps_fresh=True)
                self._scalar(key, choose_style(key), indent + _STEP)
                self._to(indent)
                self._put(":", keeps_fresh=True)
            self._node(node[key], indent, in_map=True)

    def _list(self, items: Sequence[Value], indent: int) -> None:
        for item in items:
            self._to(indent)
            self._put("-", keeps_fresh=True)
            self._node(item, indent, in_map=False)

    def _scalar(self, text: str, style: Style, indent: int | None) -> None:
        """Write a text; its further lines go to `indent`, where None keeps it on one line."""
        if style is Style.LITERAL and indent is not None:
            self._literal(text, indent)
            return
        quote = "" if style is Style.PLAIN else style.value
        self._put(quote)
        self._folded(text, style, indent)
        self._put(quote, glued=True)

    def _folded(self, text: str, style: Style, indent: int | None) -> None:
        """Write a text in any style but literal, folded at single spaces beyond the width."""
        if style is Style.PLAIN and self.column + len(text) <= _WIDTH:
            self._write(text)
            self.fresh = False
            return
        last = len(text) - 1
        after_space = after_break = False
        # go-yaml looks for a byte order mark at the start of the text, whichever character it is about.
        escape_all = text[:1] == _BOM
        for index, character in enumerate(text):
            if character == " " and not escape_all:
                following = text[index + 1 : index + 2]
                inside = style is Style.PLAIN or 0 < index < last
                may_fold = inside and (style is Style.DOUBLE or following != " ")
                if may_fold and indent is not None and not after_space and self.column > _WIDTH:
                    self._to(indent)
                    if following == " ":
                        self._write("\\")
                else:
                    self._write(" ")
                after_space = True
                continue
            if style is Style.DOUBLE and (escape_all or must_escape(character)):
                self._write(escape(character))
            elif character in BREAKS:
                self._break(character)
                after_break = True
                continue
            else:
                if after_break:
                    self._to(indent or 0)
                self._write("''" if character == "'" and style is Style.SINGLE else character)
            self.fresh = after_space = after_break = False

    def _literal(self, text: str, indent: int) -> None:
        """Write a text as a literal block."""
        hint = str(_STEP) if text[0] in f" {BREAKS}" else ""
        ends = sum(1 for character in text[-2:] if character in BREAKS) if text[-1] in BREAKS else 0
        self._put(f"|{hint}{'-' if not ends else '+' if ends == len(text[-2:]) else ''}")
        self._break("\n")
        self.spaced = after_break = True
        for character in text:
            if character in BREAKS:
                self._break(character)
                after_break = True
                continue
            if after_break:
                self._to(indent)
            self._write(character)
            self.fresh = after_break = False

    def _put(self, indicator: str, *, glued: bool = False, keeps_fresh: bool = False) -> None:
        """Write an indicator or a short plain text, after a space unless it is glued to what precedes it."""
        self._write(indicator if glued or self.spaced else f" {indicator}")
        self.spaced, self.fresh = False, self.fresh and keeps_fresh

    def _to(self, indent: int) -> None:
        """Go to `indent`, on a new line unless this one has nothing but indentation so far."""
        if not self.fresh or self.column > indent or (self.column == indent and not self.spaced):
            self._break("\n")
        self._write(" " * (indent - self.column))
        self.spaced = self.fresh = True

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.column += len(text)

    def _break(self, character: str) -> None:
        self.parts.append(character)
        self.column, self.fresh = 0, True


def _spell(value: Value) -> str:
    """Anything but text and containers with content."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if INT64_MIN <= value <= UINT64_MAX else yaml_spelling(float(value))
        case float():
            return yaml_spelling(value)
        case dict():
            return "{}"
        case list():
            return "[]"
    raise TypeError(f"{type(value).__name__} is not a JSON value")
