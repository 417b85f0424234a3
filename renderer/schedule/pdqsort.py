"""The order in which Go's sort.Sort leaves clusters with equal replicas.

Karmada sorts clusters by replicas alone, so the order among equals is whatever pattern-defeating quicksort
makes of it, and Aggregated division cuts the list after a prefix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from renderer.model.pdqsort import PatternDefeatingQuicksort

Item = TypeVar("Item")


def sort_descending(items: Sequence[Item], keys: Sequence[int]) -> list[Item]:
    """The items by descending key, equals in the order in which Go's sort.Sort would leave them."""
    run = _Run(keys=list(keys), places=list(range(len(keys))))
    if run.keys == sorted(keys, reverse=True):
        return list(items)  # what is in order is left alone
    run.sort_all(len(keys))
    return [items[place] for place in run.places]


class _Run(PatternDefeatingQuicksort):
    """Keys being sorted, with the place each of them came from."""

    __slots__ = ("keys", "places")

    def __init__(self, *, keys: list[int], places: list[int]) -> None:
        super().__init__()
        self.keys = keys
        self.places = places

    def less(self, i: int, j: int) -> bool:
        """Whether i belongs before j: the larger key does."""
        return self.keys[i] > self.keys[j]

    def swap(self, i: int, j: int) -> None:
        keys, places = self.keys, self.places
        keys[i], keys[j] = keys[j], keys[i]
        places[i], places[j] = places[j], places[i]
