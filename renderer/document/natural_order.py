"""The order go-yaml gives the keys of a map: letters by code point, numbers in them by value.

Source: go.yaml.in/yaml/v2 sorter.go.
"""

from __future__ import annotations

_INT64 = 2**64


def compare_keys(left: str, right: str) -> int:
    """Negative where `left` comes first, positive where `right` does, 0 where they are equal."""
    for index, (a, b) in enumerate(zip(left, right, strict=False)):
        if a != b:
            return _compare_at(left, right, index)
    return len(left) - len(right)


def _compare_at(left: str, right: str, index: int) -> int:
    """Compare two keys that first differ at `index`."""
    a, b = left[index], right[index]
    if a.isalpha() or b.isalpha():
        if a.isalpha() and b.isalpha():
            return ord(a) - ord(b)
        return -1 if b.isalpha() else 1
    # A zero inside a number counts, one in front of it does not: 10 comes after 9, 01 beside 1.
    start = 1 if "0" in (a, b) and _inside_number(left, index) else 0
    left_number, left_digits = _number(left, index, start)
    right_number, right_digits = _number(right, index, start)
    return left_number - right_number or left_digits - right_digits or ord(a) - ord(b)


def _inside_number(key: str, index: int) -> bool:
    """Whether the digits just before `index` hold one that is not zero."""
    while index and key[index - 1].isdecimal():
        index -= 1
        if key[index] != "0":
            return True
    return False


def _number(key: str, index: int, number: int) -> tuple[int, int]:
    """The number whose digits stand at `index`, after a leading digit, in an int64; and their count."""
    digits = 0
    while index + digits < len(key) and key[index + digits].isdecimal():
        number = number * 10 + ord(key[index + digits]) - ord("0")
        digits += 1
    number %= _INT64
    return number - _INT64 if number >= _INT64 // 2 else number, digits
