"""What plain and tagged scalars and keys mean: the rules of go-yaml v2, row by row."""

from __future__ import annotations

import math

import pytest

from renderer.document.scalars import (
    JSON_SCALARS,
    KUBERNETES_SCALARS,
    PLAIN_KEYS,
    RAW_SCALARS,
    PlainKeys,
    Scalar,
    ScalarError,
    is_timestamp,
    resolve,
    resolve_tagged,
)

TAG = "tag:yaml.org,2002:"


def same(left: object, right: object) -> bool:
    """Equal, of one type, and with one sign of zero."""
    return type(left) is type(right) and repr(left) == repr(right)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, None) for text in ("", "~", "null", "Null", "NULL")),
        *((text, True) for text in ("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE")),
        *(
            (text, False)
            for text in ("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE")
        ),
        *(
            (text, text)
            for text in ("tRUE", "nULL", "None", "nil", "yEs", "inf", "nan", "NaN", "<<", "=", "v1")
        ),
        *((text, text) for text in ("2024-01-01", "2024-1-1", "2001-12-14 21:59:43.10", "12:30:45", "1:30")),
        *(
            (text, text)
            for text in ("1e3m", "100m", "1Gi", "1.2.3", "_1", "0o8", "0b2", "0xG", "0x", "+", "-")
        ),
        *((text, text) for text in ("1e1000", "-1e1000", "--1", "+-1", "..", ".", "._5", "1,000", "0x1.8p1")),
        *(
            (text, 511)
            for text in ("0777", "0o777", "0O777", "0x1FF", "0X1ff", "0b111111111", "5_11", "0x_1FF")
        ),
        *((text, -31) for text in ("-0x1F", "-037", "-0o37", "-31", "-3_1")),
        *((text, 8) for text in ("010", "8", "+8", "0b1000", "0b+1000")),
        *((text, 8.0) for text in ("08", "8.", "8.0", "8e0", "+8.0", "0.8e1", "80E-1", ".8e1")),
        ("0b-1", -1),
        ("-0", 0),
        ("00", 0),
        ("-0.0", -0.0),
        (".5_0", 0.5),
        ("1_0.5", 10.5),
        ("9223372036854775807", 2**63 - 1),
        ("18446744073709551615", 2**64 - 1),
        ("+18446744073709551615", float(2**64 - 1)),
        ("18446744073709551616", float(2**64)),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", -float(2**63 + 1)),
        ("9" * 400, "9" * 400),
        ("0" * 200 + "7", 7),
        ("1" * 5000, "1" * 5000),
    ],
)
def test_plain(text: str, value: Scalar) -> None:
    assert same(resolve(text), value)


@pytest.mark.parametrize("text", [".inf", "+.Inf", "-.INF", ".nan", ".NaN"])
def test_json_has_no_infinity(text: str) -> None:
    assert not math.isfinite(float(resolve(text) or 0))
    with pytest.raises(ScalarError, match="JSON does not have"):
        RAW_SCALARS[text]


@pytest.mark.parametrize(
    ("text", "in_json", "in_kubernetes"),
    [
        ("1.0", 1, 1),
        ("1e3", 1000, 1000),
        ("-0.0", 0, 0),
        ("1.5", 1.5, 1.5),
        ("9223372036854775808", 2**63, float(2**63)),
        ("1e20", 10**20, 1e20),
        ("1e21", 1e21, 1e21),
        ("1.2345678901234567e19", 12345678901234567000, 1.2345678901234567e19),
        ("true", True, True),
    ],
)
def test_numbers_are_typed_by_their_spelling_in_json(
    text: str, in_json: Scalar, in_kubernetes: Scalar
) -> None:
    assert same(JSON_SCALARS[text], in_json)
    assert same(KUBERNETES_SCALARS[text], in_kubernetes)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a", "a"),
        ("yes", "true"),
        ("n", "false"),
        ("0x10", "16"),
        ("0777", "511"),
        ("1.5", "1.5"),
        ("1e3", "1000"),
        ("1e7", "1e+07"),
        ("123456789.123456789", "1.2345679e+08"),
        ("0.1", "0.1"),
        ("1e300", ".inf"),
        ("-1e300", "-.inf"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("2024-01-01", "2024-01-01"),
        ("<<", "<<"),
    ],
)
def test_keys_become_text(text: str, key: str) -> None:
    assert PLAIN_KEYS[text] == key


@pytest.mark.parametrize("text", ["~", "", "null", "9223372036854775808"])
def test_keys_that_json_cannot_have(text: str) -> None:
    with pytest.raises(ScalarError):
        PLAIN_KEYS[text]


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("str", "1", "1"),
        ("int", "0x10", 16),
        ("float", "5", 5.0),
        ("float", "1e3", 1000.0),
        ("bool", "on", True),
        ("null", "~", None),
        ("timestamp", "2001-12-14t21:59:43.10+05:30", "2001-12-14t21:59:43.10+05:30"),
        ("binary", "aGVs\nbG8=", "hello"),
        ("binary", "/w==", "\ufffd"),
        ("set", "5", "5"),
    ],
)
def test_tagged(tag: str, text: str, value: Scalar) -> None:
    assert same(resolve_tagged(TAG + tag, text), value)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("int", "x"),
        ("int", "1.5"),
        ("float", "18446744073709551615"),
        ("bool", "1"),
        ("null", "x"),
        ("timestamp", "2001-02-30"),
        ("binary", "!!"),
        ("binary", "aGVsbG8"),
    ],
)
def test_text_that_belies_its_tag(tag: str, text: str) -> None:
    with pytest.raises(ScalarError):
        resolve_tagged(TAG + tag, text)


def test_local_tags_keep_the_text() -> None:
    assert resolve_tagged("!custom", "5") == "5"
    assert resolve_tagged("!", "5") == "5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29", True),
        ("2023-02-29", False),
        ("0000-02-29", True),
        ("1900-02-29", False),
        ("2024-04-31", False),
        ("2024-13-01", False),
        ("2024-1-1T1:2:3Z", True),
        ("2024-1-1t1:2:3.123456789012+01:00", True),
        ("2024-1-1 1:2:3,5", True),
        ("2024-1-1 1:2:3Z", False),
        ("2024-1-1T1:2:3", False),
        ("2024-1-1T24:00:00Z", False),
        ("2024-1-1T1:2:3+25:00", False),
        ("24-1-1", False),
    ],
)
def test_timestamps(text: str, expected: bool) -> None:
    assert is_timestamp(text) is expected


def test_a_memo_does_not_grow_without_bound() -> None:
    keys = PlainKeys()
    for number in range(70_000):
        keys[f"k{number}"]
    assert len(keys) < 66_000
    assert keys["x" * 10_000] == "x" * 10_000
    assert "x" * 10_000 not in keys
