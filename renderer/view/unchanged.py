"""How a run that had nothing to do says so."""

from __future__ import annotations


def not_committed(branch: str) -> str:
    """Of a branch that holds the result already."""
    return f"{branch}: nothing changed, no commit"


def not_written(target: str, total: str) -> str:
    """Of a directory that does; `total` is what is in it: `12 manifests on 3 clusters`."""
    return f"{target}: {total}, nothing changed"
