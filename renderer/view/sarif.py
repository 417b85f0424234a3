"""Problems as SARIF 2.1.0, which GitHub code scanning and editors read.

A result stands at a place in the user's files, never in rendered ones: GitHub shows an alert in a pull
request only where that changed something. Source: OASIS SARIF 2.1.0; GitHub's "SARIF support for code
scanning" for what is shown and for the limits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from renderer.document.problem import Problem, Severity
from renderer.document.rule import Rule
from renderer.document.values import Object, Value
from renderer.view.problems import printable
from renderer.view.rule_pages import RulePage, rule_pages

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS: Final = 25_000  # more than these, and the file is rejected
_LONGEST: Final = 1024  # characters of a description
_LONGEST_MESSAGE: Final = 4096

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_WEIGHTS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_ORDER: Final = tuple(Severity)  # most severe first
_OTHER: Final = Rule(id="KR000", title="Another problem", severity=Severity.ERROR)
_LINK: Final = re.compile(r"\[(?=[^\[\]]*\]\()")  # would be taken for one
_PLACES: Final = re.compile(r":\d+:\d+|\d+")


def as_sarif(
    problems: Sequence[Problem], rules: Sequence[Rule], *, version: str, category: str = "krender"
) -> str:
    """One run with all rules and these problems; files are paths from the top of the repository.

    Of more problems than GitHub takes, the most severe are kept, and the run says how many are missing.
    `category` tells apart several workspaces of a repository.
    """
    known = {rule.id: rule for rule in rules}
    if any(problem.rule not in known for problem in problems):
        known[_OTHER.id] = _OTHER
    index = {name: place for place, name in enumerate(known)}
    ordered = sorted(problems, key=lambda problem: (_ORDER.index(problem.severity), problem.sort_key))
    kept, seen = ordered[:MOST_RESULTS], Counter[str]()
    run: Object = {
        "tool": {"driver": _driver([*known.values()], version)},
        "automationDetails": {"id": f"{category}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(len(ordered) - len(kept))],
        "results": [_result(problem, index, seen) for problem in kept],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _driver(rules: Sequence[Rule], version: str) -> Object:
    pages = rule_pages()
    return {
        "name": "krender",
        "semanticVersion": version,
        "rules": [_rule(rule, pages.get(rule.id)) for rule in rules],
    }


def _rule(rule: Rule, page: RulePage | None) -> Object:
    text = page.summary if page else rule.title
    return {
        "id": rule.id,
        "name": "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", rule.title)),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": _cut(text, _LONGEST)},
        "help": {"text": text, "markdown": page.body if page else rule.title},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": [page.family.lower() if page else "other"],
            "precision": "very-high" if rule.severity is Severity.ERROR else "high",
            "problem.severity": _WEIGHTS[rule.severity],
        },
    }


def _result(problem: Problem, index: Mapping[str, int], seen: Counter[str]) -> Object:
    rule = problem.rule if problem.rule in index else _OTHER.id
    fingerprint = _fingerprint(problem, rule)
    seen[fingerprint] += 1
    return {
        "ruleId": rule,
        "ruleIndex": index[rule],
        "level": _LEVELS[problem.severity],
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": _location(problem)}],
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:{seen[fingerprint]}"},
    }


def _message(problem: Problem) -> str:
    why = f"why: {problem.why}" if problem.why else ""
    fix = f"fix: {problem.fix}" if problem.fix else ""
    lines = [line for part in (problem.what, why, fix) if part for line in part.split("\n")]
    text = _cut("\n".join(map(printable, lines)), _LONGEST_MESSAGE)
    return _LINK.sub(r"\\[", text)


def _location(problem: Problem) -> Object:
    where = problem.where
    region: dict[str, Value] = {"startLine": max(where.line, 1)}
    if where.line and where.column:
        region["startColumn"] = where.column
        end = len(problem.excerpt.rstrip()) + 1
        if end > where.column:
            region |= {"endLine": where.line, "endColumn": end}
    uri = quote(where.file or ".", safe="/!$&'()*+,;=@-._~")
    return {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region}


def _fingerprint(problem: Problem, rule: str) -> str:
    """What stays the same when lines move: the rule, the file, the subject and the line's own text."""
    subject = " ".join(_PLACES.sub("", problem.what).split()[:2])
    parts = (rule, problem.where.file, subject, problem.excerpt.strip())
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _invocation(missing: int) -> Object:
    if not missing:
        return {"executionSuccessful": True}
    text = f"{missing} more problems are not listed: a run holds {MOST_RESULTS}. `krender check` tells all."
    notification: Object = {"level": "warning", "message": {"text": text}}
    return {"executionSuccessful": True, "toolExecutionNotifications": [notification]}


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
