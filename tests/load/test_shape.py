"""A document against a schema, and the words for what does not fit."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.load.advice import advise
from renderer.load.field import ROOT, duplicate, invalid
from renderer.load.schemas import compile_schema
from renderer.load.shape import shape, value_at
from tests.load.build import document, report

ZONED: Object = {"type": "object", "additionalProperties": False, "properties": {"zone": {"type": "string"}}}
OWNED: Object = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"owner": {"type": "string", "x-krender-without": "without an owner it is nobody's"}},
}
SCHEMA = compile_schema(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "name": {"type": "string", "minLength": 2, "maxLength": 4},
            "size": {"type": "integer", "minimum": 1, "maximum": 3, "default": 2},
            "code": {"type": "string", "pattern": "^[a-z]+$"},
            "words": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}},
            "groups": {"type": "array", "items": ZONED},
            "small": {"type": "integer", "format": "int32"},
            "big": {"type": "integer"},
            "map": {"type": "object", "additionalProperties": OWNED},
        },
    },
    {},
)


def test_a_document_in_order() -> None:
    shaped = shape(document("name: abc\n"), SCHEMA)
    assert (shaped.value, shaped.problems) == ({"name": "abc", "size": 2}, ())


def test_a_document_with_a_null_to_drop() -> None:
    shaped = shape(document("name: abc\ncode: null\n"), SCHEMA)
    assert (shaped.value, shaped.problems) == ({"name": "abc", "size": 2}, ())


@pytest.mark.parametrize(
    ("line", "what", "fix"),
    [
        pytest.param(
            "name: a", 'name is "a": it must have 2 or more characters', "make it longer", id="short"
        ),
        pytest.param(
            "name: abcde", "name is longer than 4 characters", "shorten it to at most 4 characters", id="long"
        ),
        pytest.param("size: 0", "size is 0: it must be at least 1", "write 1 or more", id="small"),
        pytest.param("size: 4", "size is 4: it must be at most 3", "write 3 or less", id="large"),
        pytest.param(
            "code: A1",
            "code is \"A1\": it does not match '^[a-z]+$'",
            "write something that matches '^[a-z]+$'",
            id="pattern",
        ),
        pytest.param(
            "words: []", "words is []: it must have 1 or more elements", "add what is missing", id="few"
        ),
        pytest.param(
            "words: [a, b, c]",
            'words is ["a", "b", "c"]: it must have 2 or fewer elements',
            "remove what is too much",
            id="many",
        ),
        pytest.param(
            "small: 3000000000",
            "small is 3000000000: it is out of range",
            "write at most 2147483647",
            id="beyond-32-bits",
        ),
        pytest.param(
            "big: 1e30", "big must be a whole number, not 1e+30", "write a whole number", id="beyond-64-bits"
        ),
    ],
)
def test_words(line: str, what: str, fix: str) -> None:
    text = line if line.startswith("name") else f"name: abc\n{line}"
    (problem,) = shape(document(f"{text}\n"), SCHEMA).problems
    assert (problem.what, problem.fix) == (f"the document: {what}", fix)


def test_a_document_of_the_wrong_type() -> None:
    (problem,) = shape(document("- a\n"), SCHEMA).problems
    assert problem.what == "the document must be a map, not a list"


def test_a_field_of_list_elements_has_its_home_there() -> None:
    (problem,) = shape(document("name: abc\nzone: x\n", "a.yaml"), SCHEMA).problems
    assert report(problem).startswith('a.yaml:2:1: the document has no field "zone"\n')
    assert problem.fix == "move it to groups[].zone"


def test_the_reason_is_found_through_maps_of_data() -> None:
    (problem,) = shape(document("name: abc\nmap: {a: {ownr: x}}\n"), SCHEMA).problems
    assert problem.why == "without an owner it is nobody's"


def test_unknown_fields_are_listed_by_path() -> None:
    shaped = shape(document("name: abc\ngroups: [{zon: x}]\n"), SCHEMA)
    assert (shaped.unknown_fields, shaped.errors) == (("groups[0].zon",), ())


def test_errors_are_given_as_a_server_has_them() -> None:
    shaped = shape(document("name: 1\n"), SCHEMA)
    assert [error.message for error in shaped.errors] == [
        'name: Invalid value: "integer": name in body must be of type string: "integer"'
    ]


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [("", {"a": [1]}), ("/a/0", 1), ("/a/1", None), ("/b", None)],
    ids=["whole", "element", "beyond-the-end", "absent"],
)
def test_value_at(pointer: str, expected: object) -> None:
    value: Object = {"a": [1]}
    assert value_at(value, pointer) == expected


def test_an_error_without_advice_of_its_own_is_told_in_karmadas_words() -> None:
    words = advise(invalid(ROOT.child("a"), 1, "is {odd}"), "1", "Kind")
    assert (words.what, words.fix) == ("a: is {odd}", "correct it")


def test_an_error_without_detail_is_told_by_its_message() -> None:
    assert advise(duplicate(ROOT.child("a"), "x"), "x", "Kind").what == 'a: a: Duplicate value: "x"'


AFFINITY: Object = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "clusterNames": {"type": "array", "items": {"type": "string"}},
        "matchLabels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
PLACING = compile_schema(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "targetCluster": AFFINITY,
            "clusterAffinities": {"type": "array", "items": AFFINITY},
            "predicate": {"type": "object"},
            "clusters": {"type": "array", "items": {"type": "object"}},
            "labelSelector": AFFINITY,
            "weight": {"type": "integer", "minimum": 1},
        },
    },
    {},
)


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("predicate: /spec/image", 'write a map: {path: "/spec/image"}'),
        ("clusters: [east]", 'write a map: {name: "east"}'),
        ("targetCluster: east", 'write a map: {clusterNames: ["east"]}'),
        ("targetCluster: [east]", 'write a map: {clusterNames: ["east"]}'),
        ("clusterAffinities: [east]", 'write a map: {clusterNames: ["east"]}'),
        ("predicate: [a]", "write a map"),
        ("labelSelector: app=web", "write a map"),
        ("labelSelector: {app: web}", "write it in matchLabels: {app: …}"),
        ("weight: 0", "write 1 or more, or take the entry out: clusters without a weight get nothing"),
    ],
)
def test_what_was_meant_by_a_shorthand(line: str, fix: str) -> None:
    (problem,) = shape(document(f"{line}\n"), PLACING).problems
    assert problem.fix == fix
