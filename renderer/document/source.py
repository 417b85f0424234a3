"""One document of one file: its value, and where in the file each part of it stands.

Values are read fast and without positions; when somebody asks where something stands (a problem, an
explanation), the text is walked once more and the whole index is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from renderer.document.problem import Position
from renderer.document.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A value with its origin.

    `text` is the piece of the file this document was read from, `first_line` the line of the file on
    which the piece begins (from 1), `pointer` the RFC 6901 pointer of `value` inside the piece: "" for
    the document itself, `/items/3` for an item of a List.
    """

    value: Value
    file: str = ""
    text: str = ""
    first_line: int = 1
    pointer: str = ""
    _index: dict[str, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)

    def where(self, pointer: str = "") -> Position:
        """The place of the key (or list element) that `pointer` names; of its nearest ancestor if absent."""
        raise NotImplementedError

    def below(self, pointer: str, value: Value) -> Document:
        """The part of this document at `pointer`, as a document of its own with the same origin."""
        return replace(self, value=value, pointer=self.pointer + pointer)
