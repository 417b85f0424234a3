"""Numbers as Go types and spells them: in YAML, in JSON and as map keys."""

from __future__ import annotations

import math
import struct
from decimal import Decimal

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1

_JSON_EXPONENT_FROM = 1e21  # encoding/json writes exponents from here on, and below the next
_JSON_EXPONENT_BELOW = 1e-6
_FLOAT32_DIGITS = 9  # never are more needed to tell two float32 apart
_SHORTEST_PRECISION = 6  # strconv takes %g's exponent form from this decimal exponent on
_SHORTEST_EXPONENT = -4  # and below this one


def kubernetes_number(number: float) -> int | float:
    """The number a Kubernetes client holds after YAML became JSON: an int64, else a float64.

    What JSON spells without a point and within int64 is an integer (1.0 and 1e3 are 1 and 1000).
    Source: k8s.io/apimachinery pkg/util/json, convertNumber.
    """
    number = json_number(number)
    return float(number) if isinstance(number, int) and not INT64_MIN <= number <= INT64_MAX else number


def json_number(number: float) -> int | float:
    """The number a JSON text of `number` spells: an int where the spelling has neither point nor exponent."""
    if type(number) is not int and number.is_integer() and abs(number) < _JSON_EXPONENT_FROM:
        # By its shortest digits, not by its exact value: 1e22 / 10 is spelled with zeros at the end.
        return int(Decimal(repr(number)))
    return number


def json_spelling(number: float) -> str:
    """How Go's encoding/json writes `number` (finite): shortest digits, exponent only where it is long."""
    if isinstance(number, int):
        return str(number)
    if number and not _JSON_EXPONENT_BELOW <= abs(number) < _JSON_EXPONENT_FROM:
        mantissa, _, exponent = repr(number).partition("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def yaml_spelling(number: float) -> str:
    """How go-yaml writes a float: `strconv.FormatFloat(number, 'g', -1, 64)` (finite)."""
    return _shortest(repr(number))


def key_spelling(number: float) -> str:
    """How sigs.k8s.io/yaml spells a float that stands as a key: with the precision of a float32."""
    if math.isnan(number):
        return ".nan"
    single = _float32(number)
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    return _shortest(_float32_digits(single))


def _float32(number: float) -> float:
    """The float32 nearest to `number`; infinite beyond its range."""
    try:
        single: float = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return single


def _float32_digits(single: float) -> str:
    """The shortest decimal that reads back as the float32 `single`."""
    candidates = (f"{single:.{digits}e}" for digits in range(_FLOAT32_DIGITS))
    return next(text for text in candidates if _float32(float(text)) == single)


def _shortest(text: str) -> str:
    """The decimal `text` in the form of C's %g with as many digits as it has."""
    mantissa, _, exponent = f"{Decimal(text).normalize():e}".partition("e")
    digits, power = mantissa.lstrip("-").replace(".", ""), int(exponent)
    minus = "-" if mantissa.startswith("-") else ""
    if not _SHORTEST_EXPONENT <= power < _SHORTEST_PRECISION:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{minus}{digits[0]}{fraction}e{power:+03d}"
    if power < 0:
        return f"{minus}0.{'0' * (-power - 1)}{digits}"
    whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return f"{minus}{whole}.{fraction}" if fraction else f"{minus}{whole}"
