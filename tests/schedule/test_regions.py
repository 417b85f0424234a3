"""The pruned search for regions finds what trying everything finds."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.schedule.regions import Group, Limits, best_path

groups = st.lists(
    st.builds(
        Group,
        name=st.sampled_from([f"r{number}" for number in range(9)]),
        score=st.sampled_from((0, 100, 1000, 1100, 2000)) | st.integers(-3000, 3000),
        clusters=st.integers(1, 4),
    ),
    unique_by=lambda group: group.name,
    min_size=1,
    max_size=7,
)
limits = st.builds(Limits, least=st.integers(0, 5), most=st.integers(0, 6), clusters=st.integers(0, 12))


def paths(ordered: Sequence[Group], limits: Limits) -> Iterator[list[Group]]:
    """Every path of the depth-first walk, in the order of discovery."""

    def walk(path: list[Group], begin: int) -> Iterator[list[Group]]:
        clusters = sum(group.clusters for group in path)
        if clusters >= limits.clusters and limits.least <= len(path) <= limits.most:
            yield path
            return
        if len(path) >= limits.most:
            return
        for place in range(begin, len(ordered)):
            yield from walk([*path, ordered[place]], place + 1)
            if len(ordered) == limits.least:
                return

    yield from walk([], 0)


def by_enumeration(groups: Sequence[Group], limits: Limits) -> tuple[Group, ...]:
    """The specification, word for word."""
    ordered = sorted(groups, key=lambda group: (group.clusters, -group.score, group.name))
    found = [
        (
            -sum(group.score for group in path),
            -sum(group.clusters for group in path),
            number,
            tuple(sorted(path, key=lambda group: (-group.score, group.name))),
        )
        for number, path in enumerate(paths(ordered, limits))
    ]
    if not found:
        return ()
    final, *others = (entry[3] for entry in sorted(found))
    for path in others:
        if len(path) < len(final) and final[: len(path)] == path:
            final = path
    return final


@given(groups, limits)
def test_finds_what_trying_everything_finds(groups: list[Group], limits: Limits) -> None:
    assert best_path(groups, limits) == by_enumeration(groups, limits)


@given(groups, limits)
def test_order_of_regions_does_not_matter(groups: list[Group], limits: Limits) -> None:
    assert best_path(groups[::-1], limits) == best_path(groups, limits)


def group(name: str, score: int, clusters: int) -> Group:
    return Group(name=name, score=score, clusters=clusters)


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        pytest.param(
            [group("ra", 10_000, 2), group("rb", 10_000, 1), group("rc", 10_000, 3)],
            Limits(least=2, most=2, clusters=3),
            "ra rc",
            id="equal-scores-more-clusters",
        ),
        pytest.param(
            [group("ra", 1, 1), group("rb", 5, 1), group("rc", 3, 1)],
            Limits(least=1, most=2, clusters=1),
            "rb",
            id="a-path-that-suffices-is-not-extended",
        ),
        pytest.param(
            [group("ra", 9, 1), group("rb", 8, 2), group("rc", 7, 3)],
            Limits(least=1, most=3, clusters=3),
            "ra rb",
            id="a-beginning-that-is-a-path-beats-the-whole",
        ),
        pytest.param(
            [group("ra", 1, 1), group("rb", 5, 1)],
            Limits(least=2, most=2, clusters=2),
            "rb ra",
            id="all-regions-needed",
        ),
        pytest.param(
            [group("ra", 1, 1)], Limits(least=0, most=1, clusters=0), "", id="nothing-wanted-nothing-taken"
        ),
        pytest.param(
            [group("ra", 1, 9)], Limits(least=1, most=0, clusters=1), "", id="most-left-out-is-none-allowed"
        ),
        pytest.param(
            [group("ra", 1, 1), group("rb", 1, 1)],
            Limits(least=1, most=2, clusters=3),
            "",
            id="too-few-clusters-altogether",
        ),
    ],
)
def test_best_path(groups: list[Group], limits: Limits, expected: str) -> None:
    assert " ".join(region.name for region in best_path(groups, limits)) == expected


@pytest.mark.parametrize(("least", "most", "clusters"), [(8, 8, 40), (2, 15, 60), (10, 30, 90), (1, 30, 120)])
def test_thirty_regions_take_no_time(least: int, most: int, clusters: int) -> None:
    dice = random.Random(30)
    regions = [group(f"r{n:02}", dice.randrange(50_000), dice.randrange(1, 9)) for n in range(30)]
    start = time.process_time()
    path = best_path(regions, Limits(least=least, most=most, clusters=clusters))
    assert time.process_time() - start < 1
    assert least <= len(path) <= most
    assert sum(region.clusters for region in path) >= clusters
