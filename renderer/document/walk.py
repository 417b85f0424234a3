"""A walk through a document's values in the order of the text, which knows each value's pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from renderer.document.pointer import escape


class Entry(NamedTuple):
    """One value: its pointer, and at which characters its key (or the list element) and itself begin."""

    pointer: str
    key_at: int
    value_at: int


@dataclass(slots=True)
class _Open:
    """A container that is being read; `key` is None where a key is due."""

    pointer: str
    is_map: bool
    key: str | None = None
    key_at: int = 0
    index: int = 0


class Walk:
    """The containers that are open around the place a parser has reached."""

    def __init__(self) -> None:
        """Start before the document's value."""
        self._stack: list[_Open] = []

    @property
    def key_is_due(self) -> bool:
        """Whether the next thing is a key."""
        return bool(self._stack) and self._stack[-1].is_map and self._stack[-1].key is None

    @property
    def at_root(self) -> bool:
        """Whether no container is open."""
        return not self._stack

    def key(self, key: str, at: int) -> None:
        """Take the key of the value that comes next."""
        top = self._stack[-1]
        top.key, top.key_at = key, at

    def value(self, at: int) -> Entry:
        """Take a value that begins at `at`; what follows it is its container's next key or element."""
        if not self._stack:
            return Entry("", at, at)
        top = self._stack[-1]
        if top.is_map:
            key, top.key = top.key or "", None
            return Entry(f"{top.pointer}/{escape(key)}", top.key_at, at)
        top.index += 1
        return Entry(f"{top.pointer}/{top.index - 1}", at, at)

    def open(self, pointer: str, *, is_map: bool) -> None:
        """Go into a container."""
        self._stack.append(_Open(pointer, is_map))

    def close(self) -> None:
        """Leave the container."""
        self._stack.pop()
