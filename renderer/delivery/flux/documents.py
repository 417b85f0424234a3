"""Files of several objects: what belongs together lies together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from renderer.document.emit import emit
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping
from renderer.model.tree import Blob, Node


def documents(objects: Iterable[Object]) -> Blob:
    """The file of these objects."""
    return Blob("---\n".join(map(emit, objects)).encode())


def source_file(objects: Sequence[Object], published: Node | None) -> Node:
    """The file of a source; the published one where nobody says any more where that is."""
    known = any(dig(body, "spec", "url") for body in objects)
    return documents(objects) if known or published is None else published


def read_documents(node: Node | None) -> Iterator[Object]:
    """The objects in a published file; none where it is not there or holds something else."""
    if isinstance(node, Blob):
        try:
            found = read_stream(node.data, "")
        except InputError:
            return
        yield from (mapping(document.value) for document in found)
