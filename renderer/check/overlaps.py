"""Findings about reconcilers that apply the same files to the same place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from renderer.check.finding import Rule
from renderer.check.reader import NAMES, Reader
from renderer.document.problem import Problem

OVERLAP: Final = Rule(id="KR812", title="Two reconcilers apply the same files")

RULES: Final = (OVERLAP,)


def overlap_findings(readers: Sequence[Reader]) -> Iterator[Problem]:
    """All findings of this family: one for each pair. What a pattern comes to is not compared."""
    literal = [reader for reader in readers if not reader.patterns]
    at: dict[tuple[object, ...], list[Reader]] = {}
    for reader in literal:
        for target in _targets(reader):
            at.setdefault((*reader.source, target, reader.path), []).append(reader)
    told: dict[tuple[object, ...], None] = {}
    for reader in literal:
        for target in _targets(reader):
            for path in _above(reader.path):
                for other in at.get((*reader.source, target, path), ()):
                    pair = tuple(sorted((reader.subject, other.subject)))
                    if pair not in told and _clash(reader, other):
                        told[pair] = None
                        # Of two that are alike, it is told at the one that comes later.
                        first = other.path == reader.path and reader.subject < other.subject
                        yield _finding(other, reader, target) if first else _finding(reader, other, target)


def _targets(reader: Reader) -> tuple[str, ...]:
    """Where it applies them, each in a word that another one shares only if it is the same place."""
    if reader.clusters:
        return tuple(f"on {name}" for name in reader.clusters)
    return (f"{reader.engine} {reader.destination}",)


def _above(path: str) -> Iterator[str]:
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


def _clash(reader: Reader, other: Reader) -> bool:
    if reader.subject == other.subject or (other.path != reader.path and not other.recurse):
        return False
    # Of two tools it is enough that both apply it; within one, they may make different objects of the files.
    return reader.engine is not other.engine or reader.form == other.form


def _finding(reader: Reader, other: Reader, target: str) -> Problem:
    where = f" {target}" if reader.clusters else ""
    same = reader.path == other.path
    engines = "" if reader.engine is other.engine else f" ({NAMES[other.engine]} and {NAMES[reader.engine]})"
    unless = "" if same else f", unless a kustomization.yaml in {other.shown} leaves it out"
    return OVERLAP.at(
        reader.document,
        reader.pointer,
        what=f"{reader.subject} and {other.subject} both apply {reader.shown}{where}{engines}",
        why=f"every object there has two writers, and what one prunes the other creates{unless}",
        fix="give each a directory of its own",
    )
