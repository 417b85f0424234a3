"""The trip through Karmada's structs."""

from __future__ import annotations

import pytest

from renderer.document.values import Value
from renderer.load.typed import (
    BOOL,
    INT,
    INT32,
    TEXT,
    Amounts,
    Anything,
    DecodeError,
    Field,
    GoType,
    ListOf,
    Pointer,
    Struct,
    TextMap,
    Time,
    go_number,
    may,
    need,
    normal_form,
    word,
)

INNER = Struct("v1.Inner", (need("a"), may("n", INT)))
OUTER = Struct(
    "v1.Outer",
    (
        need("text"),
        need("list", ListOf(INNER)),
        may("flag", BOOL),
        may("pointer", Pointer(INT32)),
        may("words", ListOf(TEXT)),
        may("map", TextMap()),
        may("inner", INNER),
        may("any", Anything()),
        may("at", Time()),
        may("amounts", Amounts()),
        Field("deep", Pointer(INNER), omit_empty=True, embedded="Base"),
    ),
)
ZERO = {"text": "", "list": None, "inner": {"a": ""}, "any": None}


@pytest.mark.parametrize(
    ("given_value", "changes"),
    [
        pytest.param({}, {}, id="zero-values-appear"),
        pytest.param(None, {}, id="null-is-empty"),
        pytest.param({"flag": False, "words": [], "map": {}}, {}, id="empty-optional-fields-go"),
        pytest.param({"pointer": 0}, {"pointer": 0}, id="a-pointer-keeps-its-zero"),
        pytest.param({"list": []}, {"list": []}, id="an-empty-list-is-not-no-list"),
        pytest.param({"list": [None]}, {"list": [{"a": ""}]}, id="null-element-becomes-an-empty-struct"),
        pytest.param({"words": [None]}, {"words": [""]}, id="null-element-becomes-empty-text"),
        pytest.param({"map": {"b": "1", "a": None}}, {"map": {"a": "", "b": "1"}}, id="keys-sorted"),
        pytest.param({"map": None, "at": None}, {}, id="nulls-are-absent"),
        pytest.param({"pointer": 2.0}, {"pointer": 2}, id="whole-float-becomes-whole"),
        pytest.param({"unknown": 1}, {}, id="unknown-field-ignored"),
        pytest.param({"any": {"b": [None], "a": 1}}, {"any": {"b": [None], "a": 1}}, id="anything-kept"),
        pytest.param({"at": "2024-01-02T03:04:05Z"}, {"at": "2024-01-02T03:04:05Z"}, id="time"),
        pytest.param({"amounts": {"cpu": 1}}, {"amounts": {"cpu": 1}}, id="amounts"),
    ],
)
def test_trip(given_value: Value, changes: dict[str, Value]) -> None:
    assert normal_form(given_value, OUTER) == {**ZERO, **changes}


def test_keys_come_in_the_order_of_the_struct() -> None:
    result = normal_form({"flag": True, "text": "x", "words": ["a"]}, OUTER)
    assert isinstance(result, dict)
    assert list(result) == ["text", "list", "flag", "words", "inner", "any"]


@pytest.mark.parametrize(
    ("given_value", "message"),
    [
        pytest.param([], "array into Go value of type v1.Outer", id="top"),
        pytest.param(
            {"text": 1}, "number into Go struct field Outer.text of type string", id="number-for-text"
        ),
        pytest.param(
            {"flag": "x"}, "string into Go struct field Outer.flag of type bool", id="text-for-bool"
        ),
        pytest.param(
            {"pointer": True}, "bool into Go struct field Outer.pointer of type int32", id="bool-for-number"
        ),
        pytest.param(
            {"pointer": 1.5}, "number 1.5 into Go struct field Outer.pointer of type int32", id="fraction"
        ),
        pytest.param(
            {"pointer": 2**31},
            "number 2147483648 into Go struct field Outer.pointer of type int32",
            id="too-large",
        ),
        pytest.param(
            {"list": [{"n": "x"}]}, "string into Go struct field Inner.list.n of type int", id="inside-a-list"
        ),
        pytest.param(
            {"list": {}}, "object into Go struct field Outer.list of type []v1.Inner", id="map-for-list"
        ),
        pytest.param(
            {"words": [[]]}, "array into Go struct field Outer.words of type string", id="list-for-word"
        ),
        pytest.param(
            {"map": []}, "array into Go struct field Outer.map of type map[string]string", id="list-for-map"
        ),
        pytest.param(
            {"map": {"a": 1}}, "number into Go struct field Outer.map of type string", id="number-in-a-map"
        ),
        pytest.param(
            {"inner": 1}, "number into Go struct field Outer.inner of type v1.Inner", id="number-for-struct"
        ),
        pytest.param(
            {"at": "yesterday"}, "string into Go struct field Outer.at of type v1.Time", id="no-time"
        ),
        pytest.param(
            {"amounts": []},
            "array into Go struct field Outer.amounts of type v1.ResourceList",
            id="no-amounts",
        ),
        pytest.param(
            {"deep": {"a": 1}}, "number into Go struct field Inner.Base.deep.a of type string", id="embedded"
        ),
        pytest.param(
            {"words": 1, "flag": 1}, "number into Go struct field Outer.flag of type bool", id="first-by-key"
        ),
    ],
)
def test_what_cannot_be_read(given_value: Value, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        normal_form(given_value, OUTER)
    assert str(caught.value) == f"json: cannot unmarshal {message}"


@pytest.mark.parametrize(
    ("kind", "name"),
    [(word("v1.Word"), "v1.Word"), (Anything(), "v1.JSON"), (Pointer(TEXT), "string")],
    ids=["named-word", "anything", "pointer"],
)
def test_type_names(kind: GoType, name: str) -> None:
    from renderer.load.typed import type_name

    assert type_name(kind) == name


@pytest.mark.parametrize(
    ("number", "text"),
    [(5, "5"), (2**63, "9223372036854775808"[:0] + "9223372036854775808"), (1.5, "1.5"), (1e21, "1e+21")],
    ids=["integer", "beyond-64-bits", "fraction", "exponent"],
)
def test_go_number(number: float, text: str) -> None:
    assert go_number(number)[:3] == text[:3]
