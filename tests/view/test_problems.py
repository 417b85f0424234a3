"""Problems as people and programs read them."""

from __future__ import annotations

import json

from renderer.document.problem import Position, Problem, Severity
from renderer.view.problems import as_github, as_json, as_text, summary

TYPO = Problem(
    where=Position("policies/web.yaml", 13, 5),
    what='PropagationPolicy web/frontend has no field "clusterAfinity"',
    why="without a cluster affinity it would go to every cluster",
    fix='write "clusterAffinity"',
    excerpt="    clusterAfinity:",
)
HINT = Problem(
    where=Position("a,b.yaml"), what="100% : odd", rule="KR201", severity=Severity.WARNING, fix="say\nmore"
)


def test_text_shows_the_line_and_what_to_type() -> None:
    assert as_text([TYPO, HINT]) == (
        'policies/web.yaml:13:5: PropagationPolicy web/frontend has no field "clusterAfinity"\n'
        "  13 |     clusterAfinity:\n"
        "     |     ^\n"
        "  why: without a cluster affinity it would go to every cluster\n"
        '  fix: write "clusterAffinity"\n'
        "a,b.yaml: warning: 100% : odd [KR201]\n"
        "  fix: say\n"
        "       more"
    )


def test_a_file_cannot_steer_the_terminal() -> None:
    evil = Problem(where=Position("x", 1, 1), what="a\x1b[2Jb", excerpt="\x1b]0;hi\x07")
    assert "\x1b" not in as_text([evil])


def test_json_leaves_out_what_is_empty() -> None:
    assert json.loads(as_json([HINT])) == [
        {"severity": "warning", "rule": "KR201", "file": "a,b.yaml", "what": "100% : odd", "fix": "say\nmore"}
    ]


def test_github_commands_are_escaped() -> None:
    assert as_github([HINT]) == "::warning file=a%2Cb.yaml,title=KR201::100%25 : odd%0Afix: say%0Amore"


def test_summary_counts_by_severity() -> None:
    assert summary([TYPO, TYPO, HINT]) == "2 errors, 1 warning"
    assert summary([]) == ""
