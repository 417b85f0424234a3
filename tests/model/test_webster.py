"""Division of replicas: the worked examples, the ties, and the laws."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.webster import Round, apportion, breaks_ties_descending, rounds, webster

names = st.text("abcxyz", min_size=1, max_size=3)
weights = st.dictionaries(names, st.integers(1, 40) | st.integers(1, 2**40), min_size=1, max_size=12)
uids = st.sampled_from(["", "a", "b", "fe08e1cd-e3dd-44b4-b076-da2e0d3901ed"])


def by_definition(seats: int, votes: dict[str, int], *, descending: bool) -> dict[str, int]:
    """Seat by seat over all parties, as slowly and plainly as it can be said."""
    held = dict.fromkeys(sorted(votes, reverse=descending), 0)
    for _ in range(seats):
        # min() keeps the first of equals, and the parties stand in the order of the tie-break.
        held[min(held, key=lambda name: (-(float(votes[name]) / (2 * held[name] + 1)), held[name]))] += 1
    return dict(sorted(held.items()))


@pytest.mark.parametrize(
    ("seats", "weights", "uid", "expected"),
    [
        pytest.param(9, {"m1": 1, "m2": 2}, "", {"m1": 3, "m2": 6}, id="exact-proportion"),
        pytest.param(9, {"m1": 1, "m2": 3}, "", {"m1": 2, "m2": 7}, id="rounds-to-nearest"),
        pytest.param(3, {"m1": 3, "m2": 1}, "", {"m1": 2, "m2": 1}, id="tie-goes-to-fewer-seats"),
        pytest.param(2, {"m1": 3, "m2": 1}, "", {"m1": 1, "m2": 1}, id="small-party-is-served-early"),
        pytest.param(1, {"b": 1, "a": 1}, "", {"a": 1, "b": 0}, id="tie-goes-to-lower-name"),
        pytest.param(11, {"a": 1, "b": 1, "c": 1}, "", {"a": 4, "b": 4, "c": 3}, id="without-uid-ascending"),
        pytest.param(11, {"a": 1, "b": 1, "c": 1}, "a", {"a": 4, "b": 4, "c": 3}, id="odd-uid-ascending"),
        pytest.param(11, {"a": 1, "b": 1, "c": 1}, "b", {"a": 3, "b": 4, "c": 4}, id="even-uid-descending"),
        pytest.param(0, {"a": 2, "b": 1}, "", {"a": 0, "b": 0}, id="no-seats-are-still-a-result"),
        pytest.param(5, {"a": 0, "b": 0}, "", {}, id="no-weight-no-result"),
        pytest.param(5, {}, "", {}, id="nobody-to-divide-among"),
        pytest.param(5, {"a": 0, "b": 2}, "", {"a": 0, "b": 5}, id="weight-zero-gets-nothing-beside-others"),
        pytest.param(-3, {"a": 1}, "", {"a": 0}, id="negative-seats-are-none"),
        pytest.param(
            4, {"a": -5, "b": -2}, "", {"a": 0, "b": 4}, id="wrapped-negative-weights-least-bad-first"
        ),
        pytest.param(5, {"a": -5, "b": 0, "c": 0}, "", {"a": 0, "b": 3, "c": 2}, id="zero-beats-negative"),
    ],
)
def test_webster(seats: int, weights: dict[str, int], uid: str, expected: dict[str, int]) -> None:
    result = webster(seats, weights, uid)
    assert result == expected
    assert list(result) == sorted(result)


def test_quotients_are_compared_as_doubles() -> None:
    # 2^53 + 1 and 2^53 are one double: a tie, which the name decides, against the larger weight.
    assert webster(1, {"a": 2**53, "b": 2**53 + 1}) == {"a": 1, "b": 0}


@pytest.mark.parametrize(("uid", "descending"), [("", False), ("a", False), ("b", True), ("ab", False)])
def test_uid_decides_direction_of_ties(uid: str, descending: bool) -> None:
    assert breaks_ties_descending(uid) is descending


@given(uids)
def test_direction_is_the_low_bit_of_fnv(uid: str) -> None:
    state = 0x811C9DC5
    for byte in uid.encode():
        state = (state ^ byte) * 0x01000193 % 2**32
    assert breaks_ties_descending(uid) is (bool(uid) and state & 1 == 1)


@given(st.integers(0, 300), weights, uids)
def test_agrees_with_the_definition(seats: int, weights: dict[str, int], uid: str) -> None:
    assert webster(seats, weights, uid) == by_definition(
        seats, weights, descending=breaks_ties_descending(uid)
    )


@given(st.integers(0, 10**9), weights)
def test_no_replica_is_lost_or_invented(seats: int, weights: dict[str, int]) -> None:
    result = webster(seats, weights)
    assert sum(result.values()) == seats
    assert min(result.values()) >= 0


@given(st.integers(0, 200), weights, uids)
def test_order_of_clusters_does_not_matter(seats: int, weights: dict[str, int], uid: str) -> None:
    assert webster(seats, dict(reversed(weights.items())), uid) == webster(seats, weights, uid)


@given(st.integers(0, 200), weights)
def test_one_more_replica_takes_none_away(seats: int, weights: dict[str, int]) -> None:
    before, after = webster(seats, weights), webster(seats + 1, weights)
    assert sum(after[name] - before[name] for name in weights) == 1
    assert all(after[name] >= before[name] for name in weights)


@given(st.integers(0, 60), weights, uids)
def test_rounds_tell_the_same_division(seats: int, weights: dict[str, int], uid: str) -> None:
    told = list(rounds(seats, weights, uid))
    assert [step.seat for step in told] == list(range(1, seats + 1))
    won = Counter(step.winner for step in told)
    assert {name: won[name] for name in weights} == webster(seats, weights, uid)


def test_rounds_name_quotient_and_tie() -> None:
    first, second, third = rounds(3, {"m1": 3, "m2": 1})
    assert first == Round(seat=1, winner="m1", weight=3, held=0, quotient=3.0)
    assert second == Round(seat=2, winner="m2", weight=1, held=0, quotient=1.0, tied=("m1",))
    assert third == Round(seat=3, winner="m1", weight=3, held=1, quotient=1.0)


def test_rounds_without_any_weight_are_none() -> None:
    assert not list(rounds(3, {"a": 0}))


def test_many_equal_parties() -> None:
    # The first guess of the head start would give everybody two seats, which is more than there are.
    assert apportion(165, [7] * 100) == [2] * 65 + [1] * 35


def test_cost_does_not_follow_seats() -> None:
    start = time.process_time()
    result = apportion(2**31 - 1, [7 * party % 1009 + 1 for party in range(2_000)])
    assert sum(result) == 2**31 - 1
    assert time.process_time() - start < 1
