"""A list that has lost too much is not given, whatever the question and across starts."""

from __future__ import annotations

import pytest

from renderer.model.guards import Budget
from renderer.view.serve import ledger as module
from renderer.view.serve.ledger import Ledger, encoded, recall
from renderer.view.serve.question import Question, question
from renderer.view.serve.refused import EMPTY, SHRUNK, TOO_MANY, RefusedError
from renderer.view.serve.snapshot import Snapshot
from tests.view.serve.fleets import COMMIT, snapshot

ALL = question([], "argocd")
TEN = snapshot("abcdefghij")
LATER = "1a7e00" + COMMIT[6:]


def given(ledger: Ledger, asked: Question, commit: Snapshot) -> str | None:
    """Ask as a request does; why the list was refused, None where it was given."""
    try:
        units = ledger.units(asked, commit)
        ledger.remember(asked, tuple(unit.name for unit in units))
    except RefusedError as refused:
        return refused.reason
    return None


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        pytest.param("abcdefghij", None, id="the-same"),
        pytest.param("abcdefghijkl", None, id="more"),
        pytest.param("abcdefghi", None, id="one-less"),
        pytest.param("abcdefgh", None, id="a-fifth-less"),
        pytest.param("abcdefg", SHRUNK, id="more-than-a-fifth-less"),
        pytest.param("klmnopqrst", SHRUNK, id="as-many-with-other-names"),
        pytest.param("", SHRUNK, id="none-left"),
    ],
)
def test_what_is_gone_counts(names: str, reason: str | None) -> None:
    ledger = Ledger()
    assert given(ledger, ALL, TEN) is None
    assert given(ledger, ALL, snapshot(names, commit=LATER)) == reason


def test_a_budget_may_be_wider_and_the_last_unit_stays_all_the_same() -> None:
    ledger = Ledger(budget=Budget(free=100, percent=100, most=100))
    assert given(ledger, ALL, TEN) is None
    assert given(ledger, ALL, snapshot("a", commit=LATER)) is None
    assert given(ledger, ALL, snapshot("", commit=LATER)) == SHRUNK


def test_small_steps_are_compared_with_what_was_given_last() -> None:
    ledger = Ledger()
    reasons = [given(ledger, ALL, snapshot("abcdefghij"[:count])) for count in (10, 9, 8, 7)]
    assert reasons == [None] * 4
    assert ledger.names[ALL] == tuple("abcdefg")


def test_a_refused_list_stays_refused_until_the_units_are_back() -> None:
    ledger = Ledger()
    assert given(ledger, ALL, TEN) is None
    for _ in range(3):
        assert given(ledger, ALL, snapshot("ab", commit=LATER)) == SHRUNK
    assert given(ledger, ALL, TEN) is None


def test_each_question_has_a_guard_of_its_own() -> None:
    ledger = Ledger()
    few = question([("cluster", "a")], "argocd")
    assert given(ledger, few, TEN) is None
    assert given(ledger, ALL, TEN) is None
    without = snapshot("bcdefghij", commit=LATER)
    assert given(ledger, few, without) == SHRUNK, "all of this question's units are gone"
    assert given(ledger, ALL, without) is None


def test_a_question_that_was_not_asked_yet_is_compared_with_the_commit_before() -> None:
    ledger = Ledger(before=TEN)
    assert given(ledger, ALL, snapshot("ab", commit=LATER)) == SHRUNK
    assert given(Ledger(), ALL, snapshot("ab", commit=LATER)) is None


def test_what_matches_nothing_is_no_empty_list() -> None:
    assert given(Ledger(), question([("cluster", "z")], "argocd"), TEN) == EMPTY
    assert given(Ledger(), question([], "flux"), TEN) == EMPTY


@pytest.mark.parametrize("allowed", [LATER, LATER[:7], LATER[:12]])
def test_a_commit_may_be_allowed(allowed: str) -> None:
    ledger = Ledger(allowed=(allowed,))
    assert given(ledger, ALL, TEN) is None
    assert given(ledger, ALL, snapshot("", commit=LATER)) is None
    assert given(ledger, ALL, snapshot("", commit=COMMIT)) is None, "as it was given last"
    assert given(ledger, ALL, TEN) is None


def test_another_commit_is_not_allowed_with_it() -> None:
    ledger = Ledger(allowed=("abcdef0",))
    assert given(ledger, ALL, TEN) is None
    assert given(ledger, ALL, snapshot("ab", commit=LATER)) == SHRUNK


def test_the_message_tells_what_is_gone_and_what_to_type() -> None:
    ledger = Ledger()
    given(ledger, ALL, TEN)
    with pytest.raises(RefusedError) as raised:
        ledger.units(ALL, snapshot("a", commit=LATER))
    assert raised.value.message == (
        "9 of 10 units that engine=argocd syncMode=Push had are not in the commit 1a7e00012345: "
        "b, c, d, e, f and 4 more; what was made from them would be deleted; if it is right, run krender "
        "serve with --allow 1a7e00012345, else mend the branch"
    )


def test_a_new_start_goes_on_with_what_was_given() -> None:
    ledger = Ledger()
    given(ledger, ALL, TEN)
    given(ledger, question([("wave", "0")], "argocd"), TEN)
    assert ledger.changed
    again = Ledger()
    recall(again, encoded(ledger))
    assert (again.names, again.changed) == (ledger.names, False)
    assert given(again, ALL, snapshot("ab", commit=LATER)) == SHRUNK


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": "krender.io/served/v1", "served": [{"names": []}]}',
        b'{"format": "krender.io/served/v1", "served": ["x"]}',
        b'{"format": "krender.io/served/v1"}',
    ],
)
def test_a_file_that_keeps_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"it |line 1"):
        recall(Ledger(), data)


def test_there_is_an_end_to_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_NAMES", 12)
    ledger = Ledger()
    assert given(ledger, ALL, TEN) is None
    assert given(ledger, question([("cluster", "a")], "argocd"), TEN) is None
    assert given(ledger, question([("wave", "0")], "argocd"), TEN) == TOO_MANY
    assert given(ledger, ALL, TEN) is None, "what is remembered is answered"
