"""Whether a value conforms, in an API server's words."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.load.conformity import check
from renderer.load.field import ROOT
from renderer.load.schemas import compile_schema

PATH = ROOT.child("spec", "x")
INVALID, TYPE, REQUIRED = "FieldValueInvalid", "FieldValueTypeInvalid", "FieldValueRequired"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        pytest.param({"type": "string"}, "a", [], id="right-type"),
        pytest.param({}, {"a": None}, [], id="any-type"),
        pytest.param({"type": ["string", "null"]}, None, [], id="admitted-null"),
        pytest.param({"type": "number"}, 1, [], id="whole-number-is-a-number"),
        pytest.param({"type": "integer"}, 2.0, [], id="float-without-fraction-is-whole"),
        pytest.param(
            {"type": "string"},
            1,
            [(TYPE, "spec.x", 'spec.x in body must be of type string: "integer"')],
            id="number-for-text",
        ),
        pytest.param(
            {"type": "string"},
            None,
            [(TYPE, "spec.x", 'spec.x in body must be of type string: "null"')],
            id="null-for-text",
        ),
        pytest.param(
            {"type": "string"},
            2**64,
            [(TYPE, "spec.x", 'spec.x in body must be of type string: "number"')],
            id="beyond-64-bits-is-a-float",
        ),
        pytest.param(
            {"type": "object"},
            [],
            [(TYPE, "spec.x", 'spec.x in body must be of type object: "array"')],
            id="list-for-map",
        ),
        pytest.param(
            {"type": "array"},
            {},
            [(TYPE, "spec.x", 'spec.x in body must be of type array: "object"')],
            id="map-for-list",
        ),
        pytest.param(
            {"type": "integer", "format": "int32"},
            True,
            [(TYPE, "spec.x", 'spec.x in body must be of type int32: ""')],
            id="format-is-named-for-a-bool",
        ),
        pytest.param(
            {"type": "integer", "format": "int32"},
            "1",
            [(TYPE, "spec.x", 'spec.x in body must be of type integer: "string"')],
            id="format-is-not-named-for-text",
        ),
        pytest.param(
            {"type": "integer"},
            1.5,
            [
                (TYPE, "spec.x", 'spec.x in body must be of type integer: "number"'),
                (INVALID, "<nil>", "Checked value must be of type integer (default format) in spec.x"),
            ],
            id="fraction-loses-the-path",
        ),
        pytest.param(
            {"type": "integer", "format": "int32"},
            2**31,
            [(INVALID, "<nil>", "Checked value must be of type integer with format int32 in spec.x")],
            id="beyond-32-bits",
        ),
        pytest.param(
            {"type": ["integer", "string"]},
            1.5,
            [
                (TYPE, "spec.x", 'spec.x in body must be of type integer,string: "number"'),
                (TYPE, "spec.x", 'spec.x in body must be of type integer: "number"'),
                (INVALID, "<nil>", '"spec.x" must validate at least one schema (anyOf)'),
                (INVALID, "<nil>", "Checked value must be of type integer (default format) in spec.x"),
            ],
            id="neither-number-nor-text",
        ),
        pytest.param(
            {"type": ["integer", "string"]},
            True,
            [
                (TYPE, "spec.x", 'spec.x in body must be of type integer,string: "boolean"'),
                (TYPE, "spec.x", 'spec.x in body must be of type integer: "boolean"'),
                (INVALID, "<nil>", '"spec.x" must validate at least one schema (anyOf)'),
            ],
            id="bool-is-no-number",
        ),
        pytest.param(
            {"type": "string", "enum": ["A", "B"]},
            "a",
            [("FieldValueNotSupported", "spec.x", 'supported values: "A", "B"')],
            id="word-not-listed",
        ),
        pytest.param(
            {"type": "integer", "minimum": 1},
            0,
            [(INVALID, "spec.x", "spec.x in body should be greater than or equal to 1")],
            id="too-small",
        ),
        pytest.param(
            {"type": "integer", "maximum": 1},
            2,
            [(INVALID, "spec.x", "spec.x in body should be less than or equal to 1")],
            id="too-large",
        ),
        pytest.param(
            {"type": "string", "maxLength": 1},
            "ab",
            [("FieldValueTooLong", "spec.x", "may not be more than 1 bytes")],
            id="too-long",
        ),
        pytest.param(
            {"type": "string", "minLength": 1},
            "",
            [(INVALID, "spec.x", "spec.x in body should be at least 1 chars long")],
            id="too-short",
        ),
        pytest.param(
            {"type": "string", "pattern": "^a$"},
            "b",
            [(INVALID, "spec.x", "spec.x in body should match '^a$'")],
            id="not-the-pattern",
        ),
        pytest.param(
            {"type": "array", "minItems": 1},
            [],
            [(INVALID, "spec.x", "spec.x in body should have at least 1 items")],
            id="too-few",
        ),
        pytest.param(
            {"type": "array", "maxItems": 1},
            [1, 2],
            [("FieldValueTooMany", "spec.x", "must have at most 1 items")],
            id="too-many",
        ),
        pytest.param(
            {"type": "array", "items": {"type": "string"}},
            ["a", 1],
            [(TYPE, "spec.x[1]", 'spec.x[1] in body must be of type string: "integer"')],
            id="wrong-element",
        ),
        pytest.param(
            {"type": "object", "required": ["a"]}, {}, [(REQUIRED, "spec.x.a", "")], id="missing-field"
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"a.b/c": 1},
            [(TYPE, "spec.x.a.b/c", 'spec.x.a.b/c in body must be of type string: "integer"')],
            id="wrong-entry",
        ),
    ],
)
def test_check(schema: Object, value: Value, expected: list[tuple[str, str, str]]) -> None:
    errors = check(value, compile_schema(schema, {}), PATH)
    assert [(error.type, error.field, error.detail) for error in errors] == expected


def test_a_pointer_finds_the_entry_whose_path_is_ambiguous() -> None:
    schema = compile_schema({"type": "object", "additionalProperties": {"type": "string"}}, {})
    (error,) = check({"a.b/c": 1}, schema, ROOT.child("spec"))
    assert error.pointer == "/spec/a.b~1c"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param("a<b", 'spec.x: Invalid value: "a\\u003cb": d', id="markup-escaped"),
        pytest.param(False, "spec.x: Invalid value: false: d", id="bool"),
        pytest.param({"a": [1]}, 'spec.x: Invalid value: {"a":[1]}: d', id="compact"),
    ],
)
def test_message_is_what_a_server_prints(value: Value, message: str) -> None:
    from renderer.load.field import invalid

    assert invalid(PATH, value, "d").message == message
