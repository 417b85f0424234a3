"""How much work a Jinja2 template may make: a budget that every loop, call and large value draws on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MAX_WORK = 5_000_000  # steps; a few seconds
MAX_TEXT = 4 * 1024 * 1024  # characters of one text
MAX_WEIGHT = 1_000_000  # values in one value
MAX_BITS = 4096  # of a number
CHARACTERS_A_STEP = 16


class TooMuch(ValueError):  # noqa: N818 - what it says is what it is
    """The template would take more than its share of time or memory."""


@dataclass(slots=True)
class Meter:
    """What one rendering has used.

    `_weights` knows each container the template made, with the number of values in it; those of the input
    are not in it and count as their own entries only, since their size is bounded already. It holds the
    containers, so that an id is never used twice.
    """

    work: int = 0
    _weights: dict[int, tuple[object, int]] = field(default_factory=dict)

    def spend(self, steps: int) -> None:
        """Note work done. Raises TooMuch when the budget is used up."""
        self.work += steps
        if self.work > MAX_WORK:
            raise TooMuch("the template takes too long: loop over less, or split the file")

    def made(self, value: object) -> object:
        """Note a value that the template made, and give it back. Raises TooMuch if it is too large."""
        if isinstance(value, str):
            self.text(len(value))
        elif isinstance(value, list | tuple | dict):
            weight = 1 + sum(map(self.weight, value.values() if isinstance(value, dict) else value))
            self.spend(1 + len(value))
            if weight > MAX_WEIGHT:
                raise TooMuch("the template builds a value with too many parts")
            self._weights[id(value)] = (value, weight)
        elif isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise TooMuch("the template computes a number that is too large")
        return value

    def text(self, length: int, more: int | None = None) -> None:
        """Note that a text of this length is made, or has grown to it by `more`. Raises TooMuch before."""
        if length > MAX_TEXT:
            raise TooMuch(f"the template builds a text of more than {MAX_TEXT} characters")
        self.spend(1 + (length if more is None else more) // CHARACTERS_A_STEP)

    def weight(self, value: object) -> int:
        """The number of values in a value."""
        known = self._weights.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, tuple):  # never of the input
            return 1 + sum(map(self.weight, value))
        if isinstance(value, list | dict):
            return 1 + len(value)
        return 1 + len(value) // CHARACTERS_A_STEP if isinstance(value, str) else 1

    def use(self, value: object) -> object:
        """Note that all of a value is looked at, and give it back."""
        self.spend(self.weight(value))
        return value

    def each(self, values: object) -> object:
        """Note that a value is looped over, and give it back, or something that gives the same items."""
        if isinstance(values, str | list | tuple | dict | range):
            self.spend(1 + len(values))
            return values
        return self._counted(values) if isinstance(values, Iterable) else values

    def _counted(self, values: Iterable[object]) -> Iterator[object]:
        for value in values:
            self.spend(1)
            yield value
