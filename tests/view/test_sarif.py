"""Problems as GitHub's code scanning reads them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace

import jsonschema

from renderer.check.errors import ERRORS
from renderer.check.rules import RULES
from renderer.document.problem import Position, Problem, Severity
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.view.rule_pages import rule_pages
from renderer.view.sarif import MOST_RESULTS, as_sarif
from tests.view.sarif_shape import SARIF

ALL = (*ERRORS, *RULES)
TYPO = Problem(
    where=Position("policies/web.yaml", 13, 5),
    what='PropagationPolicy web/frontend has no field "clusterAfinity"',
    why="without a cluster affinity it would go to every cluster",
    fix='write "clusterAffinity"',
    rule="KR008",
    excerpt="    clusterAfinity:",
)
HINT = Problem(
    where=Position("a b/ü.yaml"), what="it is odd", rule="KR201", severity=Severity.WARNING, fix="say\nmore"
)


def written(problems: Sequence[Problem], category: str = "krender") -> Object:
    """The run, after a look at its shape."""
    said = json.loads(as_sarif(problems, ALL, version="1.2.3", category=category))
    jsonschema.validate(said, SARIF)
    return mapping(sequence(said["runs"])[0])


def results(problems: Sequence[Problem]) -> list[Object]:
    return [mapping(item) for item in sequence(written(problems)["results"])]


def fingerprint(result: Object) -> str:
    return text(dig(result, "partialFingerprints", "primaryLocationLineHash"))


def place(result: Object) -> Value:
    return dig(mapping(sequence(result["locations"])[0]), "physicalLocation")


def test_a_run_without_problems_closes_what_was_open() -> None:
    assert written(())["results"] == []


def test_every_rule_is_described_by_its_page() -> None:
    rules = [mapping(rule) for rule in sequence(dig(written(()), "tool", "driver", "rules"))]
    assert [rule["id"] for rule in rules] == [rule.id for rule in ALL]
    pages = rule_pages()
    for rule in rules:
        page = pages[text(rule["id"])]
        assert dig(rule, "shortDescription", "text") == page.title
        assert dig(rule, "help", "markdown") == page.body
    claims = next(rule for rule in rules if rule["id"] == "KR101")
    assert claims["name"] == "ASelectorSelectsNothing"
    assert dig(claims, "properties", "tags") == ["claims"]


def test_a_result_says_what_why_and_what_to_type_at_its_place() -> None:
    (result,) = results([TYPO])
    assert result["ruleId"] == "KR008"
    assert ALL[int(str(result["ruleIndex"]))].id == "KR008"
    assert result["level"] == "error"
    assert dig(result, "message", "text") == (
        'PropagationPolicy web/frontend has no field "clusterAfinity"\n'
        "why: without a cluster affinity it would go to every cluster\n"
        'fix: write "clusterAffinity"'
    )
    assert place(result) == {
        "artifactLocation": {"uri": "policies/web.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 13, "startColumn": 5, "endLine": 13, "endColumn": 20},
    }


def test_a_problem_of_a_whole_file_stands_at_its_first_line_and_its_name_is_a_uri() -> None:
    (result,) = results([HINT])
    assert place(result) == {
        "artifactLocation": {"uri": "a%20b/%C3%BC.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 1},
    }


def test_a_fingerprint_does_not_move_with_its_line() -> None:
    moved = replace(TYPO, where=Position("policies/web.yaml", 99, 9), excerpt="        clusterAfinity:")
    assert fingerprint(results([TYPO])[0]) == fingerprint(results([moved])[0])
    elsewhere = replace(TYPO, where=Position("policies/api.yaml", 13, 5))
    assert fingerprint(results([TYPO])[0]) != fingerprint(results([elsewhere])[0])


def test_a_fingerprint_does_not_count() -> None:
    more = replace(HINT, what="it is odd on 3 clusters, see b.yaml:3:4")
    other = replace(HINT, what="it is odd on 4 clusters, see b.yaml:7:4")
    assert fingerprint(results([more])[0]) == fingerprint(results([other])[0])


def test_no_two_results_share_a_fingerprint() -> None:
    twin = replace(TYPO, where=Position("policies/web.yaml", 20, 5))
    assert [fingerprint(result)[-2:] for result in results([TYPO, twin])] == [":1", ":2"]


def test_a_problem_without_a_known_rule_has_one_of_its_own() -> None:
    run = written([replace(TYPO, rule="")])
    rules = sequence(dig(run, "tool", "driver", "rules"))
    result = mapping(sequence(run["results"])[0])
    assert result["ruleIndex"] == len(ALL)
    assert mapping(rules[-1])["id"] == result["ruleId"] == "KR000"


def test_control_characters_and_links_are_no_more_than_text() -> None:
    (result,) = results([replace(HINT, what="a\x1b[2J [see](1) spec.containers[0]", fix="")])
    assert dig(result, "message", "text") == "a\\x1b[2J \\[see](1) spec.containers[0]"


def test_several_workspaces_of_a_repository_are_told_apart() -> None:
    assert dig(written((), "krender/apps/shop"), "automationDetails", "id") == "krender/apps/shop/"


def test_of_too_many_the_most_severe_are_kept() -> None:
    notes = [
        replace(HINT, what=f"note {number} " + "x" * 400, severity=Severity.NOTE)
        for number in range(MOST_RESULTS)
    ]
    said = as_sarif([*notes, TYPO], ALL, version="1")
    run = mapping(json.loads(said)["runs"][0])
    assert len(sequence(run["results"])) == MOST_RESULTS
    assert mapping(sequence(run["results"])[0])["level"] == "error"
    (notification,) = sequence(dig(mapping(sequence(run["invocations"])[0]), "toolExecutionNotifications"))
    assert text(dig(notification, "message", "text")).startswith("1 more problems are not listed")
    assert len(gzip.compress(said.encode())) < 10_000_000


def test_a_long_message_is_cut() -> None:
    (result,) = results([replace(HINT, what="x" * 10_000)])
    assert len(text(dig(result, "message", "text"))) == 4096
