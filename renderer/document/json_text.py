"""Patches of JSON text that keep what they do not touch as it was written.

The order of keys, the spelling of numbers and the escapes of strings stay; space between tokens goes.
Source: github.com/evanphx/json-patch v5.9.11, which parses only the containers on the path of a patch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from renderer.document.go_json import escape_html, go_json, go_json_string
from renderer.document.patch import Change, Operation, apply_patch
from renderer.document.pointer import kind_of
from renderer.document.values import Value

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_LEXEME: Final = re.compile(
    r"""[{}\[\],:]
    |"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"
    |-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?
    |true|false|null""",
    re.VERBOSE,
)
_DEEPEST: Final = 10_000  # nested containers, as in Go
_MOST_DIGITS: Final = 4_000  # of what is read as an integer; Python refuses more
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SHORT_ESCAPE: Final = re.compile(r"\\(.)")
_WORDS: Final = {"true": True, "false": False, "null": None}


class JsonTextError(ValueError):
    """The text is not JSON, or not a document that can be patched."""


@dataclass(frozen=True, slots=True)
class PatchedText:
    """The text after a patch, and what each operation changed in it."""

    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Write:
    """An operation whose value knows how it is written."""

    path: str
    operator: str
    value: Value


def patch_json_text(text: str, operations: Iterable[Operation]) -> PatchedText:
    """Apply a patch to JSON text; an empty text stays empty whatever the patch says.

    The text must be a map or, without space in front, a list. Raises JsonTextError and PatchError.
    """
    if not text:
        return PatchedText(text, ())
    document = read_json_text(text)
    if not (document is None or isinstance(document, dict | list)):
        raise JsonTextError(f"it is {kind_of(document)}, not a map or a list")
    if isinstance(document, list) and not text.startswith("["):
        raise JsonTextError("a list must not have white space before it")
    patched = apply_patch(document, map(_written, operations))
    root = patched.document
    return PatchedText(_render(root.copy() if isinstance(root, dict) else root), patched.changes)


def compact(text: str) -> str:
    """The text as a patch that touches nothing would leave it. Raises JsonTextError."""
    root = read_json_text(text) if text else None
    return _render(root.copy() if isinstance(root, dict) else root) if text else text


def read_json_text(text: str) -> Value:
    """The value of a JSON text, in which every part knows its spelling. Raises JsonTextError."""
    parser, position = _Parser(), 0
    while True:
        position = _end(_SPACE, text, position)
        if position == len(text):
            break
        end = _end(_LEXEME, text, position)
        if end < 0 or not parser.accept(text[position:end]):
            raise JsonTextError(f"it is not JSON: {_place(text, position)} does not belong there")
        position = end
    if parser.state is not _State.END:
        raise JsonTextError("it is not JSON: it ends too early")
    return parser.root


def _written(operation: Operation) -> _Write:
    value = None if operation.operator == "remove" else read_json_text(go_json(operation.value))
    return _Write(operation.path, operation.operator, value)


class _Tokens:
    """The part of a text's tokens that a value was read from."""

    __slots__ = ("end", "start", "tokens")

    def __init__(self, tokens: list[str], start: int) -> None:
        self.tokens, self.start, self.end = tokens, start, start

    def __str__(self) -> str:
        return escape_html("".join(self.tokens[self.start : self.end]))


class _Map(dict[str, Value]):
    """A map as written. A copy of it is an ordinary one, unless it has a key more than once."""

    __slots__ = ("keys_written", "tokens")
    tokens: _Tokens
    keys_written: list[str]

    def copy(self) -> dict[str, Value]:
        if len(self) == len(self.keys_written):
            return dict(self)
        return _RepeatingMap(self, self.keys_written)


class _RepeatingMap(dict[str, Value]):
    """A map that lists a key more than once: all of them show the one value, or null when that is removed."""

    __slots__ = ("keys_written",)

    def __init__(self, members: dict[str, Value], keys_written: Sequence[str]) -> None:
        super().__init__(members)
        self.keys_written = list(keys_written)

    def copy(self) -> dict[str, Value]:
        return _RepeatingMap(self, self.keys_written)

    def __setitem__(self, key: str, value: Value) -> None:
        super().__setitem__(key, value)
        if key not in self.keys_written:
            self.keys_written.append(key)

    def __delitem__(self, key: str) -> None:
        super().__delitem__(key)
        self.keys_written.remove(key)


class _List(list[Value]):
    """A list as written. A copy of it is an ordinary one."""

    __slots__ = ("tokens",)
    tokens: _Tokens


class _Text(str):
    """A string with its spelling, quotes included."""

    spelling: str


class _Integer(int):
    """An integer with its spelling."""

    spelling: str


class _Float(float):
    """Any other number with its spelling; out of range it is infinite."""

    spelling: str


def _render(value: Value) -> str:
    match value:
        case _Map() | _List():
            return str(value.tokens)
        case _Text() | _Integer() | _Float():
            return escape_html(value.spelling)
        case dict():
            keys = value.keys_written if isinstance(value, _RepeatingMap) else value
            return "{" + ",".join(f"{_key(key)}:{_render(value.get(key))}" for key in keys) + "}"
        case list():
            return "[" + ",".join(_render(item) for item in value) + "]"
        case _:
            return go_json(value)


def _key(key: str) -> str:
    """A key of a map on the path: the library writes it anew, with fewer short escapes than Go today."""
    spelling = go_json_string(key)
    if "\b" not in key and "\f" not in key:
        return spelling
    long = {"b": r"\u0008", "f": r"\u000c"}
    return _SHORT_ESCAPE.sub(lambda match: long.get(match[1], match[0]), spelling)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else -1


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f'"{text[position]}" in line {line}, column {column}'


class _State(Enum):
    """What may come next."""

    VALUE = auto()
    VALUE_OR_END = auto()
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()
    END = auto()


class _Parser:
    """Makes a value of tokens, without recursion: a text may be nested deeper than Python's stack."""

    def __init__(self) -> None:
        self.root: Value = None
        self.state = _State.VALUE
        self._tokens: list[str] = []
        self._open: list[_Map | _List] = []
        self._key = ""

    def accept(self, lexeme: str) -> bool:
        """Take the next lexeme; False where it may not come next."""
        self._tokens.append(lexeme)
        match self.state, lexeme:
            case (_State.VALUE_OR_END, "]") | (_State.KEY_OR_END, "}"):
                self._close()
            case _State.VALUE | _State.VALUE_OR_END, _:
                return self._value(lexeme)
            case _State.KEY | _State.KEY_OR_END, _ if lexeme[0] == '"':
                self._key, self.state = _decoded(lexeme), _State.COLON
            case _State.COLON, ":":
                self.state = _State.VALUE
            case _State.COMMA_OR_END, ",":
                self.state = _State.KEY if isinstance(self._open[-1], _Map) else _State.VALUE
            case _State.COMMA_OR_END, "}" | "]" if isinstance(self._open[-1], _Map) == (lexeme == "}"):
                self._close()
            case _:
                return False
        return True

    def _value(self, lexeme: str) -> bool:
        if lexeme in {"]", "}", ",", ":"}:
            return False
        if lexeme in {"{", "["}:
            return self._begin(_Map() if lexeme == "{" else _List())
        self._attach(_scalar(lexeme))
        self.state = _State.COMMA_OR_END if self._open else _State.END
        return True

    def _begin(self, container: _Map | _List) -> bool:
        container.tokens = _Tokens(self._tokens, len(self._tokens) - 1)
        self._attach(container)
        self._open.append(container)
        self.state = _State.VALUE_OR_END
        if isinstance(container, _Map):
            container.keys_written = []
            self.state = _State.KEY_OR_END
        return len(self._open) <= _DEEPEST

    def _attach(self, value: Value) -> None:
        if not self._open:
            self.root = value
            return
        parent = self._open[-1]
        if isinstance(parent, _Map):
            parent[self._key] = value
            parent.keys_written.append(self._key)
        else:
            parent.append(value)

    def _close(self) -> None:
        self._open.pop().tokens.end = len(self._tokens)
        self.state = _State.COMMA_OR_END if self._open else _State.END


def _scalar(lexeme: str) -> Value:
    if lexeme in _WORDS:
        return _WORDS[lexeme]
    value: _Text | _Integer | _Float
    if lexeme[0] == '"':
        value = _Text(_decoded(lexeme))
    elif len(lexeme) <= _MOST_DIGITS and lexeme.lstrip("-").isdigit():
        value = _Integer(lexeme)
    else:
        value = _Float(lexeme)
    value.spelling = lexeme
    return value


def _decoded(lexeme: str) -> str:
    """The text of a string lexeme; what is no character at all becomes U+FFFD, as in Go."""
    if "\\" not in lexeme:
        return lexeme[1:-1]
    text: str = json.loads(lexeme)
    return _SURROGATE.sub("\ufffd", text)
