"""Names for engines are label values, and nobody's twice."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from renderer.delivery.names import Names, name_of

TEXTS = st.text(st.sampled_from("ab.-1"), min_size=1, max_size=80)


@given(TEXTS)
@example("a" * 64)
def test_a_name_is_short_and_what_is_short_stays(text: str) -> None:
    name = name_of(text)
    assert len(name) <= 63
    assert len(text) > 63 or name == text


@given(TEXTS, TEXTS)
@example("a" * 64, "a" * 65)
def test_two_texts_have_two_names(one: str, other: str) -> None:
    assert (name_of(one) == name_of(other)) is (one == other)


@given(st.lists(TEXTS, max_size=5), TEXTS)
def test_a_free_name_is_nobodys(taken: list[str], text: str) -> None:
    name = Names(taken).free(text)
    assert name not in taken
    assert text in taken or len(text) > 63 or name == text
