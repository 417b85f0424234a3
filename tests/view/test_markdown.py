"""Problems for a pull request or a job's summary."""

from __future__ import annotations

from dataclasses import replace

from renderer.document.problem import Position, Problem, Severity
from renderer.view.markdown import as_markdown

TYPO = Problem(
    where=Position("web.yaml", 13, 5),
    what='there is no field "cluster_afinity"',
    why="it would go to <every> cluster",
    fix="write\nclusterAffinity",
    rule="KR008",
)
NOTE = Problem(where=Position("web.yaml"), what="@somebody is odd", severity=Severity.NOTE)


def test_the_most_severe_come_first_and_nothing_is_markup() -> None:
    assert as_markdown([NOTE, TYPO]) == (
        "**1 error, 1 note**\n"
        "\n### Errors\n\n"
        '- `web.yaml:13:5` (KR008): there is no field "cluster\\_afinity"\n'
        "  - why: it would go to &lt;every&gt; cluster\n"
        "  - fix: write clusterAffinity\n"
        "\n### Notes\n\n"
        "- `web.yaml`: \\@somebody is odd\n"
    )


def test_no_problems_are_told_too() -> None:
    assert as_markdown([]) == "**no problems**\n"


def test_more_than_a_comment_holds_is_counted() -> None:
    said = as_markdown([replace(NOTE, what=f"note {number} " + "x" * 90) for number in range(1000)])
    assert len(said) < 65_536
    assert "more; `krender check` tells all._" in said
