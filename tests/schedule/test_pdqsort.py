"""The order of equals, beside orders recorded from Go 1.26's sort.Sort."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.schedule.pdqsort import _Run, sort_descending

RECORDED = json.loads((Path(__file__).parent / "go_sort.json").read_text())


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


@pytest.mark.parametrize(("keys", "order"), RECORDED["sort"])
def test_orders_as_go_does(keys: str, order: str) -> None:
    values = numbers(keys)
    assert sort_descending(range(len(values)), values) == numbers(order)


@pytest.mark.parametrize(("keys", "order"), RECORDED["heap"])
def test_heap_sort_orders_as_go_does(keys: str, order: str) -> None:
    # Go falls back to it after too many bad pivots; here it starts with none left.
    run = _Run(keys=numbers(keys), places=list(range(len(numbers(keys)))))
    run.sort(0, len(run.keys), 0)
    assert run.places == numbers(order)


@given(st.lists(st.integers(0, 5), max_size=12))
def test_up_to_twelve_the_order_of_equals_is_kept(keys: list[int]) -> None:
    expected = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
    assert sort_descending(range(len(keys)), keys) == expected


@given(st.lists(st.integers(-3, 30), max_size=200))
def test_every_item_stays_and_stands_in_order(keys: list[int]) -> None:
    order = sort_descending(range(len(keys)), keys)
    assert sorted(order) == list(range(len(keys)))
    assert [keys[index] for index in order] == sorted(keys, reverse=True)
