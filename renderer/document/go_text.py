"""How go-yaml v2 decides to write a text: its shape, the style that follows, and escapes.

Source: go.yaml.in/yaml/v2 encode.go (stringv) and emitterc.go (analyze_scalar, select_scalar_style).
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from renderer.document.scalars import is_timestamp, resolve

BREAKS: Final = "\r\n\x85\u2028\u2029"
_BLANKS = " \t"
_BLANKS_AND_BREAKS = f"{_BLANKS}{BREAKS}\x00"

# Neither printed as it is in any style: controls, byte order marks, non-characters, all beyond U+FFFF.
_SPECIAL = re.compile("[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_BREAK = re.compile(f"[{BREAKS}]")
_SPACE_BEFORE_BREAK = re.compile(f" [{BREAKS}]")
_BREAK_BEFORE_SPACE = re.compile(f"[{BREAKS}] ")
_INDICATOR = re.compile(r"[#,\[\]{}&*!|>'\"%@`]|[-?:](?:[ \t]|\Z)|---|\.\.\.")
_INNER_INDICATOR = re.compile(f":(?:[ \t]|\\Z)|(?<=[{_BLANKS_AND_BREAKS}])#")

_NAMED_ESCAPES = {
    "\x00": "0", "\x07": "a", "\x08": "b", "\t": "t", "\n": "n", "\x0b": "v", "\x0c": "f", "\r": "r",
    "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip


class Style(Enum):
    """How a text is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"


def has_breaks(text: str) -> bool:
    """Whether the text has what YAML 1.1 calls a line's end."""
    return _BREAK.search(text) is not None


def choose_style(text: str) -> Style:
    """The style go-yaml writes a text in.

    Several lines are a literal block, what would be read as something else than text is double quoted, the
    rest is plain; each gives way to the next style where its syntax does not allow the text.
    """
    if not text:
        return Style.DOUBLE
    special = _SPECIAL.search(text) or _SPACE_BEFORE_BREAK.search(text)
    if "\n" in text:
        return Style.DOUBLE if special or text[-1] == " " else Style.LITERAL
    if special or _BREAK_BEFORE_SPACE.search(text) or _means_something(text):
        return Style.DOUBLE
    edges = text[0] + text[-1]
    if " " in edges or has_breaks(text) or _INDICATOR.match(text) or _INNER_INDICATOR.search(text, 1):
        return Style.SINGLE
    return Style.PLAIN


def _means_something(text: str) -> bool:
    """Whether go-yaml would read the plain text as something else than text, or YAML 1.1 as base 60."""
    return resolve(text) is not text or is_timestamp(text) or _BASE_60.fullmatch(text) is not None


def escape(character: str) -> str:
    """One character as double quotes hold it where it cannot stand as itself."""
    named = _NAMED_ESCAPES.get(character)
    if named:
        return f"\\{named}"
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def must_escape(character: str) -> bool:
    """Whether a character cannot stand as itself in double quotes."""
    return character in f'"\\{BREAKS}' or _SPECIAL.match(character) is not None
