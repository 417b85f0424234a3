"""Running vectors and reporting how many agree."""

from __future__ import annotations

import importlib
import json
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.conformance.vectors import Case
from tests.conformance.verdict import Verdict


@dataclass(slots=True)
class Tally:
    """What one category came to: the number that passed, the ids that failed."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)


def judge(case: Case) -> Iterator[Verdict]:
    """The verdicts on one vector: one, or one a step for a workspace.

    Whatever the code under test raises is a failure of that vector and not of the run.
    """
    try:
        result = importlib.import_module(f"tests.conformance.{case.kind}").run(case.vector)
        verdicts = [result] if isinstance(result, Verdict) else list(result)
    except Exception:  # a crash is one vector's failure: --show tells which
        category = f"{case.kind}/{case.vector.get('category') or case.vector.get('op') or case.kind}"
        verdicts = [
            Verdict(category=category, expected=None, got=None, passed=False, note=traceback.format_exc())
        ]
    yield from verdicts


def report(cases: Iterable[Case]) -> tuple[list[str], int]:
    """The lines of the report, and how many vectors failed."""
    tallies: dict[str, Tally] = {}
    for case in cases:
        for verdict in judge(case):
            tally = tallies.setdefault(verdict.category, Tally())
            if verdict.passed:
                tally.passed += 1
            else:
                tally.failed.append(case.id)
    lines = []
    for category, tally in sorted(tallies.items()):
        lines.append(f"{category}: {tally.passed} passed, {len(tally.failed)} failed")
        lines += [f"  {identity}" for identity in dict.fromkeys(tally.failed)]
    passed = sum(tally.passed for tally in tallies.values())
    failed = sum(len(tally.failed) for tally in tallies.values())
    return [*lines, f"{passed} passed, {failed} failed"], failed


def show(case: Case) -> Iterator[str]:
    """Input, expected and got of one vector, as text."""
    yield f"id: {case.id} ({case.kind})"
    yield "input: " + _pretty(
        case.vector.get("input", {k: v for k, v in case.vector.items() if k != "expect"})
    )
    for verdict in judge(case):
        yield f"category: {verdict.category}"
        yield "expected: " + _pretty(verdict.expected)
        yield "got: " + _pretty(verdict.got)
        yield "verdict: " + ("passed" if verdict.passed else "failed")
        if verdict.note:
            yield verdict.note


def _pretty(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False, default=str)
