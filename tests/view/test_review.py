"""A review says first what must be seen, and never more than GitHub takes."""

from __future__ import annotations

import re

import pytest

from renderer.document.problem import Position, Problem, Severity
from renderer.document.values import Object, Value
from renderer.view.review import COMMENT, SUMMARY, Review, comment, step_summary

MARK = "<!-- krender:x -->"


def diff(clusters: int, objects: int, letter: str = "x") -> Object:
    """A difference of that many objects on that many clusters, each with some text."""
    names: list[Value] = [f"c{number:05}" for number in range(clusters)]
    text: list[Value] = [
        {"path": f"a/{n}.yaml", "clusters": names, "diff": letter * 500 + "\n```\n@ada"}
        for n in range(objects)
    ]
    files: list[Value] = [
        {"path": f"a/{n}.yaml", "change": "changed", "clusters": names} for n in range(objects)
    ]
    return {"from": "a", "to": "b", "changed": True, "files": files, "text": text}


def problems(count: int, severity: Severity = Severity.ERROR) -> tuple[Problem, ...]:
    return tuple(
        Problem(where=Position(f"{n}.yaml"), what="wrong @ada <b>", severity=severity) for n in range(count)
    )


@pytest.mark.parametrize(
    "review",
    [
        pytest.param(Review(title="t", diff=diff(10_000, 3)), id="many-clusters-alike"),
        pytest.param(Review(title="t", diff=diff(3, 5_000)), id="many-objects"),
        pytest.param(Review(title="t", problems=problems(5_000)), id="many-problems"),
        pytest.param(Review(title="t", problems=problems(5_000), diff=diff(3, 5_000)), id="both"),
        pytest.param(Review(title="t", diff=diff(3, 5_000, "é")), id="not-ascii"),
        pytest.param(Review(title="t", failure="x\n" * 100_000, message="y" * 100_000), id="long-failure"),
    ],
)
def test_it_fits(review: Review) -> None:
    said = comment(review, MARK)
    assert said.startswith(f"{MARK}\n### t\n")
    assert len(said) <= COMMENT
    assert len(step_summary(review).encode()) <= SUMMARY
    assert said.count("<details>") == said.count("</details>")


def test_what_is_left_out_is_counted() -> None:
    said = comment(Review(title="t", diff=diff(3, 5_000)), MARK)
    assert re.search(r"… and \d+ more parts that a comment cannot hold", said)
    assert "more; `krender check` tells all" in comment(Review(title="t", problems=problems(5_000)), MARK)


def test_clusters_that_change_alike_are_one_row_and_losses_come_first() -> None:
    files: list[Value] = [
        {"path": "a.yaml", "change": "changed", "clusters": ["a", "b", "c", "d"]},
        {"path": "b.yaml", "change": "removed", "clusters": ["e|f"]},
        {"path": "c.yaml", "change": "added", "clusters": ["g"]},
    ]
    said = comment(Review(title="t", diff={"changed": True, "files": files}), MARK)
    assert [line for line in said.splitlines() if line.startswith("|")] == [
        "| clusters | added | modified | deleted |",
        "|---|--:|--:|--:|",
        "| e\\|f | 0 | 0 | 1 |",
        "| 4: a, b, c and 1 more | 0 | 1 | 0 |",
        "| g | 1 | 0 | 0 |",
    ]
    assert "**Deleted: 1 object**" in said


def test_clusters_that_all_differ_are_cut_with_a_count() -> None:
    files: list[Value] = [
        {"path": f"{n}.yaml", "change": "changed", "clusters": [f"c{k}" for k in range(n)]} for n in range(80)
    ]
    assert "| 29 more clusters | | | |" in comment(
        Review(title="t", diff={"changed": True, "files": files}), MARK
    )


def test_a_guard_is_told_before_everything_else_and_nobody_is_called() -> None:
    stop: Object = {
        "guard": "deletions",
        "what": "5 objects @all",
        "why": "w",
        "fix": "f",
        "objects": [f"o{n}" for n in range(25)],
        "more": 3,
    }
    said = comment(Review(title="t", stops=[stop], problems=problems(1), diff=diff(1, 1)), MARK)
    assert "**1 error; publishing is blocked by deletions; files 1 changed**" in said
    assert "> - and 8 more" in said
    assert said.index("[!CAUTION]") < said.index("| clusters") < said.index("### Errors")
    outside = re.sub(r"(`{3,})diff\n.*?\n\1", "", said, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)@", outside)
    assert "<b>" not in outside


@pytest.mark.parametrize(
    ("review", "quiet"),
    [
        pytest.param(Review(title="t"), True, id="nothing"),
        pytest.param(Review(title="t", problems=problems(1, Severity.WARNING)), True, id="warnings"),
        pytest.param(Review(title="t", problems=problems(1)), False, id="errors"),
        pytest.param(Review(title="t", failure="x"), False, id="a-failure"),
        pytest.param(Review(title="t", diff={"changed": False}), True, id="no-change"),
        pytest.param(Review(title="t", diff={"changed": True}), False, id="a-change"),
    ],
)
def test_a_comment_is_begun_only_for_what_somebody_must_see(review: Review, quiet: bool) -> None:
    assert review.is_quiet == quiet
