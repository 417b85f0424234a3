"""A Lua script to tokens, as gopher-lua's scanner reads it.

Its ways that Lua 5.1 does not have: a lone `::`, the word goto, numbers that end anywhere and are then no
number, `--[=` as the beginning of a long comment whatever follows.
Source: gopher-lua parse/lexer.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

NAME: Final = "name"
NUMBER: Final = "number"
STRING: Final = "string"
END: Final = "end of script"

KEYWORDS: Final = frozenset({
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
})  # fmt: skip

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_LINE_END: Final = re.compile(r"\r\n|\n\r|\r|\n")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
# One leading zero is dropped, and whatever follows `e` is taken for a digit.
_NUMBER: Final = re.compile(
    r"0[xX][0-9A-Fa-f]*|(?:0(?=[0-9]))?((?:[0-9][0-9]*|\.[0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[\s\S]?[0-9]*)?)"
)
_SYMBOL: Final = re.compile(r"\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#(){}\[\];:,.<>=]")
_LONG_OPEN: Final = re.compile(r"\[(=*)(.?)", re.DOTALL)
_DIGITS: Final = frozenset("0123456789")
_ESCAPES: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_QUOTED: Final = re.compile(r"[^\\\"'\r\n]+|\\(?:([0-9]{1,3})|(\r\n|\n\r|\r|\n)|([\s\S]))|([\"'])")


class SyntaxFault(Exception):  # noqa: N818 - the script is at fault, not the reader
    """A script that does not compile: the line (from 1) and what is wrong there."""

    def __init__(self, line: int, text: str) -> None:
        """Keep both."""
        self.line = line
        self.text = text
        super().__init__(f"line {line}: {text}")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a script. `kind` of keywords and symbols is their spelling; `line` is where it begins.

    `text` of a string is what it says, each character a byte. `lead` are the line ends since the last token.
    """

    kind: str
    text: str
    line: int
    lead: str = ""

    def __str__(self) -> str:
        """Give the token as a message names it."""
        return END if self.kind == END else f"'{self.text}'"


def tokens(script: str) -> Iterator[Token]:
    """The tokens of a script, the last of them END. Raises SyntaxFault.

    Text beyond ASCII is handled as the bytes of its UTF-8.
    """
    source = script.encode("utf-8", "surrogatepass").decode("latin-1")
    at, line, last = 0, 1, 1
    while True:
        begin = _skipped(source, at, line)
        line += _lines(source[at:begin])
        kind, text, at = _token(source, begin, line)
        yield Token(kind, text, line, "\n" * (line - last))
        if kind == END:
            return
        last = line
        line += _lines(source[begin:at])


def _lines(text: str) -> int:
    return len(_LINE_END.findall(text)) if "\n" in text or "\r" in text else 0


def _skipped(source: str, at: int, line: int) -> int:
    """The index of the next token: past white space and comments."""
    while True:
        at = _after(_SPACE, source, at)
        if not source.startswith("--", at):
            return at
        comment = at + 2
        if source.startswith(("[[", "[="), comment):
            _, at = _long(source, comment, line, "comment")
        else:
            ending = _LINE_END.search(source, comment)
            at = ending.end() if ending else len(source)


def _after(pattern: re.Pattern[str], source: str, at: int) -> int:
    match = pattern.match(source, at)
    return match.end() if match else at


def _token(source: str, at: int, line: int) -> tuple[str, str, int]:
    """Kind and text of the token at an index, and the index after it."""
    if at == len(source):
        return END, "", at
    first = source[at]
    if first in "\"'":
        text, end = _quoted(source, at, line)
        return STRING, text, end
    if source.startswith(("[[", "[="), at):
        text, end = _long(source, at, line, "string")
        return STRING, text, end
    word = _WORD.match(source, at)
    if word:
        return (word[0] if word[0] in KEYWORDS else NAME), word[0], word.end()
    if first in _DIGITS or (first == "." and source[at + 1 : at + 2] in _DIGITS):
        return _number(source, at, line)
    symbol = _SYMBOL.match(source, at)
    if symbol is None:
        raise SyntaxFault(line, f"unexpected {_shown(first)}")
    return symbol[0], symbol[0], symbol.end()


def _shown(character: str) -> str:
    return f"'{character}'" if " " < character < "\x7f" else f"byte {ord(character)}"


def _number(source: str, at: int, line: int) -> tuple[str, str, int]:
    match = _NUMBER.match(source, at)
    text = match[0] if match else ""
    if text in ("0x", "0X"):
        raise SyntaxFault(line, f"'{text}' is no hexadecimal number")
    if match and match[1] is not None:
        text = match[1]
    return NUMBER, text, match.end() if match else at


def _quoted(source: str, at: int, line: int) -> tuple[str, int]:
    """What a string in quotes says, and the index after it."""
    quote, parts = source[at], list[str]()
    at += 1
    while True:
        match = _QUOTED.match(source, at)
        if match is None:
            raise SyntaxFault(line, "a string is not closed on its line")
        at = match.end()
        number, newline, escaped, mark = match.groups()
        if mark == quote:
            return "".join(parts), at
        if number:
            parts.append(chr(int(number) & 0xFF))
        elif newline:
            parts.append("\n")
        else:
            parts.append(_ESCAPES.get(escaped, escaped) if escaped else match[0])


def _long(source: str, at: int, line: int, what: str) -> tuple[str, int]:
    """What stands in long brackets, and the index after them."""
    opening = _LONG_OPEN.match(source, at)
    if opening is None or opening[2] != "[":
        raise SyntaxFault(line, f"a long {what} does not begin with [[ or [=[")
    end = source.find(f"]{opening[1]}]", opening.end())
    if end < 0:
        raise SyntaxFault(line, f"a long {what} is not closed")
    text = _LINE_END.sub("\n", source[opening.end() : end])
    return text.removeprefix("\n"), end + len(opening[1]) + 2
