"""Findings about keys that YAML reads as something else: `y`, `no` and `on` are true and false."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.pointer import escape
from renderer.document.problem import Position, Problem
from renderer.document.source import Document
from renderer.document.values import Value, sequence
from renderer.model.plan import Plan

TRUTH: Final = Rule(id="KR504", title="A key is read as true or false")

RULES: Final = (TRUTH,)

_READ: Final = ("true", "false")


def key_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    looked_at = (
        *((item.identity, item.document, item.body) for item in plan.workspace.templates),
        *((item, item.document, item.body) for item in plan.workspace.override_policies),
    )
    for subject, document, body in looked_at:
        for pointer in _truths(body, ""):
            yield from _misread(document, pointer, str(subject))


def _truths(value: Value, pointer: str) -> Iterator[str]:
    """Where keys stand that are, by now, true or false."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in _READ:
                yield f"{pointer}/{key}"
            if isinstance(item, dict | list):
                yield from _truths(item, f"{pointer}/{escape(key)}")
        return
    for index, item in enumerate(sequence(value)):
        if isinstance(item, dict | list):
            yield from _truths(item, f"{pointer}/{index}")


def _misread(document: Document | None, pointer: str, subject: str) -> Iterator[Problem]:
    """The finding, if the key is spelt otherwise in the file."""
    where = document.where(pointer) if document else Position()
    text = document.excerpt(where)[max(where.column - 1, 0) :] if document else ""
    word = text.partition(":")[0].strip()
    read = pointer.rpartition("/")[2]
    if word.isalpha() and word.lower() != read:
        yield TRUTH.at(
            document,
            pointer,
            what=f'{subject}: the key {word} is read as "{read}"',
            why="y, n, yes, no, on and off are true and false in YAML as Kubernetes reads it",
            fix=f'write it in quotes: "{word}"',
        )
