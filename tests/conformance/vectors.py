"""Finding and reading conformance vectors below a directory."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = ("yaml", "validate", "match", "override", "interpret", "work", "scheduling", "workspace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One vector: the kind its directory names, its id, and a way to load it."""

    kind: str
    id: str
    vector: dict[str, Any]


def kind_of(path: Path) -> str | None:
    """The kind that the nearest directory above `path` names."""
    return next((part for part in reversed(path.resolve().parent.parts) if part in KINDS), None)


def cases_below(directory: Path) -> Iterator[Case]:
    """Every vector below a directory, files in name order.

    A `.jsonl` (or `.jsonl.gz`) file holds one vector a line. A directory with `step-1/expect.json` is a
    workspace: its vector is `{"id", "path"}`.
    """
    for path in sorted(directory.rglob("*")):
        if path.name == "expect.json" and path.parent.name == "step-1" and kind_of(path) == "workspace":
            root = path.parent.parent
            yield Case(kind="workspace", id=root.name, vector={"id": root.name, "path": str(root)})
        elif path.name.endswith((".jsonl", ".jsonl.gz")) and path.is_file():
            yield from _lines_of(path)


def _lines_of(path: Path) -> Iterator[Case]:
    kind = kind_of(path)
    if kind is None:
        return
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    for line in data.decode().split("\n"):  # not splitlines: JSON strings may hold U+2028
        if line.strip():
            vector = json.loads(line)
            yield Case(kind=kind, id=str(vector["id"]), vector=vector)
