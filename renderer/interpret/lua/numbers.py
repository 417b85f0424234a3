"""Numbers as Lua texts state them, by the rules of Go's strconv.

Source: gopher-lua utils.go parseNumber, baselib.go tonumber; Go strconv ParseInt, ParseFloat.
"""

from __future__ import annotations

import re
from typing import Final

from renderer.document.number import INT64_MAX, INT64_MIN, yaml_spelling

_PREFIXED: Final = re.compile(r"[-+]?0(?:[xX](?:_?[0-9A-Fa-f])+|[bB](?:_?[01])+|[oO](?:_?[0-7])+)")
_OCTAL: Final = re.compile(r"[-+]?0(?:_?[0-7])+")
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9](?:_?[0-9])*)")
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_HEX_FLOAT: Final = re.compile(r"[-+]?0[xX](?:[0-9A-Fa-f]+\.?[0-9A-Fa-f]*|\.[0-9A-Fa-f]+)[pP][-+]?[0-9]+")
_SPECIAL: Final = re.compile(r"[-+]?inf(?:inity)?|nan", re.IGNORECASE)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_LONGEST: Final = 1000  # characters; nobody writes more digits, and reading them costs their square


def parsed_number(text: str) -> float | None:
    """The number that a text states where Lua wants a number; None where it states none."""
    text = text.strip(" \t\n")
    if len(text) > _LONGEST:
        return None
    whole = _whole(text)
    if whole is not None and INT64_MIN <= whole <= INT64_MAX:
        return float(whole)
    return _float(text)


def tonumber(text: str, base: int | None) -> float | None:
    """What `tonumber` makes of a text: without a point a whole number, so `1e3` is none.

    Raises ValueError for a base that Go does not know.
    """
    text = text.strip(" \n\t")
    if len(text) > _LONGEST:
        return None
    if "." in text:
        return _float(text)
    if base is None and text[:2] in ("0x", "0X"):
        text, base = text[2:], 16
    base = 10 if base is None else base
    if base == 0:
        whole = _whole(text)
    elif 2 <= base <= len(_DIGITS):
        whole = _based(text, base)
    else:
        return None
    return float(whole) if whole is not None and INT64_MIN <= whole <= INT64_MAX else None


def number_text(number: float) -> str:
    """How Lua spells a number that is not whole, or too large for 64 bits."""
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "+Inf" if number > 0 else "-Inf"
    return yaml_spelling(number)


def _whole(text: str) -> int | None:
    """A whole number with its base in front of it."""
    if _PREFIXED.fullmatch(text):
        return int(text, 0)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    return int(text) if _DECIMAL.fullmatch(text) else None


def _based(text: str, base: int) -> int | None:
    sign, digits = (text[0], text[1:]) if text[:1] in ("+", "-") else ("", text)
    known = frozenset(_DIGITS[:base])
    if not digits or not known.issuperset(digits.lower()):
        return None
    return int(sign + digits, base)


def _float(text: str) -> float | None:
    """A number with a point or an exponent; beyond a double it is an error in Go."""
    if _SPECIAL.fullmatch(text):
        return float(text)
    if _HEX_FLOAT.fullmatch(text):
        try:
            return float.fromhex(text)
        except OverflowError:
            return None
    if not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) != float("inf") else None
