"""Lines and columns as an editor counts them."""

from __future__ import annotations

import re
from bisect import bisect_right

# YAML 1.1 ends a line at U+0085, U+2028 and U+2029 too; editors, Git and compilers do not.
_LINE_ENDS = re.compile("\r\n|\r|\n")


class Places:
    """Turns an index into a text into line and column, both counted from 1."""

    def __init__(self, text: str, first_line: int = 1, first_column: int = 1) -> None:
        """Take a text that begins at this line and column of its file."""
        # Where each line starts; the first one as if the columns before it were there.
        self._starts = [1 - first_column, *(match.end() for match in _LINE_ENDS.finditer(text))]
        self._first_line = first_line

    def at(self, index: int) -> tuple[int, int]:
        """Line and column of the character at `index`."""
        line = bisect_right(self._starts, index) - 1
        return self._first_line + line, index - self._starts[line] + 1
