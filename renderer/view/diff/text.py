"""A difference for a terminal or a log: the meaning, the files, the text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from renderer.document.values import Object, mapping, sequence, text
from renderer.model.memory_keys import BINDINGS
from renderer.model.places import DELIVERY
from renderer.view.diff.facts import counts
from renderer.view.diff.lines import (
    change_line,
    cluster_lines,
    file_line,
    object_title,
    on,
    plural,
    unit_lines,
)
from renderer.view.problems import printable

_FILES = 100
_DEPTH = 3  # delivery/argocd/parameters


def diff_text(facts: Object) -> str:
    """All of it; parts that say nothing are left out."""
    head = printable(f"{text(facts.get('from'))} -> {text(facts.get('to'))}")
    if not facts.get("changed"):
        return f"{head}: nothing changes"
    parts = ["\n".join(part) for part in (_meaning(facts), list(_files(facts)), list(_texts(facts))) if part]
    return "\n\n".join([f"{head}: {summary(facts)}", *parts])


def diff_json(facts: Object) -> str:
    """The facts as they are."""
    return json.dumps(facts, indent=2, ensure_ascii=False)


def summary(facts: Object) -> str:
    """`2 files added, 3 changed on 4 clusters`."""
    told = ", ".join(f"{number} {word}" for word, number in counts(facts).items() if number)
    changed = mapping(facts.get("clusters")).get("changed")
    clusters = f" in {plural(changed, 'cluster')}" if isinstance(changed, int) else ""
    beside = [text(mapping(item).get("path")) for item in sequence(facts.get("elsewhere"))]
    decisions = sum(path.startswith(f"{BINDINGS}/") for path in beside)
    files = f"files {told}{clusters}" if told else ""
    decided = plural(decisions, "decision") if decisions else ""
    others = f"{plural(len(beside) - decisions, 'other file')}" if len(beside) > decisions else ""
    return ", ".join(filter(None, (files, decided, others))) or "clusters renamed"


def _meaning(facts: Object) -> list[str]:
    lines = [*cluster_lines(facts), *unit_lines(facts)]
    for item in map(mapping, sequence(facts.get("objects"))):
        lines.append(object_title(item))
        lines += [f"  {change_line(mapping(change))}" for change in sequence(item.get("changes"))]
    return lines


def _files(facts: Object) -> Iterator[str]:
    files = shown_files(facts)
    if files:
        yield "files"
    yield from (f"  {file_line(item)}" for item in files[:_FILES])
    if len(files) > _FILES:
        yield f"  and {len(files) - _FILES} more"


def shown_files(facts: Object) -> list[Object]:
    """The files that people are told of: the decisions are told by their meaning.

    Of what the engines are given there is a file or more for each cluster: those that lie in one directory
    are one line.
    """
    beside = [mapping(item) for item in sequence(facts.get("elsewhere"))]
    shown = [item for item in beside if not text(item.get("path")).startswith(f"{BINDINGS}/")]
    return [*map(mapping, sequence(facts.get("files"))), *_together(shown)]


def _together(files: Sequence[Object]) -> Iterator[Object]:
    found: dict[tuple[str, str], list[Object]] = {}
    for item in files:
        path = text(item.get("path"))
        top = "/".join(path.split("/")[:_DEPTH]) if path.startswith(f"{DELIVERY}/") else path
        found.setdefault((top, text(item.get("change"))), []).append(item)
    for (top, change), items in found.items():
        yield items[0] if len(items) == 1 else {"change": change, "path": top, "files": len(items)}


def _texts(facts: Object) -> Iterator[str]:
    for item in map(mapping, sequence(facts.get("text"))):
        clusters = sequence(item.get("clusters"))
        example = f", this is {text(item.get('example'))}" if len(clusters) > 1 else ""
        yield printable(f"{text(item.get('path'))} {on(clusters)}{example}")
        yield from (printable(line) for line in text(item.get("diff")).split("\n"))
        yield ""
    more = facts.get("textsLeftOut")
    if isinstance(more, int):
        yield f"and the text of {more} more files"
