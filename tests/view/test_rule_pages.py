"""The sections of docs/rules.md, one a rule."""

from __future__ import annotations

from renderer.check.errors import ERRORS
from renderer.check.rules import RULES
from renderer.view.rule_pages import parsed, rule_pages

DOCUMENT = """\
# Findings

Text.

## Claims

What they have in common.

### KR101 A selector selects nothing
It matches `nothing`
at *all*.

    spec: {}

## Placement

### KR201 A template could not be scheduled
No cluster.
"""


def test_a_page_ends_where_the_next_heading_begins() -> None:
    pages = parsed(DOCUMENT)
    assert [(page.id, page.title, page.family) for page in pages.values()] == [
        ("KR101", "A selector selects nothing", "Claims"),
        ("KR201", "A template could not be scheduled", "Placement"),
    ]
    assert pages["KR101"].body == "It matches `nothing`\nat *all*.\n\n    spec: {}"
    assert pages["KR101"].summary == "It matches nothing at all. spec: {}"


def test_every_rule_has_its_page() -> None:
    assert {rule.id: rule.title for rule in (*ERRORS, *RULES)} == {
        page.id: page.title for page in rule_pages().values()
    }
