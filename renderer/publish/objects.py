"""How many files of objects a change of the published tree adds, modifies and deletes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from renderer.model.places import CLUSTERS, is_object
from renderer.publish.changes import Changes, FileChanges

Counts: TypeAlias = tuple[int, int, int]  # added, modified, deleted


def objects_in(changes: Changes) -> Counts:
    """What a commit changes; equal changes of many clusters are one value, and looked at once."""
    known: dict[int, Counts] = {}
    added, modified, deleted = 0, 0, 0
    for cluster in changes.clusters:
        files = cluster.files
        one = known.get(id(files))
        if one is None:
            one = known[id(files)] = _counts(files)
        added, modified, deleted = added + one[0], modified + one[1], deleted + one[2]
    return added, modified, deleted


def objects_of(added: Iterable[str], changed: Iterable[str], removed: Iterable[str]) -> Counts:
    """The same for whole paths of files that are added, changed and removed."""
    return (_number(_below(added)), _number(_below(changed)), _number(_below(removed)))


def _counts(files: FileChanges) -> Counts:
    return (_number(files.added), _number(files.changed), _number(files.removed))


def _number(paths: Iterable[str]) -> int:
    return sum(map(is_object, paths))


def _below(paths: Iterable[str]) -> Iterable[str]:
    """What lies in the directories of clusters, below these."""
    start = f"{CLUSTERS}/"
    return (path.removeprefix(start).partition("/")[2] for path in paths if path.startswith(start))
