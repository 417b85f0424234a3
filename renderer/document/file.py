"""One input file: a name that the same workspace has on every machine, and its bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a workspace; `path` is relative to the workspace, with "/" between its parts."""

    path: str
    data: bytes
