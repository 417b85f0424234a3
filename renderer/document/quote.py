"""Text as a YAML scalar that readers of YAML 1.1, of YAML 1.2 and Kubernetes all take for that text."""

from __future__ import annotations

import re
from typing import Final

from renderer.document.scalars import resolve

LITERAL: Final = ""  # in place of a scalar: write the text as a literal block

# Never stands in a file as itself: controls (tab, CR and NEL among them), what a reader or an editor may take
# for a line's end, what is invisible or turns the direction of writing, surrogates and non-characters.
_ESCAPED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_NAMED_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r", '"': r"\"", "\\": r"\\"}
_TO_ESCAPE = re.compile(rf'{_ESCAPED.pattern}|["\\\n]')

# Texts that some reader takes for something else than text, over and above those go-yaml does.
_WORDS = re.compile(r"true|false|yes|no|on|off|y|n|null|~|[-+]?\.inf|\.nan|=|<<", re.IGNORECASE)
_NUMBERS = re.compile(
    r"[-+]?(?:"
    r"0[xX][0-9a-fA-F_]*|0[oO][0-7_]*|0[bB][-+]?[01_]*"  # hexadecimal, octal, binary
    r"|[0-9_,]*\.?[0-9_,]*(?:[eE][-+]?[0-9_]+)?"  # integers, and floats with parts left out
    r"|[0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?"  # base 60: hours, minutes, seconds
    r")"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?")

# What cannot be plain for its syntax: indicators in front (a dash may begin a flag), `: ` and ` #` inside.
_SYNTAX = re.compile(r"[\s?:,\[\]{}#&*!|>'\"%@`]|-(?![-A-Za-z/])|---|\.\.\.|.*(?::\s|:$|\s#|\s$)", re.DOTALL)
_PLAIN = re.compile(r"(?![eE][-+]?[0-9_]+\Z)[A-Za-z/][A-Za-z0-9/_.@+=$()-]*(?::[A-Za-z0-9/_.@+=$()-]+)*")
_SHORTEST_SAFE = 6  # no word that means something is that long


def inline(text: str) -> str:
    """The text on one line: plain, single or double quoted; LITERAL if a literal block shows it better.

    Quotes are double where the plain text would mean something else, single where it would not be valid.
    """
    if len(text) >= _SHORTEST_SAFE and _PLAIN.fullmatch(text):
        return text
    if "\n" in text:
        return LITERAL if _can_be_literal(text) else double_quoted(text)
    if _ESCAPED.search(text):
        return double_quoted(text)
    if (
        _NUMBERS.fullmatch(text)
        or _WORDS.fullmatch(text)
        or _DATE.fullmatch(text)
        or resolve(text) is not text
    ):
        return double_quoted(text)
    if _SYNTAX.match(text):
        return "'" + text.replace("'", "''") + "'"
    return text


def key(text: str) -> str:
    """The text as a map key, on one line."""
    return inline(text) or double_quoted(text)


def double_quoted(text: str) -> str:
    """The text in double quotes, with all escapes it needs."""
    return f'"{_TO_ESCAPE.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    """One character as an escape that YAML and JSON share where it can."""
    named = _NAMED_ESCAPES.get(match[0])
    if named:
        return named
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _can_be_literal(text: str) -> bool:
    """Whether a literal block holds the text without indentation marks and without invisible endings."""
    last_line = text.rstrip("\n").rpartition("\n")[2]
    return text[0] not in " \n" and not last_line.isspace() and not _ESCAPED.search(text)
