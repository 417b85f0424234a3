"""Names of what an engine is given: objects' names that can be label values, too."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 63
_HASH: Final = 10


def name_of(text: str) -> str:
    """The text where it is short enough; else what fits of it, with a hash of the whole."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _HASH - 1].rstrip('-.')}-{code(text)}"


def code(text: str) -> str:
    """A few characters that tell one text from others."""
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH]


class Names:
    """Names beside those of units, which anybody may choose."""

    def __init__(self, taken: Iterable[str]) -> None:
        """Know the names that are taken."""
        self._taken = frozenset(taken)

    def free(self, text: str) -> str:
        """A name for the text that no unit has."""
        name = name_of(text)
        while name in self._taken:
            text = f"{text}.{code(text)}"
            name = name_of(text)
        return name
