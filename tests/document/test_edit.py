"""Changing one place of an object and sharing the rest."""

from __future__ import annotations

import pytest

from renderer.document.edit import PathError, found, placed, removed
from renderer.document.values import Object

BODY: Object = {"spec": {"replicas": 3, "empty": None}, "other": {"a": "b"}, "list": []}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(("spec", "replicas"), (3, True), id="there"),
        pytest.param(("spec", "gone"), (None, False), id="absent"),
        pytest.param(("spec", "empty"), (None, True), id="null-is-there"),
        pytest.param(("spec", "empty", "x"), (None, False), id="but-nothing-is-below-it"),
        pytest.param(("gone", "x"), (None, False), id="absent-on-the-way"),
    ],
)
def test_found(keys: tuple[str, ...], expected: tuple[object, bool]) -> None:
    assert found(BODY, *keys) == expected


@pytest.mark.parametrize("keys", [("list", "x"), ("spec", "replicas", "x")])
def test_something_else_on_the_way_is_an_error(keys: tuple[str, ...]) -> None:
    with pytest.raises(PathError):
        found(BODY, *keys)
    with pytest.raises(PathError):
        placed(BODY, 1, *keys)


def test_placed_makes_what_is_missing_and_shares_the_rest() -> None:
    changed = placed(BODY, 5, "spec", "template", "replicas")
    assert changed == {**BODY, "spec": {"replicas": 3, "empty": None, "template": {"replicas": 5}}}
    assert changed["other"] is BODY["other"]
    assert "template" not in str(BODY)


def test_removed_shares_the_rest() -> None:
    changed = removed(BODY, "spec", "replicas")
    assert changed == {**BODY, "spec": {"empty": None}}
    assert changed["other"] is BODY["other"]


@pytest.mark.parametrize("keys", [("gone",), ("spec", "gone"), ("list", "x"), ("spec", "empty", "x")])
def test_removing_what_is_not_there_gives_the_same_object(keys: tuple[str, ...]) -> None:
    assert removed(BODY, *keys) is BODY
