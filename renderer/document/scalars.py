"""What a YAML scalar means to Kubernetes: plain text, tagged text and map keys.

The rules are those of go-yaml v2 (`resolve`), which follow neither YAML 1.1 nor 1.2 to the letter.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable
from typing import Final, TypeAlias

from renderer.document.number import (
    INT64_MAX,
    INT64_MIN,
    UINT64_MAX,
    json_number,
    key_spelling,
    kubernetes_number,
)
from renderer.document.values import Value

Scalar: TypeAlias = bool | int | float | str | None
Retype: TypeAlias = Callable[[float], int | float]

_TAG = "tag:yaml.org,2002:"
MERGE_TAG: Final = _TAG + "merge"
_NON_SPECIFIC_TAGS = {f"{_TAG}{name}": name for name in ("str", "bool", "int", "float", "null", "timestamp")}

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_NUMBER_STARTS = frozenset("+-0123456789")
_DIGITS = {
    "x": (16, re.compile(r"[0-9a-fA-F]+")),
    "o": (8, re.compile("[0-7]+")),
    "b": (2, re.compile("[01]+")),
}
_DECIMAL = re.compile("[0-9]+")
_SIGNED_BINARY = re.compile("0b([-+][01]+)")  # go-yaml hands what follows "0b" to a parser that takes signs
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_DOT_FLOAT = re.compile(r"\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt](?P<zoned>)| )([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?(zoned)(?:Z|[-+]([0-9]{2}):([0-9]{2}))))?"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST_INTEGER = 64  # digits of the longest int64 or uint64: binary
_MEMO_ENTRIES, _MEMO_LENGTH = 65_536, 64


class ScalarError(ValueError):
    """A scalar that has no place in a Kubernetes object; `fix` is something to type."""

    def __init__(self, what: str, why: str, fix: str) -> None:
        """Keep the three parts of a problem."""
        super().__init__(what)
        self.what, self.why, self.fix = what, why, fix


def resolve(text: str) -> Scalar:
    """The value of a plain scalar in Go's types: int up to uint64, float, bool, None or the text itself."""
    first = text[:1]
    if text in _WORDS:
        return _WORDS[text]
    if first in _NUMBER_STARTS:
        plain = text.replace("_", "")
        number: float | None = _integer(plain)
        if number is None and _FLOAT.fullmatch(plain):
            number = _finite(plain)
        return text if number is None else number
    if first == "." and _DOT_FLOAT.fullmatch(text):
        dotted = _finite(text)
        return text if dotted is None else dotted
    return text


def _integer(text: str) -> int | None:
    """`strconv.ParseInt(text, 0, 64)`, else ParseUint: sign, then decimal, 0x, 0o, 0b or octal."""
    digits = text.lstrip("+-") if text[:1] in "+-" else text
    sign = text[: len(text) - len(digits)]
    base, pattern = 10, _DECIMAL
    if digits[:1] == "0" and len(digits) > 1:
        base, pattern = _DIGITS.get(digits[1].lower(), _DIGITS["o"])
        digits = digits[2:] if digits[1].lower() in _DIGITS else digits[1:]
    if len(sign) > 1 or not pattern.fullmatch(digits):
        signed = _SIGNED_BINARY.fullmatch(text)
        return (
            _within(int(signed[1], 2), signed=True) if signed and len(text) < _LONGEST_INTEGER * 2 else None
        )
    digits = digits.lstrip("0") or "0"
    if len(digits) > _LONGEST_INTEGER:
        return None
    return _within(int(digits, base) * (-1 if sign == "-" else 1), signed=bool(sign))


def _within(number: int, *, signed: bool) -> int | None:
    """The number if Go has an integer type for it; a sign rules out uint64."""
    return number if INT64_MIN <= number <= (INT64_MAX if signed else UINT64_MAX) else None


def _finite(text: str) -> float | None:
    """`strconv.ParseFloat`: None where the number is out of a float64's range."""
    number = float(text)
    return None if math.isinf(number) else number


def is_timestamp(text: str) -> bool:
    """Whether go-yaml takes the text for a date or a time (it stays a string, but is written quoted)."""
    match = _TIMESTAMP.fullmatch(text)
    if not match:
        return False
    year, month, day, _, hour, minute, second, zone_hour, zone_minute = (
        int(part or 0) for part in match.groups()
    )
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1] + leap:
        return False
    return hour < 24 and minute < 60 and second < 60 and zone_hour <= 24 and zone_minute <= 60


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with an explicit tag, in Go's types.

    Tags that are not YAML's own leave the text a string. Raises ScalarError where the text is not of the
    type its tag claims.
    """
    if tag == _TAG + "binary":
        return _binary(text)
    name = _NON_SPECIFIC_TAGS.get(tag)
    if name is None or name == "str":
        return text
    if name == "timestamp" and is_timestamp(text):
        return text
    value = resolve(text)
    if name == "float" and type(value) is int and value <= INT64_MAX:
        return float(value)
    if _type_name(value) != name:
        raise ScalarError(
            f"{text!r} is not what its tag !!{name} says",
            "Kubernetes cannot read the document",
            f"remove !!{name}, or correct the value",
        )
    return value


def _type_name(value: Scalar) -> str:
    """The short tag go-yaml gives a value."""
    return {"NoneType": "null"}.get(type(value).__name__, type(value).__name__)


def _binary(text: str) -> str:
    """What a !!binary scalar holds, as JSON carries it: bytes that are not UTF-8 become U+FFFD."""
    try:
        return base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True).decode(
            errors="replace"
        )
    except (binascii.Error, ValueError):
        raise ScalarError(
            "!!binary value is not base64", "Kubernetes cannot read the document", "encode it with `base64`"
        ) from None


class PlainScalars(dict[str, Value]):
    """Plain text to value, worked out once for each text; `retype` says how floats and large ints end up."""

    def __init__(self, retype: Retype | None) -> None:
        """Start empty; without `retype` values keep Go's own types."""
        super().__init__()
        self.retype = retype

    def __missing__(self, text: str) -> Value:
        """Resolve the text; raises ScalarError for infinities and NaN, which JSON cannot carry."""
        value = self.typed(resolve(text))
        remember(self, text, value)
        return value

    def typed(self, value: Scalar) -> Value:
        """The value with its number type settled."""
        if isinstance(value, float) and not math.isfinite(value):
            raise ScalarError(
                f"{value} is a number that JSON does not have",
                "Kubernetes cannot read the document",
                "put it in quotes if it is meant as text",
            )
        if self.retype and isinstance(value, int | float) and not isinstance(value, bool):
            return self.retype(value)
        return value


class PlainKeys(dict[str, str]):
    """Plain text of a map key to the key in JSON: `on` is "true", `0x10` is "16"."""

    def __missing__(self, text: str) -> str:
        """Resolve and spell the key; raises ScalarError where it is null or too large an integer."""
        key = spell_key(resolve(text))
        remember(self, text, key)
        return key


def spell_key(value: Scalar) -> str:
    """The JSON key sigs.k8s.io/yaml makes of a scalar key; raises ScalarError where it refuses."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return key_spelling(value)
    if isinstance(value, int) and value <= INT64_MAX:
        return str(value)
    raise ScalarError(
        "a null key" if value is None else f"the integer key {value} is above int64",
        "Kubernetes refuses such a map",
        "write a key before the colon" if value is None else "put the key in quotes",
    )


def remember(memo: dict[str, Value] | dict[str, str], text: str, value: Value) -> None:
    """Keep a short text's value; start over when hostile input has filled the memo."""
    if len(text) <= _MEMO_LENGTH:
        if len(memo) >= _MEMO_ENTRIES:
            memo.clear()
        memo[text] = value  # type: ignore[assignment]  # both are called with what they hold


RAW_SCALARS = PlainScalars(None)
JSON_SCALARS = PlainScalars(json_number)
KUBERNETES_SCALARS = PlainScalars(kubernetes_number)
PLAIN_KEYS = PlainKeys()
