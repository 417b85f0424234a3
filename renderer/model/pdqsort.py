"""Go's sort.Sort, move by move: what it makes of equal elements, and of an order that is none.

Up to 12 elements that is a stable insertion sort; above, the algorithm must be followed. It draws its random
numbers from a generator seeded with the length, so it is deterministic.
Source: Go's package sort, sort.Sort since Go 1.19 (pdqsort, Orson Peters).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

_INSERTION: Final = 12  # up to this length: insertion sort
_NINTHER: Final = 50  # from this length on: the pivot is a median of medians, and repairs are tried
_REPAIRS: Final = 5
_MOST_SWAPS: Final = 12  # four medians of three, each of which swapped three times


class PatternDefeatingQuicksort(ABC):
    """Elements in an order of their own, numbered from 0, that are sorted by comparing and swapping two."""

    __slots__ = ("swaps_of_medians",)

    def __init__(self) -> None:
        """Begin without anything known of medians."""
        self.swaps_of_medians = 0

    @abstractmethod
    def less(self, i: int, j: int) -> bool:
        """Whether element i belongs before element j."""

    @abstractmethod
    def swap(self, i: int, j: int) -> None:
        """Exchange two elements."""

    def sort_all(self, length: int) -> None:
        """Sort all elements."""
        self.sort(0, length, length.bit_length())

    def sort(self, low: int, high: int, bad_pivots_left: int) -> None:
        """Sort [low, high): recurse into the shorter side, go on with the longer one."""
        balanced = partitioned = True
        while high - low > _INSERTION:
            if bad_pivots_left == 0:
                self.heap_sort(low, high)
                return
            if not balanced:
                self.break_patterns(low, high)
                bad_pivots_left -= 1
            pivot = self.choose_pivot(low, high)
            ascending = self.swaps_of_medians == 0
            if self.swaps_of_medians == _MOST_SWAPS:
                self.reverse(low, high)
                pivot, ascending = high - 1 - (pivot - low), True
            if balanced and partitioned and ascending and self.repair(low, high):
                return
            # The element before the range bounds it: a pivot not above it equals all of the least ones.
            if low > 0 and not self.less(low - 1, pivot):
                low = self.partition_equal(low, high, pivot)
                continue
            middle, partitioned = self.partition(low, high, pivot)
            balanced = min(middle - low, high - middle) >= (high - low) // 8
            if middle - low < high - middle:
                self.sort(low, middle, bad_pivots_left)
                low = middle + 1
            else:
                self.sort(middle + 1, high, bad_pivots_left)
                high = middle
        self.insertion_sort(low, high)

    def insertion_sort(self, low: int, high: int) -> None:
        for i in range(low + 1, high):
            self.sink(i, low)

    def sink(self, i: int, low: int) -> None:
        """Move i down to its place in the sorted range that begins at low."""
        while i > low and self.less(i, i - 1):
            self.swap(i, i - 1)
            i -= 1

    def rise(self, i: int, high: int) -> None:
        """Move elements that belong before i-1 down, one swap each, until one does not."""
        while i < high and self.less(i, i - 1):
            self.swap(i, i - 1)
            i += 1

    def repair(self, low: int, high: int) -> bool:
        """Try to finish a range that is nearly in order by a few moves; tell whether that did it."""
        i = low + 1
        for _ in range(_REPAIRS):
            while i < high and not self.less(i, i - 1):
                i += 1
            if i == high:
                return True
            if high - low < _NINTHER:
                return False
            self.swap(i, i - 1)
            if i - low >= 2:
                self.sink(i - 1, 0)
            if high - i >= 2:
                self.rise(i + 1, high)
        return False

    def choose_pivot(self, low: int, high: int) -> int:
        """The median of three quarter points (of their neighbourhoods in a long range)."""
        self.swaps_of_medians = 0
        quarter = (high - low) // 4
        points = [low + quarter * step for step in (1, 2, 3)]
        if high - low >= _NINTHER:
            points = [self.median(point - 1, point, point + 1) for point in points]
        return self.median(*points)

    def median(self, a: int, b: int, c: int) -> int:
        a, b = self.ordered(a, b)
        b, c = self.ordered(b, c)
        a, b = self.ordered(a, b)
        return b

    def ordered(self, a: int, b: int) -> tuple[int, int]:
        if self.less(b, a):
            self.swaps_of_medians += 1
            return b, a
        return a, b

    def partition(self, low: int, high: int, pivot: int) -> tuple[int, bool]:
        """Split into what belongs before the pivot and the rest; tell where, and whether it was split."""
        self.swap(low, pivot)
        i, j = low + 1, high - 1
        untouched = True
        while True:
            while i <= j and self.less(i, low):
                i += 1
            while i <= j and not self.less(j, low):
                j -= 1
            if i > j:
                self.swap(j, low)
                return j, untouched
            self.swap(i, j)
            i, j, untouched = i + 1, j - 1, False

    def partition_equal(self, low: int, high: int, pivot: int) -> int:
        """Split into what equals the pivot and what belongs after it; tell where the latter begins."""
        self.swap(low, pivot)
        i, j = low + 1, high - 1
        while True:
            while i <= j and not self.less(low, i):
                i += 1
            while i <= j and self.less(low, j):
                j -= 1
            if i > j:
                return i
            self.swap(i, j)
            i, j = i + 1, j - 1

    def break_patterns(self, low: int, high: int) -> None:
        """Scatter three elements around the middle, so that a pattern cannot spoil every pivot."""
        length = high - low
        random, mask = length, (1 << length.bit_length()) - 1
        middle = low + length // 4 * 2
        for step in (-1, 0, 1):
            random = _xorshift(random)
            other = random & mask
            self.swap(middle + step, low + (other - length if other >= length else other))

    def reverse(self, low: int, high: int) -> None:
        for step in range((high - low) // 2):
            self.swap(low + step, high - 1 - step)

    def heap_sort(self, low: int, high: int) -> None:
        length = high - low
        for root in reversed(range((length - 1) // 2 + 1)):
            self.sift_down(root, length, low)
        for end in reversed(range(length)):
            self.swap(low, low + end)
            self.sift_down(0, end, low)

    def sift_down(self, root: int, end: int, low: int) -> None:
        """Restore the heap below `root`: the element that belongs last stands on top."""
        while (child := 2 * root + 1) < end:
            if child + 1 < end and self.less(low + child, low + child + 1):
                child += 1
            if not self.less(low + root, low + child):
                return
            self.swap(low + root, low + child)
            root = child


def _xorshift(state: int) -> int:
    state ^= state << 13 & 0xFFFFFFFFFFFFFFFF
    state ^= state >> 7
    return state ^ (state << 17 & 0xFFFFFFFFFFFFFFFF)
