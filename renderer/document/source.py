"""One document of one file: its value, and where in the file each part of it stands.

Values are read fast and without positions; when somebody asks where something stands (a problem, an
explanation), the text is walked once more and the whole index is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from renderer.document.place import Places
from renderer.document.positions import entries
from renderer.document.problem import Position
from renderer.document.values import Value
from renderer.document.walk import Entry

_LONGEST_EXCERPT = 500
_PLAIN = re.compile(r"[^\s,\[\]{}#&*!|>'\"%@`][^\s,\[\]{}]*")


@dataclass(slots=True)
class _Index:
    """Where everything stands, once it has been asked for."""

    places: Places | None = None
    entries: dict[str, Entry] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A value with its origin.

    `text` is the piece of the file this document was read from, `first_line` and `first_column` the place
    of the file at which the piece begins (from 1), `pointer` the RFC 6901 pointer of `value` inside the
    piece: "" for the document itself, `/items/3` for an item of a List. `raw` are the bytes of the whole
    file, kept where the document must be passed on exactly as it is.
    """

    value: Value
    file: str = ""
    text: str = ""
    first_line: int = 1
    first_column: int = 1
    is_json: bool = False
    pointer: str = ""
    raw: bytes | None = field(default=None, repr=False, compare=False)
    _index: _Index = field(default_factory=_Index, repr=False, compare=False)

    def where(self, pointer: str = "") -> Position:
        """The place of the key (or list element) that `pointer` names; of its nearest ancestor if absent.

        What an alias or a merge key brought stands where the alias or the merge key stands.
        """
        entry, _ = self._find(pointer)
        return self.place(entry.key_at)

    def where_value(self, pointer: str = "") -> Position:
        """The place of the value that `pointer` names; where it is absent, the place `where` gives."""
        entry, exact = self._find(pointer)
        return self.place(entry.value_at if exact else entry.key_at)

    def where_line(self, pointer: str, line: int) -> Position:
        """The place of a line (from 1) of the text that `pointer` names, where it is written as a block.

        Where it is not, or where `line` is 0, the place `where_value` gives.
        """
        start = self.where_value(pointer)
        if not line or self.excerpt(start)[start.column - 1 :][:1] not in ("|", ">"):
            return start
        excerpt = self.excerpt(Position(start.file, start.line + line, 1))
        return Position(start.file, start.line + line, len(excerpt) - len(excerpt.lstrip()) + 1)

    def below(self, pointer: str, value: Value) -> Document:
        """The part of this document at `pointer`, as a document of its own with the same origin."""
        return replace(self, value=value, pointer=self.pointer + pointer)

    def place(self, at: int) -> Position:
        """The place in the file of a character of `text` (from 0)."""
        if self._index.places is None:
            self._index.places = Places(self.text, self.first_line, self.first_column)
        return Position(self.file, *self._index.places.at(at))

    def excerpt(self, position: Position) -> str:
        """The line of the file at a position of this document; "" if it is not one."""
        lines = self.text.replace("\r", "\n").split("\n")
        number = position.line - self.first_line
        if position.file != self.file or not 0 <= number < len(lines):
            return ""
        padding = " " * (self.first_column - 1) if number == 0 else ""
        return (padding + lines[number].rstrip())[:_LONGEST_EXCERPT]

    def spelled(self, pointer: str) -> str:
        """A plain scalar as the file has it: `1.10`, where the value is 1.1. Empty for anything else."""
        entry, exact = self._find(pointer)
        found = _PLAIN.match(self.text, entry.value_at) if exact else None
        return found.group() if found else ""

    def _find(self, pointer: str) -> tuple[Entry, bool]:
        """The entry of a pointer, or of its nearest ancestor (False)."""
        found = self._index.entries
        if not found:
            for entry in entries(self.text, is_json=self.is_json):
                found.setdefault(entry.pointer, entry)
        wanted, exact = self.pointer + pointer, True
        while wanted and wanted not in found:
            wanted, exact = wanted.rpartition("/")[0], False
            if f"{wanted}/<<" in found:
                return found[f"{wanted}/<<"], False
        return found.get(wanted, Entry("", 0, 0)), exact
