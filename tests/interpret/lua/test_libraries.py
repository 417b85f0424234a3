"""Libraries where a table of cases says more than the recordings do."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Value
from renderer.interpret.lua import clock
from renderer.interpret.lua.matching import COST, search
from renderer.interpret.lua.patterns import PatternError

pytest.importorskip("lupa.lua54")
from tests.interpret.lua.build import answer, fault

KUBE = 'local kube = require("kube") return '


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param("kube.resourceAdd()", "0", id="nothing"),
        pytest.param('kube.resourceAdd("1Gi", "1G")', "2073741824", id="first-decides-the-format"),
        pytest.param('kube.resourceAdd("100m", nil, "1")', "1100m", id="nil-is-none"),
        pytest.param('kube.getResourceQuantity("1500m")', 1.5, id="quantity"),
        pytest.param('kube.getResourceQuantity("9m")', 0.009000000000000001, id="as-kubernetes-computes"),
        pytest.param('kube.getResourceQuantity("1Ki")', 1024, id="binary"),
        pytest.param("kube.getResourceQuantity(nil)", 0, id="no-quantity"),
        pytest.param("kube.accuratePodRequirements({})", None, id="needs-nothing"),
        pytest.param(
            'kube.accuratePodRequirements({spec = {containers = {{name = "a", resources = {requests = '
            '{cpu = "1", memory = "1000"}}}}}})',
            {"resourceRequest": {"cpu": "1", "memory": "1k"}},
            id="requirements",
        ),
        pytest.param('kube.getPodDependencies({spec = {}}, "x")', None, id="depends-on-nothing"),
        pytest.param(
            'kube.getPodDependencies({spec = {serviceAccountName = "é"}}, nil)',
            [{"apiVersion": "v1", "kind": "ServiceAccount", "name": "é", "namespace": "default"}],
            id="dependencies",
        ),
    ],
)
def test_kube(call: str, expected: Value) -> None:
    assert answer(KUBE + call) == expected


@pytest.mark.parametrize(
    ("call", "text"),
    [
        pytest.param("kube.resourceAdd(1)", "string expected, got number", id="number"),
        pytest.param('kube.resourceAdd("1 ")', "is not a quantity", id="space"),
        pytest.param('kube.resourceAdd("é")', '"é" is not a quantity', id="text"),
        pytest.param('kube.getResourceQuantity("-1")', "-1 is negative", id="negative"),
        pytest.param("kube.getResourceQuantity()", "only accepts one argument", id="no-argument"),
        pytest.param("kube.accuratePodRequirements(1)", "table expected, got number", id="no-template"),
        pytest.param("kube.accuratePodRequirements({}, 1)", "only accepts one argument", id="two-arguments"),
        pytest.param('kube.accuratePodRequirements({spec = "x"})', "does not fit", id="misfit"),
        pytest.param("kube.getPodDependencies({})", "only accepts two argument", id="one-argument"),
        pytest.param("kube.getPodDependencies({}, {})", "string expected, got table", id="namespace"),
        pytest.param("kube.getPodDependencies({[1.5] = 1}, 'x')", "mixed keys|holes", id="no-map"),
    ],
)
def test_kube_refuses(call: str, text: str) -> None:
    assert re.search(text, fault(KUBE + call))


@given(st.integers(1, 9999), st.integers(1, 12), st.integers(1, 28), st.integers(0, 86399))
def test_time_and_date_are_inverse(year: int, month: int, day: int, second: int) -> None:
    seconds = clock.seconds_of(year, month, day, 0, 0, second)
    parts = clock.date_parts(seconds)
    assert parts is not None
    assert parts[:3] == (year, month, day)
    assert clock.seconds_of(*map(int, parts[:6])) == seconds


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        pytest.param((1970, 1, 1, 0, 0, 0), 0, id="epoch"),
        pytest.param((2024, 14, 31, -1, 61, 61), 1740960121, id="what-is-out-of-range-carries-over"),
        pytest.param((None,) * 6, -62204155200, id="nothing-given"),
        pytest.param((20000, 1, 1, None, 0, 0), 568971864000, id="beyond-four-digits"),
    ],
)
def test_times(fields: tuple[int | None, ...], seconds: int) -> None:
    assert clock.seconds_of(*fields) == seconds


def test_a_time_has_no_fraction() -> None:
    assert clock.seconds_at("1970-01-01T00:00:01.9Z") == 1
    assert clock.seconds_at("1970-01-01T02:00:00+02:00") == 0


subjects = st.text(alphabet="ab,.", max_size=12)


@given(subjects, subjects.filter(bool))
def test_a_literal_pattern_finds_what_find_finds(subject: str, wanted: str) -> None:
    pattern = "".join(f"%{character}" if not character.isalnum() else character for character in wanted)
    _, found = search(subject, pattern, 0, 10**6)
    assert (found.start if found else -1) == subject.find(wanted)


@given(
    st.text(alphabet="ab", max_size=10), st.text(alphabet="ab.%*-+?()[]^$", max_size=8), st.integers(0, 2000)
)
def test_a_search_costs_at_most_its_budget_and_a_step(subject: str, pattern: str, budget: int) -> None:
    try:
        used, _ = search(subject, pattern, 0, budget)
    except PatternError:
        return
    assert used <= budget + COST * (len(subject) + 2 * len(pattern) + 4)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        pytest.param("%0", "invalid capture index", id="capture-0"),
        pytest.param("%1", "invalid capture index", id="capture-that-is-none"),
        pytest.param("(%1)", "invalid capture index", id="capture-in-itself"),
        pytest.param("(", "unfinished capture", id="open"),
        pytest.param(")", r"invalid '\)'", id="closed"),
        pytest.param("[a", "unexpected EOS", id="set"),
    ],
)
def test_patterns_that_are_none(pattern: str, text: str) -> None:
    with pytest.raises(PatternError, match=text):
        search("aa", pattern, 0, 10**6)
