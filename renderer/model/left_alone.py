"""Fields that engines have been told to leave alone, as published: their rules are in place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftAlone:
    """The paths of objects below the directories of some clusters; both sorted."""

    paths: tuple[str, ...]
    clusters: tuple[str, ...]
