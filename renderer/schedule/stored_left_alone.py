"""The record of files in which engines were told to leave a field alone, read back."""

from __future__ import annotations

from typing import Final

from renderer.document.values import Value, mapping, sequence, text
from renderer.model.left_alone import LeftAlone
from renderer.model.memory_keys import LEFT_ALONE
from renderer.model.tree import Tree
from renderer.schedule.stored_file import read_one
from renderer.schedule.stored_shape import TEXT, Fields, Items, one_of

_GROUP: Final = Fields({"paths": Items(TEXT), "clusters": Items(TEXT)}, needed=("paths", "clusters"))
_SHAPE: Final = Fields({"kind": one_of("LeftAlone"), "files": Items(_GROUP)}, needed=("kind",))


def read_left_alone(tree: Tree) -> tuple[LeftAlone, ...]:
    """The files, in the order of the record. Raises InputError for nonsense."""
    document = read_one(tree, LEFT_ALONE, _SHAPE)
    stated = sequence(mapping(document.value).get("files")) if document is not None else ()
    return tuple(
        LeftAlone(paths=_texts(item.get("paths")), clusters=_texts(item.get("clusters")))
        for item in map(mapping, stated)
    )


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(map(text, sequence(value)))
