"""Where the parts of a document stand in its file."""

from __future__ import annotations

import pytest

from renderer.document.problem import Position
from renderer.document.read import read_stream
from renderer.document.source import Document

TEXT = """\
a: 1
---
# c
é: ü
list:
- x
-   k: v
    "q/~": [1, {z: 2}]
-
? complex
: value
base: &b
  m: 1
copy: *b
merged:
  own: 2
  <<: *b
yes: block
text: |
  line
"""


def document(text: str, number: int = 0) -> Document:
    """The document of that number of a file."""
    return read_stream(text.encode(), "f.yaml")[number]


@pytest.mark.parametrize(
    ("pointer", "key", "value"),
    [
        pytest.param("", "4:1", "4:1", id="the-document"),
        pytest.param("/é", "4:1", "4:4", id="first-key"),
        pytest.param("/list", "5:1", "6:1", id="list"),
        pytest.param("/list/0", "6:3", "6:3", id="element"),
        pytest.param("/list/1", "7:5", "7:5", id="map-as-element"),
        pytest.param("/list/1/k", "7:5", "7:8", id="key-in-element"),
        pytest.param("/list/1/q~1~0", "8:5", "8:12", id="escaped-key"),
        pytest.param("/list/1/q~1~0/1/z", "8:17", "8:20", id="in-brackets"),
        pytest.param("/list/2", "9:2", "9:2", id="empty-element"),
        pytest.param("/list/9", "5:1", "5:1", id="absent-element"),
        pytest.param("/list/1/absent/deep", "7:5", "7:5", id="absent-key"),
        pytest.param("/complex", "10:3", "11:3", id="complex-key"),
        pytest.param("/copy/m", "14:1", "14:1", id="behind-an-alias"),
        pytest.param("/merged/m", "17:3", "17:3", id="merged"),
        pytest.param("/merged/own", "16:3", "16:8", id="beside-a-merge"),
        pytest.param("/true", "18:1", "18:6", id="key-as-json-spells-it"),
        pytest.param("/text", "19:1", "19:7", id="block"),
        pytest.param("/nowhere", "4:1", "4:1", id="absent-from-the-document"),
    ],
)
def test_where(pointer: str, key: str, value: str) -> None:
    found = document(TEXT, 1)
    assert str(found.where(pointer)) == f"f.yaml:{key}"
    assert str(found.where_value(pointer)) == f"f.yaml:{value}"


def test_below_keeps_the_place() -> None:
    whole = document("kind: List\nitems:\n- a: 1\n- a: 2\n")
    item = whole.below("/items/1", {"a": 2})
    assert item.value == {"a": 2}
    assert str(item.where()) == "f.yaml:4:3"
    assert str(item.where_value("/a")) == "f.yaml:4:6"
    assert str(item.where("/b")) == "f.yaml:4:3"


@pytest.mark.parametrize(
    ("pointer", "key", "value"),
    [
        ("", "2:2", "2:2"),
        ("/a", "2:3", "2:7"),
        ("/a/1", "3:2", "3:2"),
        ("/a/1/b~1c", "3:3", "3:13"),
        ("/a/1/é", "3:17", "3:28"),
        ("/a/2", "2:3", "2:3"),
    ],
)
def test_where_in_json(pointer: str, key: str, value: str) -> None:
    text = '\n {"a":[1,\r\n {"b\\/c" :  "x","\\u00e9" : {}}]}\n{"z": 1}'
    found = document(text)
    assert str(found.where(pointer)) == f"f.yaml:{key}"
    assert str(found.where_value(pointer)) == f"f.yaml:{value}"
    assert str(document(text, 1).where("/z")) == "f.yaml:4:2"


def test_lines_are_an_editors() -> None:
    found = document("a: x\u2028 y\r\nb: z\u0085\r\nc: 1\r\n")
    assert [str(found.where(pointer)) for pointer in ("/a", "/b", "/c")] == [
        "f.yaml:1:1",
        "f.yaml:2:1",
        "f.yaml:3:1",
    ]


def test_a_mark_in_front_takes_no_column() -> None:
    assert str(document("\ufeffa: 1\n").where("/a")) == "f.yaml:1:1"


def test_excerpt() -> None:
    found = document(TEXT, 1)
    assert found.excerpt(found.where("/é")) == "é: ü"
    assert found.excerpt(Position("f.yaml", 1, 1)) == ""
    assert found.excerpt(Position("other.yaml", 4, 1)) == ""
    second = document('  {"a":1} {"b":2}', 1)
    assert second.excerpt(second.where("/b")) == '          {"b":2}'


@pytest.mark.parametrize(
    ("pointer", "spelt"),
    [
        pytest.param("/a", "1.10", id="a-number"),
        pytest.param("/b/0", "012", id="in-a-list"),
        pytest.param("/b/1", "on", id="a-truth"),
        pytest.param("/c", "", id="in-quotes"),
        pytest.param("/d", "", id="with-an-anchor"),
        pytest.param("/b", "", id="a-list"),
        pytest.param("/nope", "", id="absent"),
    ],
)
def test_scalars_as_they_are_spelt(pointer: str, spelt: str) -> None:
    assert document("a: 1.10 # x\nb: [012, on]\nc: '1'\nd: &d 1.0\n").spelled(pointer) == spelt


def test_keys_that_nobody_could_read_have_a_place() -> None:
    found = Document(value=None, file="f.yaml", text="~: 1\n!!int x: 2\n? [a]\n: 3\nb: &b 4\n*b : 5\nc: [\n")
    assert [str(found.where(pointer)) for pointer in ("/~0", "/x", "/b", "/4")] == [
        "f.yaml:1:1",
        "f.yaml:2:1",
        "f.yaml:5:1",
        "f.yaml:6:1",
    ]


def test_what_was_made_without_a_text_has_a_place() -> None:
    for is_json in (False, True):
        made = Document(value={"a": 1}, file="f.yaml", is_json=is_json)
        assert made.where("/a") == Position("f.yaml", 1, 1)
