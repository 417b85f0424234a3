"""An explanation as it is read: blocks of lines and tables, and their plain form.

The plain form has one line for each row, whatever the width: it is for pipes, files and grep.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from renderer.view.problems import printable


class Tone(StrEnum):
    """How much a line matters to whoever looks at it first."""

    PLAIN = ""
    TITLE = "title"
    GOOD = "good"
    BAD = "bad"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, with the place in a file that it is about."""

    text: str
    indent: int = 0
    source: str = ""
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a header; `tones` are those of the rows, PLAIN where there are none."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    indent: int = 0
    tones: tuple[Tone, ...] = ()


Block: TypeAlias = Sequence[Line | Table]
Page: TypeAlias = Sequence[Block]

_GAP: Final = "  "


def plain(page: Page) -> str:
    """The page as text: blocks with an empty line between them, control characters escaped."""
    blocks = ("\n".join(text for part in block if (text := _plain(part))) for block in page)
    return "\n\n".join(block for block in blocks if block)


def line_text(line: Line) -> str:
    """A line without its indentation."""
    return printable(line.text) + (f"{_GAP}({printable(line.source)})" if line.source else "")


def names(listed: Iterable[str], most: int = 12) -> str:
    """Names with commas between; many are counted."""
    known = list(listed)
    if len(known) <= most:
        return ", ".join(known)
    return f"{', '.join(known[:most])} and {len(known) - most} more"


def count(number: int, word: str) -> str:
    """`1 cluster`, `2 clusters`, `2 policies`."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word[:-1]}ies" if word.endswith("y") else f"{number} {word}s"


def _plain(part: Line | Table) -> str:
    if isinstance(part, Line):
        return " " * part.indent + line_text(part)
    if not part.rows:
        return ""
    lines = [part.header, *part.rows]
    widths = [max(len(printable(line[column])) for line in lines) for column in range(len(part.header) - 1)]
    return "\n".join(" " * part.indent + _row(line, widths) for line in lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells below one another; the last is as long as it is."""
    padded = [f"{printable(cell):<{width}}" for cell, width in zip(cells, widths, strict=False)]
    return _GAP.join([*padded, printable(cells[-1])]).rstrip()
