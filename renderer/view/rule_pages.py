"""What docs/rules.md says of each rule: for `explain KR101`, and for programs that show findings.

A wheel carries the file as `renderer/rules.md`; a source checkout has it in `docs/`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_HEADING: Final = re.compile(r"^(##+) (.+)$", re.MULTILINE)
_RULE: Final = re.compile(r"(KR\d+) (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """The section of one rule. `family` is the chapter it stands in; `body` is Markdown."""

    id: str
    title: str
    family: str
    body: str

    @property
    def summary(self) -> str:
        """The body as running text on one line, without marks."""
        return re.sub(r"\s+", " ", self.body.replace("`", "").replace("*", "")).strip()


@cache
def rule_pages() -> Mapping[str, RulePage]:
    """Every section, by the id of its rule, in the order of the document."""
    packaged = resources.files("renderer").joinpath("rules.md")
    beside = resources.files("renderer").joinpath("..", "docs", "rules.md")
    return parsed((packaged if packaged.is_file() else beside).read_text(encoding="utf-8"))


def parsed(document: str) -> Mapping[str, RulePage]:
    """The sections of a document whose chapters are `## Family`, with a section `### KR101 Title` a rule."""
    pages: dict[str, RulePage] = {}
    family = ""
    headings = list(_HEADING.finditer(document))
    ends = [heading.start() for heading in headings[1:]] + [len(document)]
    for heading, end in zip(headings, ends, strict=True):
        rule = _RULE.fullmatch(heading[2])
        if rule is None:
            family = heading[2]
            continue
        body = document[heading.end() : end].strip()
        pages[rule[1]] = RulePage(id=rule[1], title=rule[2], family=family, body=body)
    return pages
