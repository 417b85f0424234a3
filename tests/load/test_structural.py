"""Pruning, dropping nulls and defaulting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Value
from renderer.load.conformity import check
from renderer.load.schemas import compile_schema
from renderer.load.settle import UNSETTLED, Unsettled, settled
from renderer.load.structural import normalise

SCHEMA = compile_schema(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "count": {"type": "integer", "default": 1},
            "kind": {"type": "string", "enum": ["A", "B"]},
            "note": {"type": ["string", "null"]},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "list": {
                "type": "array",
                "minItems": 1,
                "maxItems": 2,
                "items": {"type": "integer", "default": 7},
            },
            "texts": {"type": "array", "items": {"type": "string"}},
            "plain": {"type": "array"},
            "any": {},
            "free": {"type": "object"},
            "part": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"mode": {"type": "string", "default": "x"}},
            },
        },
    },
    {},
)


@pytest.mark.parametrize(
    ("given_value", "expected", "unknown"),
    [
        pytest.param({"count": 2}, {"count": 2}, (), id="what-is-known-stays"),
        pytest.param({"x": 1, "count": 2}, {"count": 2}, ("x",), id="unknown-field-goes"),
        pytest.param({}, {"count": 1}, (), id="default-is-filled-in"),
        pytest.param({"count": None}, {"count": 1}, (), id="null-becomes-the-default"),
        pytest.param({"name": None, "count": 2}, {"count": 2}, (), id="null-without-default-goes"),
        pytest.param({"note": None, "count": 2}, {"note": None, "count": 2}, (), id="nullable-null-stays"),
        pytest.param({"part": {}, "count": 2}, {"part": {"mode": "x"}, "count": 2}, (), id="default-below"),
        pytest.param(
            {"labels": {"a": None}, "count": 2}, {"labels": {}, "count": 2}, (), id="null-in-a-map-goes"
        ),
        pytest.param(
            {"list": [None], "count": 2}, {"list": [7], "count": 2}, (), id="null-element-is-defaulted"
        ),
        pytest.param(
            {"plain": [{"a": None}], "count": 2},
            {"plain": [{"a": None}], "count": 2},
            (),
            id="items-without-schema-stay",
        ),
        pytest.param(
            {"any": {"a": [None]}, "count": 2}, {"any": {"a": [None]}, "count": 2}, (), id="anything-stays"
        ),
        pytest.param(
            {"free": {"a": None}, "count": 2}, {"free": {"a": None}, "count": 2}, (), id="free-map-stays"
        ),
        pytest.param(
            {"name": {"a": 1}, "count": 2}, {"name": {}, "count": 2}, ("name.a",), id="map-instead-of-text"
        ),
        pytest.param(
            {"name": [[{"a": 1}]], "count": 2},
            {"name": [[{}]], "count": 2},
            ("name[0][0].a",),
            id="lists-instead-of-text",
        ),
        pytest.param("text", "text", (), id="no-object-at-all"),
    ],
)
def test_normalise(given_value: Value, expected: Value, unknown: tuple[str, ...]) -> None:
    value, fields = normalise(given_value, SCHEMA)
    assert (value, tuple(str(field.path) for field in fields)) == (expected, unknown)


def test_unchanged_values_are_shared() -> None:
    value: Value = {"count": 2, "part": {"mode": "y"}, "list": [1]}
    assert normalise(value, SCHEMA)[0] is value


def test_changed_values_share_their_other_parts() -> None:
    part: Value = {"mode": "y"}
    value, _ = normalise({"part": part, "x": 1}, SCHEMA)
    assert isinstance(value, dict)
    assert value["part"] is part


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        pytest.param({"name": "a", "count": 2}, {"name": "a", "count": 2}, id="as-it-is"),
        pytest.param({"name": "a"}, {"name": "a", "count": 1}, id="with-defaults"),
        pytest.param({"name": "a", "texts": ["b"]}, {"name": "a", "texts": ["b"], "count": 1}, id="texts"),
        pytest.param(
            {
                "name": "a",
                "part": {},
                "list": [1],
                "labels": {"x": "y"},
                "plain": [None],
                "any": 1,
                "free": {"a": 1},
            },
            {
                "name": "a",
                "part": {"mode": "x"},
                "list": [1],
                "labels": {"x": "y"},
                "plain": [None],
                "any": 1,
                "free": {"a": 1},
                "count": 1,
            },
            id="defaults-below",
        ),
    ],
)
def test_what_is_in_order_is_settled(given_value: Value, expected: Value) -> None:
    assert settled(given_value, SCHEMA) == expected


@pytest.mark.parametrize(
    "given_value",
    [
        pytest.param({"x": 1, "name": "a"}, id="unknown-field"),
        pytest.param({"count": 1}, id="missing-field"),
        pytest.param({"name": None}, id="null"),
        pytest.param({"name": "a", "count": True}, id="wrong-scalar"),
        pytest.param({"name": "a", "kind": "C"}, id="wrong-word"),
        pytest.param({"name": "a", "list": []}, id="too-short-a-list"),
        pytest.param({"name": "a", "list": [1, 2, 3]}, id="too-long-a-list"),
        pytest.param({"name": "a", "list": [1.5]}, id="wrong-element"),
        pytest.param({"name": "a", "part": []}, id="list-instead-of-map"),
        pytest.param({"name": "a", "list": {}}, id="map-instead-of-list"),
        pytest.param([], id="list-at-the-top"),
    ],
)
def test_what_is_not_in_order_is_not_settled(given_value: Value) -> None:
    assert settled(given_value, SCHEMA) is UNSETTLED


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from([1.0, 1.5, "A", "x"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["name", "count", "list", "labels", "part", "mode", "plain"]), inner),
    ),
    max_leaves=8,
)


@given(_VALUES)
def test_the_quick_way_gives_what_the_slow_way_gives(value: Value) -> None:
    quick = settled(value, SCHEMA)
    slow, unknown = normalise(value, SCHEMA)
    if not isinstance(quick, Unsettled):
        assert (quick, unknown, list(check(slow, SCHEMA))) == (slow, (), [])


@given(_VALUES)
def test_normalising_twice_changes_nothing(value: Value) -> None:
    once, _ = normalise(value, SCHEMA)
    assert normalise(once, SCHEMA) == (once, ())
