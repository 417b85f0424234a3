"""Findings about templates that something applies as they stand, beside what is rendered of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.reader import Reader
from renderer.document.problem import Problem, Severity
from renderer.model.carried import clusters_of, written
from renderer.model.plan import Plan, Rendering
from renderer.model.surroundings import Surroundings

RAW: Final = Rule(id="KR811", title="Templates are applied as they stand, too", severity=Severity.ERROR)

RULES: Final = (RAW,)


def raw_findings(plan: Plan, readers: Sequence[Reader], around: Surroundings) -> Iterator[Problem]:
    """All findings of this family: one for each source of a reconciler."""
    files: dict[str, list[Rendering]] = {}
    for rendering in written(plan):
        if rendering.template.document is not None:
            files.setdefault(around.from_top(rendering.template.document.file), []).append(rendering)
    output = plan.workspace.config.output
    for reader in readers:
        own = around.is_own(reader.address)
        published = reader.revision == output.branch and not output.path
        # Where nobody knows which repository it is, the path must tell something.
        if own is False or published or (own is None and not (reader.path or reader.patterns)):
            continue
        twice = list(_twice(reader, files))
        if twice:
            yield _finding(reader, twice, own=own is True)


def _twice(reader: Reader, files: Mapping[str, list[Rendering]]) -> Iterator[Rendering]:
    """The templates it applies where krender has them applied, too, as far as it is known where."""
    for file in sorted(files):
        if reader.reads(file):
            for rendering in files[file]:
                if rendering.template.identity != reader.subject and _meet(reader, rendering):
                    yield rendering


def _meet(reader: Reader, rendering: Rendering) -> bool:
    return reader.clusters is None or any(name in reader.clusters for name in clusters_of(rendering))


def _finding(reader: Reader, twice: list[Rendering], *, own: bool) -> Problem:
    objects = [rendering.template.identity for rendering in twice]
    address = reader.address or "its source"
    condition = "" if own else f" if {address} is the repository of this workspace"
    return RAW.at(
        reader.document,
        reader.pointer,
        what=f"{reader.subject} applies what stands in {reader.shown}{condition}: {some(objects)}",
        why=_why(reader, twice),
        fix="let it read the rendered branch, or keep what it reads out of the workspace with .krenderignore",
        severity=None if own and reader.clusters is not None else Severity.WARNING,
    )


def _why(reader: Reader, twice: list[Rendering]) -> str:
    rendered = dict.fromkeys(name for rendering in twice for name in clusters_of(rendering))
    names = [name for name in reader.clusters or rendered if name in rendered]
    unless = "" if reader.clusters else ", unless it applies them to another cluster"
    return f"they are rendered for {some(names)}, so each has two writers that undo each other{unless}"
