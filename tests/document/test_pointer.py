"""Pointers and patch paths: how they are split, and where they lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.pointer import (
    PointerError,
    escape,
    join,
    list_index,
    look_up,
    patch_parts,
    replace_at,
    unescape,
)
from renderer.document.values import Value

DOCUMENT: Value = {
    "spec": {"replicas": 3, "list": [{"name": "a"}, "b", None]},
    "a/b": {"~1": "odd"},
    "": {"": "empty"},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a~1b", "a/b", id="slash"),
        pytest.param("a~0b", "a~b", id="tilde"),
        pytest.param("~01", "~1", id="one-pass-left-to-right"),
        pytest.param("~2", "~2", id="unknown-escape-stays"),
        pytest.param("a~", "a~", id="lone-tilde-stays"),
    ],
)
def test_unescape(text: str, expected: str) -> None:
    assert unescape(text) == expected


@given(st.text())
def test_escape_is_undone_by_unescape(token: str) -> None:
    assert unescape(escape(token)) == token
    assert "/" not in escape(token)


@given(st.lists(st.text(), min_size=1))
def test_joined_tokens_are_the_parts_of_the_path(tokens: list[str]) -> None:
    assert patch_parts(join(tokens)) == tuple(tokens)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("", (), id="whole-document"),
        pytest.param("spec", (), id="no-slash-no-parts"),
        pytest.param("spec/replicas", ("replicas",), id="what-stands-before-the-first-slash-is-lost"),
        pytest.param("/", ("",), id="empty-key"),
        pytest.param("/a~1b/", ("a/b", ""), id="trailing-slash-is-an-empty-key"),
    ],
)
def test_patch_parts(path: str, expected: tuple[str, ...]) -> None:
    assert patch_parts(path) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        pytest.param("0", 0, id="zero"),
        pytest.param("007", 7, id="leading-zeros"),
        pytest.param("+1", 1, id="plus"),
        pytest.param("-2", -2, id="minus"),
        pytest.param("-0", 0, id="minus-zero"),
        pytest.param("-", None, id="dash-alone"),
        pytest.param("", None, id="empty"),
        pytest.param("1_0", None, id="no-underscore"),
        pytest.param(" 1", None, id="no-space"),
        pytest.param("٣", None, id="ascii-digits-only"),
        pytest.param("1\n", None, id="no-line-end"),
        pytest.param("9223372036854775807", 2**63 - 1, id="largest"),
        pytest.param("9223372036854775808", None, id="too-large"),
        pytest.param("0" * 65, None, id="too-long"),
    ],
)
def test_list_index(token: str, expected: int | None) -> None:
    assert list_index(token) == expected


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        pytest.param("", DOCUMENT, id="whole-document"),
        pytest.param("/spec/replicas", 3, id="map-keys"),
        pytest.param("/spec/list/0/name", "a", id="list-index"),
        pytest.param("/spec/list/+1", "b", id="signed-index"),
        pytest.param("/spec/list/2", None, id="null-is-a-value"),
        pytest.param("/a~1b/~01", "odd", id="escapes"),
        pytest.param("//", "empty", id="empty-keys-are-keys"),
    ],
)
def test_look_up(pointer: str, expected: Value) -> None:
    assert look_up(DOCUMENT, pointer) == expected


@pytest.mark.parametrize(
    ("pointer", "deepest", "missing", "reason"),
    [
        pytest.param("spec", "", "spec", '"spec" does not start with "/"', id="no-leading-slash"),
        pytest.param("/spec/nope/x", "/spec", "nope", 'there is no "nope"', id="missing-key"),
        pytest.param(
            "/spec/list/3", "/spec/list", "3", "there is no element 3, the list has 3", id="past-the-end"
        ),
        pytest.param("/spec/list/-", "/spec/list", "-", '"-" is no index of a list', id="no-dash"),
        pytest.param(
            "/spec/list/-1", "/spec/list", "-1", "there is no element -1, the list has 3", id="no-negative"
        ),
        pytest.param("/spec/replicas/x", "/spec/replicas", "x", 'a number has no "x"', id="below-a-number"),
        pytest.param("/spec/list/2/x", "/spec/list/2", "x", 'null has no "x"', id="below-null"),
    ],
)
def test_look_up_says_how_far_it_came(pointer: str, deepest: str, missing: str, reason: str) -> None:
    with pytest.raises(PointerError) as caught:
        look_up(DOCUMENT, pointer)
    error = caught.value
    assert (error.deepest, error.missing, str(error)) == (deepest, missing, reason)


def test_replace_at_shares_what_is_not_on_the_way() -> None:
    before: Value = {"a": {"b": [{"c": 1}, {"d": 2}]}, "e": {}}
    after = replace_at(before, "/a/b/0/c", 9)
    assert after == {"a": {"b": [{"c": 9}, {"d": 2}]}, "e": {}}
    assert before == {"a": {"b": [{"c": 1}, {"d": 2}]}, "e": {}}
    assert look_up(after, "/a/b/1") is look_up(before, "/a/b/1")
    assert look_up(after, "/e") is look_up(before, "/e")


def test_replace_at_the_root_gives_the_value() -> None:
    assert replace_at({"a": 1}, "", 5) == 5
