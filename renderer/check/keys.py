"""Findings about keys that YAML reads as something else: `y`, `no` and `on` are true and false."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.pointer import escape
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Value
from renderer.model.plan import Plan

TRUTH: Final = Rule(id="KR504", title="A key is read as true or false")

RULES: Final = (TRUTH,)

_READ: Final = ("true", "false")


def key_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for template in plan.workspace.templates:
        if template.document is not None:
            for pointer in _truths(template.body, ""):
                yield from _misread(template.document, pointer, str(template.identity))
    for policy in plan.workspace.override_policies:
        if policy.document is not None:
            for pointer in _truths(policy.document.value, ""):
                yield from _misread(policy.document, pointer, str(policy))


def _truths(value: Value, pointer: str) -> Iterator[str]:
    """Where keys stand that are, by now, true or false."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in _READ:
                yield f"{pointer}/{key}"
            if isinstance(item, dict | list):
                yield from _truths(item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from _truths(item, f"{pointer}/{index}")


def _misread(document: Document, pointer: str, subject: str) -> Iterator[Problem]:
    """The finding, if the key is spelt otherwise in the file."""
    where = document.where(pointer)
    text = document.excerpt(where)[max(where.column - 1, 0) :]
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
