"""Patches of JSON text: what is not touched stays as it was written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.go_json import go_json
from renderer.document.json_text import JsonTextError, compact, patch_json_text, read_json_text
from renderer.document.patch import ABSENT, Change, PatchError, apply_patch
from renderer.document.values import Value


@dataclass(frozen=True, slots=True)
class Op:
    """One operation."""

    operator: str
    path: str
    value: Value = None


Z = Op("add", "/z", 1)


@pytest.mark.parametrize(
    ("text", "operations", "expected"),
    [
        pytest.param("", [Z], "", id="an-empty-text-stays-empty"),
        pytest.param('{"b" : 1 , "a":[1, 2] }\n', [Z], '{"b":1,"a":[1,2],"z":1}', id="order-kept-space-gone"),
        pytest.param(' {"a":1}', [Z], '{"a":1,"z":1}', id="space-before-a-map"),
        pytest.param("[1] ", [Op("add", "/0", 0)], "[0,1]", id="a-list"),
        pytest.param(
            '{"a":1.0,"b":1e3,"c":1E+3,"d":-0,"e":12345678901234567890123}',
            [Z],
            '{"a":1.0,"b":1e3,"c":1E+3,"d":-0,"e":12345678901234567890123,"z":1}',
            id="numbers-keep-their-spelling",
        ),
        pytest.param(
            r'{"s":"\u00e9\/\u0042","k":{"\u0041":1}}',
            [Z],
            r'{"s":"\u00e9\/\u0042","k":{"\u0041":1},"z":1}',
            id="strings-keep-their-escapes",
        ),
        pytest.param(
            r'{"\u0041":1,"k":{"\u0041":1,"\/":2}}',
            [Op("add", "/k/A", 3)],
            r'{"A":1,"k":{"A":3,"/":2}}',
            id="keys-on-the-path-are-written-anew",
        ),
        pytest.param(
            '{"<k>":"<v>&\u2028\u2029"}',
            [Z],
            r'{"\u003ck\u003e":"\u003cv\u003e\u0026\u2028\u2029","z":1}',
            id="html-characters-are-escaped",
        ),
        pytest.param(
            '{"\x7fé😀":"\x7fé😀"}', [Z], '{"\x7fé😀":"\x7fé😀","z":1}', id="other-characters-are-not"
        ),
        pytest.param(r'{"\b\f\n\t":1}', [Z], r'{"\u0008\u000c\n\t":1,"z":1}', id="short-escapes-of-keys"),
        pytest.param(r'{"a":"\b"}', [Op("add", "/k", "\b\f")], r'{"a":"\b","k":"\b\f"}', id="and-of-values"),
        pytest.param(
            r'{"\ud800":"\ud800"}', [Z], '{"\ufffd":"\\ud800","z":1}', id="half-a-character-in-a-key"
        ),
        pytest.param('{"a":1,"a":2}', [Z], '{"a":2,"a":2,"z":1}', id="repeated-keys-show-the-last-value"),
        pytest.param('{"a":1,"a":2}', [Op("add", "/a", 3)], '{"a":3,"a":3}', id="and-are-set-together"),
        pytest.param('{"a":1,"b":0,"a":2}', [Op("remove", "/a")], '{"b":0,"a":null}', id="removed-once"),
        pytest.param(
            '{"a":1,"a":2}', [Op("remove", "/a"), Op("add", "/a", 5)], '{"a":5}', id="removed-and-set-again"
        ),
        pytest.param('{"x":{"a":1,"a":2}}', [Z], '{"x":{"a":1,"a":2},"z":1}', id="off-the-path-they-stay"),
        pytest.param(
            '{"x":{"a":1,"a":{"b":1}}}',
            [Op("add", "/x/a/c", 5)],
            '{"x":{"a":{"b":1,"c":5},"a":{"b":1,"c":5}}}',
            id="walking-through-a-repeated-key",
        ),
        pytest.param(
            '{"a":1}',
            [Op("add", "/n", {"z": 1.5, "a": [None, True, "<"], "f": 1e21, "g": 1e-7})],
            r'{"a":1,"n":{"a":[null,true,"\u003c"],"f":1e+21,"g":1e-7,"z":1.5}}',
            id="new-values-have-sorted-keys",
        ),
        pytest.param(
            "{}",
            [Op("add", "/n", {"b": 1, "a": {}}), Op("add", "/n/a/c", 2), Op("remove", "/n/b")],
            '{"n":{"a":{"c":2}}}',
            id="a-new-value-can-be-patched-again",
        ),
        pytest.param('{"b":1,"a":2}', [Op("add", "/b", 3)], '{"b":3,"a":2}', id="set-at-its-old-place"),
        pytest.param(
            '{"b":1,"a":2}', [Op("remove", "/b"), Op("add", "/b", 3)], '{"a":2,"b":3}', id="set-again-is-last"
        ),
        pytest.param('{"a":1}', [Op("replace", "", {"c": 1, "b": 2})], '{"b":2,"c":1}', id="replaced-whole"),
        pytest.param('{"a":1}', [Op("replace", "", None)], "null", id="replaced-by-null"),
        pytest.param("null", [Op("add", "", [])], "[]", id="null-can-be-replaced"),
        pytest.param('{"a":{}}', [Op("add", "//a/x", 1)], '{"a":{}}', id="double-slash-changes-nothing"),
        pytest.param(
            "[" * 9999 + "]" * 9999, [Op("add", "/-", 1)], "[" * 9999 + "]" * 9998 + ",1]", id="deep"
        ),
    ],
)
def test_patch(text: str, operations: list[Op], expected: str) -> None:
    assert patch_json_text(text, operations).text == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(" ", "it is not JSON: it ends too early", id="only-space"),
        pytest.param('{"a":1', "it is not JSON: it ends too early", id="cut-off"),
        pytest.param('{"a":1} x', 'it is not JSON: "x" in line 1, column 9 does not belong there', id="rest"),
        pytest.param(
            '{\n "a":01}', 'it is not JSON: "1" in line 2, column 7 does not belong there', id="octal"
        ),
        pytest.param(
            "{'a':1}", """it is not JSON: "'" in line 1, column 2 does not belong there""", id="quotes"
        ),
        pytest.param('{"a":1,}', 'it is not JSON: "}" in line 1, column 8 does not belong there', id="comma"),
        pytest.param(
            "[1,]", 'it is not JSON: "]" in line 1, column 4 does not belong there', id="list-comma"
        ),
        pytest.param("[1}", 'it is not JSON: "}" in line 1, column 3 does not belong there', id="wrong-end"),
        pytest.param(
            '{"a" 1}', 'it is not JSON: "1" in line 1, column 6 does not belong there', id="no-colon"
        ),
        pytest.param(
            "{1:1}", 'it is not JSON: "1" in line 1, column 2 does not belong there', id="number-key"
        ),
        pytest.param("[:]", 'it is not JSON: ":" in line 1, column 2 does not belong there', id="colon"),
        pytest.param('{"a":NaN}', 'it is not JSON: "N" in line 1, column 6 does not belong there', id="nan"),
        pytest.param('{"a":"\t"}', 'it is not JSON: """ in line 1, column 6 does not belong there', id="tab"),
        pytest.param(
            '\ufeff{"a":1}', 'it is not JSON: "\ufeff" in line 1, column 1 does not belong there', id="bom"
        ),
        pytest.param(
            '{"a":1}\xa0', 'it is not JSON: "\xa0" in line 1, column 8 does not belong there', id="nbsp"
        ),
        pytest.param("5", "it is a number, not a map or a list", id="number"),
        pytest.param('"x"', "it is text, not a map or a list", id="text"),
        pytest.param(" [1]", "a list must not have white space before it", id="space-before-a-list"),
    ],
)
def test_what_cannot_be_patched(text: str, message: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        patch_json_text(text, [Z])
    assert str(caught.value) == message


def test_nesting_is_bounded_as_in_go() -> None:
    with pytest.raises(JsonTextError):
        patch_json_text("[" * 10_001 + "]" * 10_001, [Op("add", "/-", 1)])


def test_a_null_text_takes_no_other_operation() -> None:
    with pytest.raises(PatchError):
        patch_json_text("null", [Z])


def test_changes_are_values() -> None:
    text = r'{"a":"\u0041","n":1.50,"m":{"k":[1]},"big":1e999}'
    changes = patch_json_text(
        text, [Op("remove", "/a"), Op("replace", "/n", 2), Op("replace", "/m", None), Op("add", "/t", True)]
    ).changes
    assert changes == (
        Change("/a", "A", ABSENT),
        Change("/n", 1.5, 2),
        Change("/m", {"k": [1]}, None),
        Change("/t", ABSENT, True),
    )


def test_compact_is_the_text_after_a_patch_that_touches_nothing() -> None:
    assert compact(r'{ "\u0041" : 1.0, "b": [ "<" ] }') == r'{"A":1.0,"b":["\u003c"]}'
    assert compact("") == ""


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(st.dictionaries(st.text(max_size=3), values, max_size=4), st.sampled_from([None, 1, " \n"]))
def test_a_patched_text_means_what_the_patched_document_means(
    document: dict[str, Any], indent: int | str | None
) -> None:
    text = json.dumps(document, indent=indent)
    operations = [Op("add", "/new", {"x": [1]}), Op("add", "/new/x/-", "<"), Op("remove", "/new/x/0")]
    expected = apply_patch(document, operations).document
    assert json.loads(patch_json_text(text, operations).text) == json.loads(json.dumps(expected))


@given(values)
def test_read_is_the_inverse_of_write(value: Value) -> None:
    assert read_json_text(go_json(value)) == value
