"""The record of files that were kept so that their objects outlive them, read back."""

from __future__ import annotations

from typing import Final

from renderer.document.values import Object, mapping, sequence, text
from renderer.model.memory_keys import RELEASED
from renderer.model.released import Release, Released
from renderer.model.tree import Tree
from renderer.schedule.stored_file import read_one
from renderer.schedule.stored_shape import TEXT, Fields, Items, one_of

_FILES: Final = Items(Fields({"path": TEXT, "clusters": Items(TEXT)}, needed=("path", "clusters")))
_SHAPE: Final = Fields({"kind": one_of("Released"), "files": _FILES, "namespaces": _FILES}, needed=("kind",))


def read_released(tree: Tree) -> tuple[Released, ...]:
    """The files, in the order of the record. Raises InputError for nonsense."""
    document = read_one(tree, RELEASED, _SHAPE)
    if document is None:
        return ()
    body = mapping(document.value)
    return (
        *(_released(mapping(item), Release.READY) for item in sequence(body.get("files"))),
        *(_released(mapping(item), Release.HOME) for item in sequence(body.get("namespaces"))),
    )


def _released(item: Object, release: Release) -> Released:
    clusters = tuple(text(name) for name in sequence(item.get("clusters")))
    return Released(path=text(item.get("path")), clusters=clusters, release=release)
