"""Kubernetes quantities, exactly.

Source: k8s.io/apimachinery pkg/api/resource.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Format(StrEnum):
    """The family of suffixes a quantity is printed with."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_SYNTAX = re.compile(r"([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:([numkMGTPE]|[KMGTPE]i)?|[eE]([+-]?[0-9]+))")


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount in base units (cores, bytes, pieces) and the format it was written in."""

    amount: Fraction
    format: Format = Format.DECIMAL_SI

    @property
    def value(self) -> int:
        """Whole units, rounded away from zero upwards (Quantity.Value)."""
        return -(-self.amount.numerator // self.amount.denominator)

    @property
    def milli_value(self) -> int:
        """Thousandths of a unit, rounded up (Quantity.MilliValue)."""
        scaled = self.amount * 1000
        return -(-scaled.numerator // scaled.denominator)
