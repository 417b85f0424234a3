"""Quantities: reading, printing and adding as Kubernetes does."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Value
from renderer.model.quantity import Format, Quantity, milli, parse_quantity, whole


def quantity(text: Value) -> Quantity:
    """The quantity; it must be one."""
    parsed = parse_quantity(text)
    assert parsed is not None
    return parsed


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        pytest.param("1500m", "1500m", id="milli"),
        pytest.param("2000m", "2", id="as-high-as-it-goes"),
        pytest.param("1000", "1k", id="a-thousand"),
        pytest.param("0.5", "500m", id="a-fraction"),
        pytest.param(".5", "500m", id="no-digit-before-the-point"),
        pytest.param("128Mi", "128Mi", id="binary"),
        pytest.param("2048Ki", "2Mi", id="binary-as-high-as-it-goes"),
        pytest.param("0.5Gi", "512Mi", id="a-binary-fraction"),
        pytest.param("0.5Ki", "512", id="less-than-1024-is-decimal"),
        pytest.param("1.1Ki", "1126400m", id="no-rest-is-lost"),
        pytest.param("1e3", "1e3", id="exponent"),
        pytest.param("1E6", "1E6", id="a-canonical-number-keeps-its-spelling"),
        pytest.param("1000e3", "1e6", id="exponent-as-high-as-it-goes"),
        pytest.param("0.1n", "1n", id="less-than-a-billionth-is-one"),
        pytest.param("-0.1n", "-1n", id="away-from-zero"),
        pytest.param("10Ei", "9223372036854775807", id="binary-is-capped"),
        pytest.param("1000E", "1", id="beyond-the-suffixes-the-number-stands-alone"),
        pytest.param("-1.5Gi", "-1536Mi", id="negative"),
        pytest.param("+5", "+5", id="spelling-again"),
        pytest.param("0Ki", "0", id="zero-has-no-suffix"),
        pytest.param("k", "0", id="a-suffix-alone-is-zero"),
        pytest.param(" 1 ", "1", id="space-around"),
        pytest.param(2, "2", id="json-integer"),
        pytest.param(0.1, "100m", id="json-float"),
        pytest.param(3.0, "3", id="json-float-without-a-rest"),
        pytest.param(1e21, "1e+21", id="json-float-with-an-exponent"),
        pytest.param(1e-7, "100e-9", id="json-float-with-a-small-exponent"),
    ],
)
def test_printing(written: Value, printed: str) -> None:
    assert str(quantity(written)) == printed


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("", id="empty"),
        pytest.param("1e3m", id="two-suffixes"),
        pytest.param("0x10", id="hexadecimal"),
        pytest.param("1_000", id="underscore"),
        pytest.param("1K", id="no-such-suffix"),
        pytest.param("1\n", id="a-newline-is-no-space"),
        pytest.param("Ei", id="a-large-suffix-alone"),
        pytest.param("٣", id="ascii-digits-only"),
        pytest.param(True, id="boolean"),
        pytest.param(None, id="null"),
        pytest.param([], id="list"),
        pytest.param(float("nan"), id="not-a-number"),
        pytest.param("1e99999999999", id="an-exponent-without-bound"),
        pytest.param("9" * 2000, id="digits-without-bound"),
        pytest.param(10**1000, id="an-integer-without-bound"),
    ],
)
def test_what_is_no_quantity(written: Value) -> None:
    assert parse_quantity(written) is None


@pytest.mark.parametrize(
    ("written", "value", "thousandths"),
    [
        pytest.param("1500m", 2, 1500, id="rounded-up"),
        pytest.param("-1500m", -2, -1500, id="away-from-zero"),
        pytest.param("1Gi", 2**30, 2**30 * 1000, id="binary"),
        pytest.param("10E", 0, 0, id="beyond-64-bits-is-nothing"),
        pytest.param("0", 0, 0, id="zero"),
    ],
)
def test_value(written: str, value: int, thousandths: int) -> None:
    assert (quantity(written).value, quantity(written).milli_value) == (value, thousandths)


def test_a_number_beyond_64_bits_wraps_around_where_kubernetes_holds_a_big_decimal() -> None:
    assert quantity("18446744073709551617").value == 1


@pytest.mark.parametrize(
    ("left", "right", "total", "rest"),
    [
        pytest.param("1Gi", "1G", "2073741824", "73741824", id="the-first-operand-gives-the-family"),
        pytest.param("0", "1Gi", "1Gi", "-1Gi", id="unless-it-is-zero"),
        pytest.param("1500m", "500m", "2", "1", id="decimal"),
        pytest.param("1e3", "1", "1001", "999", id="exponent"),
        pytest.param("9E", "9E", "18E", "0", id="beyond-64-bits"),
        pytest.param("1.0000000001", "1", "2000000001n", "1n", id="a-big-decimal"),
    ],
)
def test_sums(left: str, right: str, total: str, rest: str) -> None:
    assert str(quantity(left) + quantity(right)) == total
    assert str(quantity(left) - quantity(right)) == rest


def test_made_quantities() -> None:
    assert str(milli(2500)) == "2500m"
    assert str(whole(2048, Format.BINARY_SI)) == "2Ki"
    assert str(whole(2048)) == "2048"


AMOUNTS = st.builds(
    Quantity,
    st.builds(Fraction, st.integers(-(10**24), 10**24), st.sampled_from([1, 10, 1000, 10**9])),
    st.sampled_from(Format),
)


@given(AMOUNTS.filter(lambda item: abs(item.amount) < 2**63))
def test_what_is_printed_is_read_back(item: Quantity) -> None:
    read = quantity(str(item))
    assert read.amount == item.amount
    # A binary amount that is no multiple of 1024 has no suffix, and what has none is read as decimal.
    assert str(read) == str(item) or item.format is Format.BINARY_SI is not read.format


@given(AMOUNTS, AMOUNTS)
def test_sums_are_exact(left: Quantity, right: Quantity) -> None:
    assert (left + right).amount == left.amount + right.amount
    assert (left - right).amount == left.amount - right.amount


@given(st.text(max_size=12))
def test_any_text_is_a_quantity_or_none(text: str) -> None:
    parsed = parse_quantity(text)
    assert parsed is None or isinstance(str(parsed), str)
