"""The text is OpenMetrics, whatever names there are, and what was put in is what Prometheus reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.view.metrics.families import FAMILIES
from renderer.view.metrics.openmetrics import Family, Kind, Labels, Number, openmetrics
from tests.view.metrics.reading import check, read

ONE = Family(name="krender_one", help="One thing.", labels=("name", "kind"))
COUNTED = Family(name="krender_asked", help="Requests.", labels=("code",), kind=Kind.COUNTER)
SINCE = Family(name="krender_since_timestamp_seconds", help="Since when.", unit="seconds")
NUMBERS = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15, allow_nan=False)


def test_a_text_is_families_by_name_and_samples_by_labels() -> None:
    measured = (SINCE.at(1.5), ONE.of({("b", "x"): 2, ("a", ""): 1.0}), COUNTED.of({("200",): 3}))
    assert openmetrics(measured, workspace="shop", command="") == (
        "# TYPE krender_asked counter\n"
        "# HELP krender_asked Requests.\n"
        'krender_asked_total{workspace="shop",code="200"} 3\n'
        "# TYPE krender_one gauge\n"
        "# HELP krender_one One thing.\n"
        'krender_one{workspace="shop",name="a",kind=""} 1\n'
        'krender_one{workspace="shop",name="b",kind="x"} 2\n'
        "# TYPE krender_since_timestamp_seconds gauge\n"
        "# UNIT krender_since_timestamp_seconds seconds\n"
        "# HELP krender_since_timestamp_seconds Since when.\n"
        'krender_since_timestamp_seconds{workspace="shop"} 1.5\n'
        "# EOF\n"
    )


def test_nothing_measured_is_a_text_too() -> None:
    assert openmetrics(()) == "# EOF\n"
    assert read(openmetrics([SINCE.at(1)])) == {("krender_since_timestamp_seconds", ()): 1}


def test_the_last_of_two_measurements_counts() -> None:
    assert read(openmetrics([SINCE.at(1), SINCE.at(2)])) == {("krender_since_timestamp_seconds", ()): 2}


@pytest.mark.parametrize(
    ("name", "written"),
    [
        pytest.param('say "hi"', r"say \"hi\"", id="quotes"),
        pytest.param("a\\b", r"a\\b", id="a-backslash"),
        pytest.param("a\nb", r"a\nb", id="a-line-break"),
        pytest.param("a\r\x00b\x7f", r"a\\x0d\\x00b\\x7f", id="control-characters"),
        pytest.param("\u2028\u0085", "\u2028\u0085", id="line-breaks-that-are-none-here"),
        pytest.param("café 東京 🦀", "café 東京 🦀", id="other-scripts"),
        pytest.param("\ud800", r"\\ud800", id="half-a-surrogate-pair"),
    ],
)
def test_hostile_names_are_escaped(name: str, written: str) -> None:
    text = openmetrics([ONE.of({(name, "k"): 1})])
    assert f'krender_one{{name="{written}",kind="k"}} 1\n' in text
    check(text)


def test_names_that_are_written_alike_are_one_sample() -> None:
    read(openmetrics([ONE.of({("\x00", "k"): 1, ("\\x00", "k"): 2})]))


@given(st.dictionaries(st.tuples(st.text(), st.text()), NUMBERS), st.text())
def test_what_is_written_is_read_again(samples: dict[Labels, Number], workspace: str) -> None:
    text = openmetrics([ONE.of(samples)], workspace=workspace)
    found = read(text)
    assert len(found) <= len(samples)
    for (name, kind), number in samples.items():
        labels = [("kind", kind), ("name", name), *([("workspace", workspace)] if workspace else [])]
        if all(value.isprintable() for _, value in labels):
            assert found["krender_one", tuple(labels)] == number


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_names_follow_the_conventions(family: Family) -> None:
    check(openmetrics([family.of({})]))
    assert family.name.startswith("krender_")
    assert family.name.endswith("_seconds") == (family.unit == "seconds")
    assert family.help.endswith(".")
    assert family.help.isascii()
    assert all(len(labels) == len(family.labels) for labels in family.zero)
    assert len({other.name for other in FAMILIES}) == len(FAMILIES)
    # Prometheus gives every target labels of these names.
    assert not {"job", "instance", "cluster", "namespace", "le", "quantile"} & set(family.labels)
