"""Values that are not known yet, and what they stand in.

Where only the values of expressions differ from cluster to cluster, an object is made once, with holes in the
place of the values. What one cluster gets is that object with its holes filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from renderer.document.values import Object, Value

MARK = "krenderHole"  # in the text of each hole, which therefore is found wherever it is copied to
END = "z"

Path: TypeAlias = tuple[str | int, ...]
# What to fill below a node: by key or index a hole's number, or what to fill below that.
Filling: TypeAlias = "dict[str | int, int | Filling]"


class Hole(str):
    """The value with that number; whoever looks at the text itself sees that it is none."""

    number: int

    def __new__(cls, number: int) -> Hole:
        """Make the hole of that number."""
        made = super().__new__(cls, f"{MARK}{number}{END}")
        made.number = number
        return made


class LeakError(Exception):
    """Something was made of a value instead of put in its place."""


def holes(value: Value, known: Value = None, at: Path = ()) -> Iterator[tuple[Path, int]]:
    """Every hole with the path to it. Raises LeakError where a part of one is anywhere else.

    `known` is what the value was made of: what it still has in common with that is passed over.
    """
    if isinstance(value, Hole):
        yield at, value.number
    elif isinstance(value, str):
        if MARK in value:
            raise LeakError
    elif value is known:
        return
    elif isinstance(value, dict):
        before = known if isinstance(known, dict) else {}
        for key, item in value.items():
            if MARK in key:
                raise LeakError
            yield from holes(item, before.get(key), (*at, key))
    elif isinstance(value, list):
        there = known if isinstance(known, list) else []
        for index, item in enumerate(value):
            yield from holes(item, there[index] if index < len(there) else None, (*at, index))


def is_free(value: Value) -> bool:
    """Whether nothing in a value could be taken for a hole."""
    try:
        return not any(holes(value))
    except LeakError:
        return False


def filling(found: Sequence[tuple[Path, int]]) -> Filling:
    """What there is to fill, from the paths to the holes; none of them is empty."""
    root: Filling = {}
    for path, number in found:
        node = root
        for part in path[:-1]:
            below = node.setdefault(part, {})
            if isinstance(below, dict):  # as it always is: a hole has nothing below it
                node = below
        node[path[-1]] = number
    return root


def paths(what: Filling) -> Iterator[Path]:
    """The path to each hole."""
    for part, below in what.items():
        yield from ((part,),) if isinstance(below, int) else ((part, *path) for path in paths(below))


def filled(value: Value, what: Filling, values: Sequence[str]) -> Value:
    """A value with its holes filled; it shares all else with the other one."""
    if isinstance(value, dict):
        return filled_object(value, what, values)
    if not isinstance(value, list):
        return value
    made = [*value]
    for index, below in what.items():
        if isinstance(index, int):
            made[index] = values[below] if isinstance(below, int) else filled(made[index], below, values)
    return made


def filled_object(value: Object, what: Filling, values: Sequence[str]) -> Object:
    """An object with its holes filled."""
    made = {**value}
    for key, below in what.items():
        if isinstance(key, str):
            made[key] = values[below] if isinstance(below, int) else filled(made[key], below, values)
    return made
