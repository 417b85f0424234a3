"""The order of keys: as they came, in what a script makes; sorted, in what it is given."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Value

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import answer

KEYS = 'local s = "" for k in pairs({}) do s = s .. k .. " " end return s'


def keys(table: str) -> Value:
    return answer(KEYS.replace("{}", table))


def test_keys_come_as_they_were_set() -> None:
    assert keys("{z = 1, a = 2, 3, m = 4, [0] = 5}") == "1 z a m 0 "


def test_a_key_that_returns_takes_its_old_place() -> None:
    made = "(function() local t = {z = 1, a = 2} t.z = nil t.b = 3 t.z = 4 return t end)()"
    assert keys(made) == "z a b "


@given(st.permutations(["zeta", "alpha", "Omega", "é", "a.b", "10", "9"]))
def test_the_order_of_a_file_does_not_matter(names: list[str]) -> None:
    body = 'local s = "" for k in pairs(obj) do s = s .. k .. " " end return s'
    assert answer(body, dict.fromkeys(names, 1)) == "10 9 Omega a.b alpha zeta é "


documents = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda below: (
        st.lists(below, min_size=1, max_size=3) | st.dictionaries(st.text(max_size=3), below, min_size=1)
    ),
    max_leaves=10,
)


@given(documents)
def test_values_come_back_as_they_went(value: Value) -> None:
    returned = answer("return obj.it", {"it": value})
    assert json.dumps(returned, sort_keys=True) == json.dumps(value, sort_keys=True)
