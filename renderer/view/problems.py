"""Problems as text: for a terminal, for a program, for GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Sequence

from renderer.document.problem import Position, Problem, Severity
from renderer.document.values import Object, text


def as_text(problems: Sequence[Problem]) -> str:
    """Each problem with its source line, why it matters and what to type; empty for no problems."""
    return "\n".join(_one(problem) for problem in problems)


def as_json(problems: Sequence[Problem]) -> str:
    """A JSON list, one object a problem; `line` and `column` count from 1 and are absent for a whole file."""
    return json.dumps([as_object(problem) for problem in problems], indent=2, ensure_ascii=False)


def as_object(problem: Problem) -> dict[str, object]:
    """One problem as a JSON object; empty fields are left out."""
    fields: dict[str, object] = {
        "severity": problem.severity.value,
        "rule": problem.rule,
        "file": problem.where.file,
        "line": problem.where.line,
        "column": problem.where.column,
        "what": problem.what,
        "why": problem.why,
        "fix": problem.fix,
    }
    return {name: value for name, value in fields.items() if value}


def problem_of(facts: Object) -> Problem:
    """The problem that a JSON object tells of; the source line is not in it."""
    line, column = facts.get("line"), facts.get("column")
    return Problem(
        where=Position(
            text(facts.get("file")),
            line if isinstance(line, int) else 0,
            column if isinstance(column, int) else 0,
        ),
        what=text(facts.get("what")),
        why=text(facts.get("why")),
        fix=text(facts.get("fix")),
        rule=text(facts.get("rule")),
        severity=Severity(text(facts.get("severity"))),
    )


def as_github(problems: Sequence[Problem]) -> str:
    """GitHub workflow commands, which show the problems beside the lines of a pull request."""
    return "\n".join(_annotation(problem) for problem in problems)


def summary(problems: Sequence[Problem]) -> str:
    """One line of counts: `2 errors, 1 warning`; empty for no problems."""
    counts = [(sum(p.severity is severity for p in problems), severity.value) for severity in Severity]
    return ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count)


def printable(text: str) -> str:
    """The text with control characters shown as escapes, so that a file cannot steer a terminal."""
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def _one(problem: Problem) -> str:
    severity = "" if problem.severity is Severity.ERROR else f"{problem.severity.value}: "
    rule = f" [{problem.rule}]" if problem.rule else ""
    lines = [f"{problem.where}: {severity}{_indented(problem.what)}{rule}"]
    if problem.excerpt and problem.where.line:
        lines += _excerpt(problem)
    if problem.why:
        lines.append(f"  why: {_indented(problem.why)}")
    if problem.fix:
        lines.append(f"  fix: {_indented(problem.fix)}")
    return "\n".join(lines)


def _excerpt(problem: Problem) -> list[str]:
    number = str(problem.where.line)
    # Tabs keep their width above the marker only if the marker line repeats them.
    lead = "".join(
        "\t" if char == "\t" else " " for char in problem.excerpt[: max(problem.where.column - 1, 0)]
    )
    shown = printable(problem.excerpt)
    if len(shown) > 160:
        return [f"  {number} | {shown[:157]}..."]
    return [f"  {number} | {shown}", f"  {' ' * len(number)} | {lead}^"]


def _indented(text: str) -> str:
    return "\n       ".join(printable(line) for line in text.split("\n"))


def _annotation(problem: Problem) -> str:
    level = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}[problem.severity]
    place = [("file", problem.where.file)]
    if problem.where.line:
        place += [("line", str(problem.where.line)), ("col", str(problem.where.column))]
    if problem.rule:
        place.append(("title", problem.rule))
    message = "\n".join(
        part
        for part in (
            problem.what,
            problem.why and f"why: {problem.why}",
            problem.fix and f"fix: {problem.fix}",
        )
        if part
    )
    properties = ",".join(f"{name}={_escaped(value, property_too=True)}" for name, value in place if value)
    return f"::{level} {properties}::{_escaped(message)}"


def _escaped(text: str, *, property_too: bool = False) -> str:
    """Escape as the runner's command syntax wants it: what it would read as syntax becomes %XX."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property_too else text
