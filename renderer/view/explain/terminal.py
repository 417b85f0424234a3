"""An explanation for a terminal: as wide as that is, and coloured where that is wanted."""

from __future__ import annotations

import io
import textwrap
from typing import Final

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from renderer.view.explain.page import Block, Line, Page, Table, Tone, line_text
from renderer.view.problems import printable

_STYLES: Final = {
    Tone.PLAIN: "",
    Tone.TITLE: "bold",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.QUIET: "dim",
}
_NARROWEST: Final = 40  # columns; a terminal that says less is wrong about itself


def wrapped(page: Page, width: int, *, colour: bool) -> str:
    """The page for a terminal of so many columns; without `colour` it has no escape codes at all."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=max(width, _NARROWEST),
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for number, block in enumerate(block for block in page if any(_has_text(part) for part in block)):
        if number:
            console.print()
        _print(console, block)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _has_text(part: Line | Table) -> bool:
    return isinstance(part, Line) or bool(part.rows)


def _print(console: Console, block: Block) -> None:
    for part in block:
        if isinstance(part, Line):
            console.print(_line(part, console.width), soft_wrap=True)
        elif part.rows:
            console.print(_table(part))


def _line(line: Line, width: int) -> Text:
    """A line, broken at words with the rest further in; the place in a file is quiet."""
    lead = " " * line.indent
    text = textwrap.fill(
        line_text(line),
        width,
        initial_indent=lead,
        subsequent_indent=f"{lead}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    styled = Text(text, style=_STYLES[line.tone])
    source = printable(line.source)
    if source and text.endswith(f"({source})"):
        styled.stylize("not bold dim", len(text) - len(source) - 2)
    return styled


def _table(table: Table) -> RichTable:
    """The rows below one another; long cells are folded."""
    made = RichTable(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", expand=False, highlight=False
    )
    for place, name in enumerate(table.header):
        header = " " * table.indent + name if place == 0 else name
        made.add_column(header, overflow="fold", min_width=min(len(header), 12))
    for number, row in enumerate(table.rows):
        style = _STYLES[table.tones[number]] if number < len(table.tones) else ""
        cells = [" " * table.indent + row[0], *row[1:]]
        made.add_row(*(Text(printable(cell)) for cell in cells), style=style)
    return made
