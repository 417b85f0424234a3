"""How much a rendering may do: one budget that everything draws on that takes time or memory."""

from __future__ import annotations

from collections.abc import MappingView
from dataclasses import dataclass, field
from typing import Final

_CHARACTERS: Final = 8  # of a text, a step
_MADE: Final = 20  # steps for whatever is made, beside its entries
_MAX_BITS: Final = 4096  # of a number


class TooMuch(ValueError):  # noqa: N818 - what it says is what it is
    """The rendering would take more than its share of time or memory."""


@dataclass(slots=True)
class Meter:
    """What one rendering has left.

    A step is a node of the template that is computed, an entry of a container, or a few characters.
    `_weights` knows each container that was made, with the number of values in it: one that holds another
    twice is twice as heavy, though it takes no room. Containers of the input are not in it and weigh as much
    as they have entries, since the whole input is bounded. It holds the containers, so that an id is never
    used twice.
    """

    left: int = 0
    _weights: dict[int, tuple[object, int]] = field(default_factory=dict)

    def start(self, steps: int) -> None:
        """Begin a rendering that may take so many steps."""
        self.left = steps
        self._weights.clear()

    def spend(self, steps: int) -> None:
        """Take steps from the budget. Raises TooMuch when it is used up."""
        self.left -= steps
        if self.left < 0:
            raise TooMuch("it takes too much time or memory")

    def text(self, length: int) -> None:
        """Pay for a text of that length. Raises TooMuch."""
        self.spend(1 + length // _CHARACTERS)

    def number(self, bits: int) -> None:
        """Look at the size of a whole number. Raises TooMuch."""
        if bits > _MAX_BITS:
            raise TooMuch("it computes a number that is too large")

    def made(self, value: object) -> object:
        """Pay for a value that was made, and give it back. Raises TooMuch."""
        if isinstance(value, str):
            self.text(len(value))
        elif isinstance(value, list | tuple | dict):
            self.spend(_MADE + len(value))
            entries = (*value, *value.values()) if isinstance(value, dict) else value
            weight = 1 + sum(map(self._weight, entries))
            if weight > self.left:  # nobody could look at it
                raise TooMuch("it builds a value with too many parts")
            self._weights[id(value)] = (value, weight)
        elif isinstance(value, int):
            self.number(value.bit_length())
        return value

    def use(self, value: object) -> object:
        """Pay for looking at all of a value, and give it back. Raises TooMuch."""
        self.spend(self._weight(value))
        return value

    def _weight(self, value: object) -> int:
        """The number of values in a value."""
        known = self._weights.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, tuple):  # a pair that a filter made
            self.made(value)
            return self._weights[id(value)][1]
        if isinstance(value, str):
            return 1 + len(value) // _CHARACTERS
        return 1 + len(value) if isinstance(value, list | dict | range | MappingView) else 1
