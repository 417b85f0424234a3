"""Kubernetes quantities, exactly.

Source: k8s.io/apimachinery pkg/api/resource, v0.36.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

from renderer.document.values import Value


class Format(StrEnum):
    """The family of suffixes a quantity is printed with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX: Final = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX: Final = {0: ""} | {exponent: suffix for suffix, exponent in _BINARY.items()}
_SYNTAX: Final = re.compile(r"([+-]?)([0-9]*)(\.[0-9]*)?([numkMGTPE]?|[KMGTPE]i|[eE]([+-]?[0-9]+))", re.ASCII)
_SPACE: Final = (
    " \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_MAX: Final = 2**63 - 1
_NANO: Final = 10**9
_INT64_DIGITS: Final = 18
_UNCHECKED: Final = (
    0,
    1,
    2,
    3,
    6,
    9,
)  # powers of ten that Kubernetes multiplies by in one step, overflow or not
_LONGEST: Final = (
    1024  # characters, and decimal exponent: Go's reader would go on, at the cost of the machine
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount in base units (cores, bytes, pieces) and the format it was written in.

    `written` is the spelling to print where Kubernetes takes the text for canonical as it is. `scale` is
    the power of ten that goes with the 64-bit number Kubernetes holds, None where it holds a big
    decimal: it decides what `value` is for an amount beyond 64 bits.
    """

    amount: Fraction
    format: Format = Format.DECIMAL_SI
    written: str = field(default="", compare=False, repr=False)
    scale: int | None = field(default=0, compare=False, repr=False)

    @property
    def value(self) -> int:
        """Whole units as a 64-bit number, rounded away from zero (Quantity.Value)."""
        return self._scaled(0)

    @property
    def milli_value(self) -> int:
        """Thousandths of a unit as a 64-bit number, rounded away from zero (Quantity.MilliValue)."""
        return self._scaled(3)

    def _scaled(self, power: int) -> int:
        numerator = self.amount.numerator * 10**power
        number, rest = divmod(abs(numerator), self.amount.denominator)
        # A big decimal is truncated and then gets one more; a small one is rounded away from zero.
        if self.scale is not None and rest:
            number, rest = number + 1, 0
        number = (number if numerator >= 0 else -number) + (1 if rest else 0)
        if self.scale is None or -_MAX - 1 <= number <= _MAX:
            return _wrapped(number)
        return _wrapped(number) if self.scale + power in _UNCHECKED else 0

    def __add__(self, other: Quantity) -> Quantity:
        """The sum, in the format of the first operand that is not zero."""
        return _computed(self, other, self.amount + other.amount)

    def __sub__(self, other: Quantity) -> Quantity:
        """The difference, in the format of the first operand that is not zero."""
        return _computed(self, other, self.amount - other.amount)

    def __str__(self) -> str:
        """The canonical text: the largest suffix of the family that leaves a whole number."""
        if self.written:
            return self.written
        if not self.amount:
            return "0"
        if self.format is Format.BINARY_SI and self.amount.denominator == 1 and abs(self.amount) >= 1024:
            return _binary_text(self.amount.numerator)
        number, exponent = _thousands(self.amount)
        if self.format is Format.DECIMAL_EXPONENT:
            return f"{number}e{exponent}" if exponent else str(number)
        # Beyond E there is no suffix, and Kubernetes then prints the number alone.
        return f"{number}{_DECIMAL_SUFFIX.get(exponent, '')}"


ZERO: Final = Quantity(Fraction(0))


def parse_quantity(value: Value) -> Quantity | None:
    """Read a quantity as JSON states it: text or a number; None where it is neither or is malformed.

    White space around the text is tolerated. A null is not a quantity here: a Kubernetes type reads it
    as zero. Deliberately stricter than Kubernetes: more than 1024 characters, or a decimal exponent
    beyond 1024, is refused.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return _parse(str(value)) if value.bit_length() < _LONGEST else None
    if isinstance(value, float):
        return _parse(_json_number(value))
    return _parse(value.strip(_SPACE)) if isinstance(value, str) else None


def whole(number: int, format: Format = Format.DECIMAL_SI) -> Quantity:  # noqa: A002 - Kubernetes' word
    """A whole number of units (resource.NewQuantity)."""
    return Quantity(Fraction(number), format)


def milli(number: int, format: Format = Format.DECIMAL_SI) -> Quantity:  # noqa: A002 - Kubernetes' word
    """A number of thousandths (resource.NewMilliQuantity)."""
    return Quantity(Fraction(number, 1000), format)


@lru_cache(maxsize=16384)
def _parse(text: str) -> Quantity | None:
    match = _SYNTAX.fullmatch(text) if 0 < len(text) <= _LONGEST else None
    if match is None:
        return None
    sign, digits, point, suffix, exponent = match.groups("")
    number = digits.lstrip("0") or "0"
    fraction = point[1:]
    if suffix in _BINARY:
        quantity = _binary(text, sign, number, fraction, _BINARY[suffix])
    else:
        power = int(exponent) if exponent else _DECIMAL[suffix]
        if power > _LONGEST:
            return None
        family = Format.DECIMAL_EXPONENT if exponent else Format.DECIMAL_SI
        quantity = _decimal(text, sign, number, fraction, power, family)
    # A suffix without any digit is 0 where 64 bits suffice; the reader of big decimals refuses it.
    return quantity if digits or fraction or quantity.scale is not None else None


def _decimal(text: str, sign: str, number: str, fraction: str, power: int, family: Format) -> Quantity:
    scale = power - len(fraction)
    shifted = int(number + fraction)
    narrow = len(number) + len(fraction) <= _INT64_DIGITS and scale >= -9
    amount = _round_up(shifted, scale)
    canonical = narrow and scale % 3 == 0 and not (number + fraction).endswith("000") and number != "0"
    return Quantity(
        -amount if sign == "-" else amount, family, text if canonical else "", scale if narrow else None
    )


def _binary(text: str, sign: str, number: str, fraction: str, power: int) -> Quantity:
    amount = _round_up(int(number + fraction) << power, -len(fraction))
    # Kubernetes' own estimate of whether digits and suffix fit 64 bits.
    narrow = not fraction and 15 - len(number) - int(power * 3 / 10) - 1 >= 0
    canonical = narrow and int(number) % 8 != 0
    if not narrow:
        amount = min(amount, Fraction(_MAX))
    family = Format.DECIMAL_SI if not narrow and 0 < amount < 1 else Format.BINARY_SI
    return Quantity(
        -amount if sign == "-" else amount, family, text if canonical else "", 0 if narrow else None
    )


def _round_up(unscaled: int, scale: int) -> Fraction:
    """`unscaled` times ten to the `scale`, a rest below one billionth rounded up."""
    if scale >= -9:
        return Fraction(unscaled * 10**scale) if scale >= 0 else Fraction(unscaled, 10**-scale)
    # More places than there are digits leave a tiny rest, whatever their number.
    divisor = 10 ** min(-scale - 9, 2 * _LONGEST)
    return Fraction(-(-unscaled // divisor), _NANO)


def _computed(left: Quantity, right: Quantity, amount: Fraction) -> Quantity:
    return Quantity(
        amount, left.format if left.amount else right.format, "", _common_scale(left, right, amount)
    )


def _common_scale(left: Quantity, right: Quantity, amount: Fraction) -> int | None:
    """The scale of a sum that 64 bits can hold at every step, else None."""
    if left.scale is None or right.scale is None:
        return None
    if not left.amount or not right.amount:
        return left.scale if left.amount else right.scale
    scale = min(left.scale, right.scale)
    unit = Fraction(10) ** scale
    steps = (left.amount / unit, right.amount / unit, amount / unit)
    return scale if all(-_MAX - 1 <= step <= _MAX for step in steps) else None


def _thousands(amount: Fraction) -> tuple[int, int]:
    """The amount as a whole number times ten to a power that is a multiple of three, as high as it goes."""
    number, exponent = amount.numerator * (_NANO // amount.denominator), -9
    while number % 1000 == 0:
        number, exponent = number // 1000, exponent + 3
    return number, exponent


def _binary_text(number: int) -> str:
    exponent = 0
    while number % 1024 == 0:
        number, exponent = number // 1024, exponent + 10
    return f"{number}{_BINARY_SUFFIX.get(exponent, '')}"


def _wrapped(number: int) -> int:
    return (number + _MAX + 1) % 2**64 - _MAX - 1


def _json_number(number: float) -> str:
    """The number as Go writes it into JSON."""
    if number != number or number in (float("inf"), float("-inf")):
        return ""
    if number and not 1e-6 <= abs(number) < 1e21:
        return repr(number).replace("e-0", "e-")
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
