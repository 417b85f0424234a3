"""Problems for a pull request or a job's summary, and text that Markdown takes as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.document.problem import Problem, Severity
from renderer.view.problems import printable, summary

_LONGEST: Final = 60_000  # characters: GitHub takes 65,536 in a comment
_LEFT: Final = 100  # for a line on what was left out
_HEADINGS: Final = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.NOTE: "Notes"}


def plain(line: str) -> str:
    """A line in which nothing is read as Markdown, HTML or a mention."""
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]#|~@!])", r"\\\1", line)


def as_markdown(problems: Sequence[Problem], longest: int = _LONGEST) -> str:
    """The problems, most severe first; cut where more than `longest` characters would come of it."""
    blocks = [block for severity in Severity for block in _blocks(severity, problems)]
    kept = [f"**{summary(problems) or 'no problems'}**\n"]
    size = len(kept[0])
    for number, block in enumerate(blocks):
        size += len(block)
        if size > longest - _LEFT:
            kept.append(f"\n_… and {len(blocks) - number} more; `krender check` tells all._\n")
            break
        kept.append(block)
    return "".join(kept)


def _blocks(severity: Severity, problems: Sequence[Problem]) -> Iterator[str]:
    """A heading with the first problem, then one a problem."""
    heading = f"\n### {_HEADINGS[severity]}\n\n"
    for problem in problems:
        if problem.severity is severity:
            yield heading + _item(problem)
            heading = ""


def _item(problem: Problem) -> str:
    rule = f" ({problem.rule})" if problem.rule else ""
    lines = [f"- `{printable(str(problem.where)).replace('`', '')}`{rule}: {_line(problem.what)}"]
    lines += [f"  - why: {_line(problem.why)}"] if problem.why else []
    lines += [f"  - fix: {_line(problem.fix)}"] if problem.fix else []
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    return plain(" ".join(printable(line) for line in text.split("\n")))
