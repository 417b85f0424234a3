"""Files that would go, and whose objects are to stay in their clusters (preserveResourcesOnDeletion)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Release(StrEnum):
    """How far it is."""

    MARKED = "published with the marks that keep it from being pruned"
    READY = "marked as last published; released: prune removes the file"
    UNMARKED = "kept as it is, because it cannot be marked"
    HOME = "its Namespace, which may not be deleted either: objects live in it whose files are gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """One path below the directories of some clusters (names, sorted)."""

    path: str
    clusters: tuple[str, ...]
    release: Release
