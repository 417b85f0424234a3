"""JSON patches of the operations add, replace and remove, as the Go library that Karmada uses applies them.

A patch makes new nodes along its paths and shares everything else with the document it was given.
Source: github.com/evanphx/json-patch v5.9.11, patch.go, with its default options.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Protocol, TypeAlias

from renderer.document.pointer import join, kind_of, list_index, missing_reason, patch_parts
from renderer.document.values import Value, mapping


class Absent(Enum):
    """Where there is no value at all, as opposed to null."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        """Give the name by which it is imported."""
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
Maybe: TypeAlias = Value | Absent
_Container: TypeAlias = dict[str, Value] | list[Value]


class Operation(Protocol):
    """One operation of a patch. `value` is not looked at when the operator is remove."""

    @property
    def path(self) -> str:
        """Where, as in RFC 6902, more loosely read."""

    @property
    def operator(self) -> str:
        """One of add, replace, remove."""

    @property
    def value(self) -> Value:
        """What is written."""


class Change(NamedTuple):  # a tuple, because several are made for each manifest
    """What one operation did: the pointer of what it touched, and what stood there before and after.

    `lost` marks a change that had no effect on the document (see `_Patching`).
    """

    path: str
    before: Maybe
    after: Maybe
    lost: bool = False


class Patched(NamedTuple):
    """A patched document, and what each operation changed."""

    document: Value
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class PatchError(Exception):
    """An operation that cannot be applied; nothing of its patch is kept.

    `index` counts operations from 0. `deepest` is the pointer of the last container on the path that
    exists, `missing` the token of the path at which it ends, `reason` says so in words.
    """

    index: int
    operator: str
    path: str
    deepest: str
    missing: str
    reason: str

    def __str__(self) -> str:
        """Give `add "/a/b": there is no "a"`."""
        return f'{self.operator} "{self.path}": {self.reason}'


class _NoWay(Exception):  # noqa: N818 - caught below, where operation and path are known
    """The path ends at `missing`, `depth` tokens below the document; `way` are its tokens as far as known."""

    def __init__(self, depth: int, missing: str, reason: str) -> None:
        super().__init__(reason)
        self.depth, self.missing, self.reason = depth, missing, reason
        self.way: tuple[str, ...] = ()


def apply_patch(document: Value, operations: Iterable[Operation]) -> Patched:
    """Apply operations one after the other to a document, which stays as it is.

    A document that is null takes no operation but one that replaces it whole. Raises PatchError.
    """
    patching = _Patching(document)
    changes: list[Change] = []
    for operation in operations:
        try:
            changes.append(patching.apply(operation))
        except _NoWay as error:
            raise _patch_error(len(changes), operation, error) from None
    if patching.blank and changes:
        raise _patch_error(len(changes) - 1, operation, _NoWay(0, "", "the whole document is null"))
    return Patched(patching.root, tuple(changes))


def _patch_error(index: int, operation: Operation, error: _NoWay) -> PatchError:
    deepest = join(error.way[: error.depth])
    return PatchError(index, operation.operator, operation.path, deepest, error.missing, error.reason)


class _Patching:
    """A patch under way.

    The Go library answers the empty part of a path at the root (`//spec/x`) with the document as it was
    first read: a copy beside the real one, in which changes are made and lost. `copy` is that copy; after
    a `replace` of the whole document there is none.
    """

    __slots__ = ("blank", "copy", "root")

    def __init__(self, document: Value) -> None:
        self.root = document
        self.copy: Maybe = document
        self.blank = document is None  # null may be written by `replace`, but neither be read nor added

    def apply(self, operation: Operation) -> Change:
        path = operation.path
        parts = patch_parts(path)
        if path == "" and operation.operator == "remove" and "" in mapping(self.root):
            parts = ("",)  # the path is taken for that of the root's empty key
        if not parts:
            return self._whole(operation)
        if parts[0] == "" and len(parts) > 1:
            if self.copy is ABSENT:
                raise _NoWay(0, "", 'there is no ""')
            self.copy, change = _change(self.copy, parts[1:], operation)
            return Change(path, change.before, change.after, lost=True)
        self.root, change = _change(self.root, parts, operation)
        return change

    def _whole(self, operation: Operation) -> Change:
        value, before = operation.value, self.root
        if operation.path:
            raise _NoWay(0, operation.path, 'a path starts with "/"')
        if operation.operator == "remove":
            raise _NoWay(0, "", "the whole document cannot be removed")
        if not (value is None or isinstance(value, dict | list)):
            raise _NoWay(0, "", f"a whole document is a map or a list, not {kind_of(value)}")
        self.root = value
        self.blank = value is None and operation.operator == "add"
        self.copy = value if operation.operator == "add" else ABSENT
        return Change("", before, value)


def _change(root: Value, parts: tuple[str, ...], operation: Operation) -> tuple[Value, Change]:
    """The document with one operation applied below its root, sharing all that is not on the path.

    Containers on the path are copied while it is walked down, so that the last one is ours to edit.
    """
    if not isinstance(root, dict | list):
        raise _NoWay(0, parts[0], missing_reason(root, parts[0]))
    made: _Container = root.copy()
    node, resolved = made, parts
    try:
        for depth, part in enumerate(parts[:-1]):
            if isinstance(node, dict):
                # Below the root an empty part leads nowhere, even where there is such a key.
                child = node.get(part) if part else None
                if isinstance(child, dict) or isinstance(child, list):  # noqa: SIM101 - faster than a union
                    node[part] = copy = child.copy()
                    node = copy
                    continue
            else:
                index = _index(node, part, depth, len(node))
                child = node[index]
                if isinstance(child, dict) or isinstance(child, list):  # noqa: SIM101 - the same
                    node[index] = copy = child.copy()
                    node = copy
                    resolved = _with_index(resolved, depth, index)
                    continue
            raise _NoWay(depth, part, _no_container(node, part, child))
        if isinstance(node, dict):
            before = _edit_map(node, parts[-1], operation, len(parts) - 1)
        else:
            index, before = _edit_list(node, parts[-1], operation, len(parts) - 1)
            resolved = _with_index(resolved, len(parts) - 1, index)
    except _NoWay as error:
        error.way = resolved
        raise
    after = ABSENT if operation.operator == "remove" else operation.value
    return made, Change(_pointer(operation.path, parts, resolved), before, after)


def _with_index(parts: tuple[str, ...], depth: int, index: int) -> tuple[str, ...]:
    """The parts of a path with an index as pointers spell it."""
    spelled = str(index)
    return parts if spelled == parts[depth] else (*parts[:depth], spelled, *parts[depth + 1 :])


def _pointer(path: str, parts: tuple[str, ...], resolved: tuple[str, ...]) -> str:
    """The pointer of what was touched: as written, but with a slash in front and indexes from 0."""
    if resolved is parts and path.startswith("/"):
        return path
    return join(resolved) if "~" in path else f"/{'/'.join(resolved)}"


def _no_container(node: Value, part: str, child: Value) -> str:
    if not part or (child is None and not (isinstance(node, dict) and part in node)):
        return missing_reason(node, part)
    return f'"{part}" is {kind_of(child)}, which has nothing below it'


def _edit_map(node: dict[str, Value], key: str, operation: Operation, depth: int) -> Maybe:
    """Apply the operation to a map that is ours; give what stood there."""
    before: Maybe = node.get(key, ABSENT)
    operator = operation.operator
    # The empty key can be replaced though it is absent: reading it gives the map itself.
    if before is ABSENT and operator != "add" and (key or operator == "remove"):
        raise _NoWay(depth, key, missing_reason(node, key))
    if operator == "remove":
        del node[key]
    else:
        node[key] = operation.value
    return before


def _edit_list(node: list[Value], part: str, operation: Operation, depth: int) -> tuple[int, Maybe]:
    """Apply the operation to a list that is ours; give the index from 0 and what stood there."""
    size = len(node)
    if operation.operator == "add":
        index = size if part == "-" else _index(node, part, depth, size + 1)
        node.insert(index, operation.value)
        return index, ABSENT
    index = _index(node, part, depth, size)
    before = node[index]
    if operation.operator == "remove":
        del node[index]
    else:
        node[index] = operation.value
    return index, before


def _index(node: list[Value], part: str, depth: int, places: int) -> int:
    """The index that a part names among so many places; negative ones count from the end."""
    index = list_index(part)
    if index is None or not -places <= index < places:
        raise _NoWay(depth, part, missing_reason(node, part))
    return index + places if index < 0 else index
