"""Label selectors: the rules of Kubernetes, and what stands in the way of a match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.labels import integer, invalid, matches, predicate, valid_key, valid_value, why_not
from renderer.model.selectors import LabelSelector, Requirement

LABELS = {"app": "web", "tier": "front"}


def expression(key: str, operator: str, *values: str) -> LabelSelector:
    """A selector of one expression."""
    return LabelSelector(match_expressions=(Requirement(key=key, operator=operator, values=values),))


def equal(**labels: str) -> LabelSelector:
    """A selector of matchLabels."""
    return LabelSelector(match_labels=tuple(labels.items()))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        pytest.param(LabelSelector(), True, id="an-empty-selector-matches-everything"),
        pytest.param(equal(app="web"), True, id="equal-label"),
        pytest.param(equal(app="web", tier="back"), False, id="every-label-must-hold"),
        pytest.param(equal(gone=""), False, id="an-absent-label-is-not-an-empty-one"),
        pytest.param(expression("app", "In", "api", "web"), True, id="in"),
        pytest.param(expression("gone", "NotIn", "web"), True, id="not-in-holds-for-an-absent-key"),
        pytest.param(expression("app", "NotIn", "web"), False, id="not-in"),
        pytest.param(expression("app", "Exists"), True, id="exists"),
        pytest.param(expression("app", "DoesNotExist"), False, id="does-not-exist"),
        pytest.param(expression("app", "In"), False, id="in-without-values-is-invalid"),
        pytest.param(expression("app", "Exists", "web"), False, id="exists-with-values-is-invalid"),
        pytest.param(expression("app", "in", "web"), False, id="an-unknown-operator-is-invalid"),
        pytest.param(expression("app", "Gt", "1"), False, id="label-selectors-have-no-gt"),
        pytest.param(expression("a/b/c", "DoesNotExist"), False, id="a-bad-key-is-invalid"),
        pytest.param(expression("gone", "NotIn", "a b"), False, id="a-bad-value-is-invalid"),
    ],
)
def test_matches(selector: LabelSelector, expected: bool) -> None:
    assert matches(selector, LABELS) is expected
    assert predicate(selector)(LABELS) is expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param("app", True, id="a-name"),
        pytest.param("example.io/app", True, id="a-prefix"),
        pytest.param("A" * 63, True, id="63-characters"),
        pytest.param("a" * 64, False, id="64-characters"),
        pytest.param("", False, id="empty"),
        pytest.param("/app", False, id="empty-prefix"),
        pytest.param("app/", False, id="empty-name"),
        pytest.param("Example.io/app", False, id="a-prefix-is-lower-case"),
        pytest.param("-app", False, id="begins-with-a-letter-or-digit"),
        pytest.param("app\n", False, id="no-newline-at-the-end"),
    ],
)
def test_valid_key(key: str, expected: bool) -> None:
    assert valid_key(key) is expected


def test_an_empty_label_value_is_valid() -> None:
    assert valid_value("")
    assert not valid_value("a" * 64)


@pytest.mark.parametrize(
    ("selector", "reasons"),
    [
        pytest.param(equal(app="api"), ('label app is "web", not "api"',), id="another-value"),
        pytest.param(equal(gone="x"), ('label gone is absent, not "x"',), id="absent"),
        pytest.param(expression("app", "NotIn", "web"), ('label app is "web"',), id="excluded"),
        pytest.param(expression("gone", "Exists"), ("label gone is absent",), id="must-exist"),
        pytest.param(expression("app", "DoesNotExist"), ("label app is present",), id="must-not-exist"),
        pytest.param(expression("app", "In"), ("In needs a value for app",), id="invalid"),
        pytest.param(equal(app="web"), (), id="a-match-needs-no-reason"),
    ],
)
def test_why_not(selector: LabelSelector, reasons: tuple[str, ...]) -> None:
    assert why_not(selector, LABELS) == reasons


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("12", 12, id="digits"),
        pytest.param("+3", 3, id="plus-sign"),
        pytest.param("-3", -3, id="minus-sign"),
        pytest.param(str(2**63), None, id="beyond-64-bits"),
        pytest.param("1_0", None, id="no-underscore"),
        pytest.param("", None, id="empty"),
        pytest.param("٣", None, id="ascii-digits-only"),
    ],
)
def test_integer(text: str, number: int | None) -> None:
    assert integer(text) == number


KEYS = st.sampled_from(["app", "tier", "gone", "-bad"])
VALUES = st.sampled_from(["web", "api", "", "bad value"])
REQUIREMENTS = st.builds(
    Requirement,
    key=KEYS,
    operator=st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt"]),
    values=st.lists(VALUES, max_size=2).map(tuple),
)
SELECTORS = st.builds(
    LabelSelector,
    match_labels=st.dictionaries(KEYS, VALUES, max_size=2).map(lambda labels: tuple(labels.items())),
    match_expressions=st.lists(REQUIREMENTS, max_size=3).map(tuple),
)
LABEL_SETS = st.dictionaries(KEYS, VALUES, max_size=3)


@given(SELECTORS, LABEL_SETS)
def test_a_selector_that_does_not_match_has_a_reason(selector: LabelSelector, labels: dict[str, str]) -> None:
    assert matches(selector, labels) is (why_not(selector, labels) == ())


@given(SELECTORS, LABEL_SETS)
def test_an_invalid_selector_matches_nothing(selector: LabelSelector, labels: dict[str, str]) -> None:
    assert not (invalid(selector) and matches(selector, labels))
