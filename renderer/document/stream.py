"""A file cut into documents, as k8s.io/apimachinery's YAMLOrJSONDecoder cuts it.

JSON values may follow each other; YAML is cut at every line that begins with `---`, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from json import JSONDecodeError

from renderer.document.defects import Defect, not_json
from renderer.document.json_document import read_json
from renderer.document.values import Value

SEPARATOR = "---"
_JSON_SPACE = re.compile("[ \t\r\n]*")
_LOOK_AHEAD = 4  # bytes
_UNAMBIGUOUS = 2  # after so many JSON values a stream is JSON for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One document's text, with the line and column of the file at which it begins (from 1).

    A JSON piece comes with its value, or with the defect it has. `separated` says that a `---` line, just
    above `first_line`, cut the piece from what stands before it.
    """

    text: str
    first_line: int
    first_column: int = 1
    is_json: bool = False
    value: Value = None
    defect: Defect | None = None
    separated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BadSeparator:
    """A `---` line that goes on with a text that is no comment: Kubernetes stops reading there."""

    text: str
    line: str
    first_line: int


def pieces(text: str, depth: int) -> Iterator[Piece | BadSeparator]:
    """The documents of a file in order, empty ones included; CRLF ends lines like LF.

    `depth` bounds the nesting of JSON values, which are read here to find where they end.
    """
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    cursor = _Cursor(text)
    if text.lstrip().startswith("{"):
        yield from _json_pieces(cursor, depth)
    yield from _yaml_pieces(cursor)


class _Cursor:
    """A place in a text that only moves on, with its line and column (from 1)."""

    def __init__(self, text: str) -> None:
        self.text, self.index, self.line, self._line_start = text, 0, 1, 0

    @property
    def column(self) -> int:
        return self.index - self._line_start + 1

    def move(self, index: int) -> None:
        """Go on to `index`."""
        for end in ("\n", "\r"):
            count = self.text.count(end, self.index, index)
            if count:
                self.line += count
                self._line_start = max(self._line_start, self.text.rindex(end, self.index, index) + 1)
        self.index = index


def _json_pieces(cursor: _Cursor, depth: int) -> Generator[Piece]:
    """The JSON values of a text; leaves the cursor where YAML may begin."""
    text, count = cursor.text, 0
    while True:
        end = cursor.index
        begin = _end_of(_JSON_SPACE, text, end)
        if begin == len(text):
            cursor.move(begin)
            return
        try:
            value, stop, defect = read_json(text, begin, depth)
        except JSONDecodeError as error:
            after = _yaml_start(text, end)
            if count < _UNAMBIGUOUS and after is not None:
                cursor.move(after)
                return
            value, stop, defect = None, len(text), not_json(error.pos, error.msg)
        cursor.move(begin)
        yield Piece(
            text=text[begin:stop],
            first_line=cursor.line,
            first_column=cursor.column,
            is_json=True,
            value=value,
            defect=defect and defect.moved(-begin),
        )
        cursor.move(stop)
        count += 1


def _yaml_start(text: str, start: int) -> int | None:
    """Where YAML begins after the JSON that ends at `start`: past white space, at most to the next line.

    None where less than four bytes are left: the decoder then has looked too far ahead and gives up.
    """
    index = start
    while len(text[index : index + _LOOK_AHEAD].encode(errors="surrogateescape")) >= _LOOK_AHEAD:
        if text[index] == "\n":
            return index + 1
        if not text[index].isspace():
            return index
        index += 1
    return None


def _yaml_pieces(cursor: _Cursor) -> Iterator[Piece | BadSeparator]:
    """The YAML documents from the cursor on."""
    text, separated = cursor.text, False
    while (start := cursor.index) < len(text):
        end, after = _separator(text, start)
        line = cursor.line
        if end == start:  # with nothing before it, it belongs to the document that follows
            yield from _bad_separator(text[end:after], line)
            end, after = _separator(text, after)
        piece = Piece(
            text=text[start:end] + ("" if text[end - 1] == "\n" else "\n"),
            first_line=line,
            first_column=cursor.column,
            separated=separated,
        )
        cursor.move(end)
        # Kubernetes never hands out the document before a bad separator, so that comes first.
        yield from _bad_separator(text[end:after], cursor.line)
        yield piece
        cursor.move(after)
        separated = True


def _separator(text: str, start: int) -> tuple[int, int]:
    """Where the next line with `---` begins and ends, from the beginning of a line on; or the text's end."""
    if not text.startswith(SEPARATOR, start):
        start = text.find(f"\n{SEPARATOR}", start) + 1 or len(text)
    return start, text.find("\n", start) + 1 or len(text)


def _bad_separator(line: str, number: int) -> Iterator[BadSeparator]:
    """The complaint about a `---` line, if there is one to make."""
    rest = line.removeprefix(SEPARATOR).strip()
    if rest and not rest.startswith("#"):
        yield BadSeparator(text=rest, line=line, first_line=number)


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where a pattern that matches everywhere ends."""
    match = pattern.match(text, start)
    return match.end() if match else start
