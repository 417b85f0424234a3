"""What lies on the branch, asked for many clusters at once: those with one directory are asked once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import PointerError, look_up
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.match.fleet import Fleet, Mask
from renderer.model.places import CLUSTERS
from renderer.model.tree import Blob, Tree

REPLICAS: Final = "/spec/replicas"


# As krender writes them, which needs no parser: there may be a file for each cluster.
_AS_WRITTEN: Final = re.compile(rb"^spec:\n(?:  .*\n)*?  replicas: (0|[1-9][0-9]*)\n", re.MULTILINE)


class Published:
    """The published tree, by sets of clusters."""

    def __init__(self, tree: Tree, fleet: Fleet) -> None:
        """Nothing is read before it is asked for."""
        self._tree = tree
        self._fleet = fleet
        self._files: dict[str, tuple[tuple[Blob, Mask], ...]] = {}
        self._values: dict[tuple[object, str], Maybe] = {}
        self._parted: dict[tuple[str, str], tuple[tuple[Maybe, Mask], ...]] = {}

    def having(self, path: str) -> Mask:
        """The clusters that have a file at a path below their directory."""
        return sum(mask for _, mask in self._at(path))

    def values(self, path: str, pointer: str, mask: Mask) -> Iterator[tuple[Maybe, Mask]]:
        """Each value, or ABSENT, that stands at a pointer of the file at a path, with its part of `mask`."""
        left = mask
        for value, members in self._valued(path, pointer):
            here = members & mask
            if here:
                yield value, here
                left &= ~here
        if left:
            yield ABSENT, left

    def _valued(self, path: str, pointer: str) -> Sequence[tuple[Maybe, Mask]]:
        """Each value with all the clusters that have it, worked out once."""
        if (path, pointer) not in self._parted:
            found: dict[str, tuple[Maybe, Mask]] = {}
            for blob, members in self._at(path):
                value = self._value(blob, pointer)
                if value is not ABSENT:
                    found[repr(value)] = value, members | found.get(repr(value), (value, 0))[1]
            self._parted[path, pointer] = tuple(found.values())
        return self._parted[path, pointer]

    def _at(self, path: str) -> Sequence[tuple[Blob, Mask]]:
        if path not in self._files:
            found: dict[object, tuple[Blob, Mask]] = {}
            for directory, members in self._directories:
                node = directory.at(path)
                if isinstance(node, Blob):
                    found[node.token] = (node, members | found.get(node.token, (node, 0))[1])
            self._files[path] = tuple(found.values())
        return self._files[path]

    def _value(self, blob: Blob, pointer: str) -> Maybe:
        key = (blob.token, pointer)
        if key not in self._values:
            self._values[key] = _read(blob.data, pointer)
        return self._values[key]

    @cached_property
    def _directories(self) -> tuple[tuple[Tree, Mask], ...]:
        """Each distinct directory with the clusters that have it."""
        places: dict[object, tuple[Tree, list[int]]] = {}
        top = self._tree.child(CLUSTERS)
        entries = top.entries() if isinstance(top, Tree) else {}
        for place, cluster in enumerate(self._fleet.clusters):
            node = entries.get(cluster.slug)
            if isinstance(node, Tree):
                places.setdefault(node.token, (node, []))[1].append(place)
        return tuple((node, self._fleet.mask(group)) for node, group in places.values())


def _read(data: bytes, pointer: str) -> Maybe:
    """What stands at a pointer of a published file."""
    if pointer.rpartition("/")[2].encode() not in data:
        return ABSENT
    if pointer == REPLICAS and (written := _AS_WRITTEN.search(data)):
        return int(written[1])
    try:
        documents = read_stream(data, "")
        return look_up(documents[0].value, pointer) if len(documents) == 1 else ABSENT
    except (InputError, PointerError):
        return ABSENT
