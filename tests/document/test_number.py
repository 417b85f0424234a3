"""Go's spellings of numbers."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.number import json_spelling, key_spelling, yaml_spelling


@pytest.mark.parametrize(
    ("number", "in_json", "in_yaml", "as_key"),
    [
        (0.0, "0", "0", "0"),
        (-0.0, "-0", "-0", "-0"),
        (1000.0, "1000", "1000", "1000"),
        (999999.0, "999999", "999999", "999999"),
        (1e6, "1000000", "1e+06", "1e+06"),
        (12345678.9, "12345678.9", "1.23456789e+07", "1.2345679e+07"),
        (1e20, "100000000000000000000", "1e+20", "1e+20"),
        (1e21, "1e+21", "1e+21", "1e+21"),
        (0.0001, "0.0001", "0.0001", "0.0001"),
        (0.00001, "0.00001", "1e-05", "1e-05"),
        (0.000001, "0.000001", "1e-06", "1e-06"),
        (1e-7, "1e-7", "1e-07", "1e-07"),
        (1.5e300, "1.5e+300", "1.5e+300", ".inf"),
        (0.1, "0.1", "0.1", "0.1"),
        (16777217.0, "16777217", "1.6777217e+07", "1.6777216e+07"),
    ],
)
def test_spelling(number: float, in_json: str, in_yaml: str, as_key: str) -> None:
    assert json_spelling(number) == in_json
    assert yaml_spelling(number) == in_yaml
    assert key_spelling(number) == as_key


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_spellings_read_back(number: float) -> None:
    assert float(json_spelling(number)) == number
    assert float(yaml_spelling(number)) == number


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_keys_read_back_as_float32(number: float) -> None:
    assert struct.unpack("<f", struct.pack("<f", float(key_spelling(number))))[0] == number
