"""The order of keys in go-yaml."""

from __future__ import annotations

from functools import cmp_to_key
from random import Random

import pytest

from renderer.document.natural_order import compare_keys


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(
            ["", "_", "9", "10", "A", "Z", "a", "a-b", "a.b", "a/b", "a_b", "a9", "a10", "z", "é"], id="all"
        ),
        pytest.param(["a1", "a01", "a001", "a2b", "a10b"], id="zeros-in-front"),
        pytest.param(["a1", "a2", "a10", "a100", "ab"], id="prefixes"),
        pytest.param(["a105", "a150", "a1500"], id="zeros-inside"),
        pytest.param(["a5", "a05", "a005x"], id="zeros-alone"),
        pytest.param(["1.9", "1.10", "1a"], id="letters-after-digits"),
        pytest.param(["x9999999999999999999", "x1"], id="numbers-overflow-as-int64"),
    ],
)
def test_order(keys: list[str]) -> None:
    shuffled = Random(1).sample(keys, len(keys))
    assert sorted(shuffled, key=cmp_to_key(compare_keys)) == keys
