"""What changes in the objects of the clusters: which come and go, and which fields are others, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from renderer.document.patch import ABSENT
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import EMPTY, Object, Value, mapping
from renderer.model.differences import FileDifference
from renderer.model.identity import Identity, identity_of
from renderer.model.previous import Key
from renderer.model.tree import Blob
from renderer.view.diff.fields import FieldChange, field_changes
from renderer.view.diff.reasons import SCHEDULED
from renderer.view.diff.side import Side
from renderer.view.redaction import is_secret, redacted

_LOOKED_INTO = 20_000  # pairs of files; the rest is counted
_VARIANTS = 3  # values of a field that differ from cluster to cluster: more are one line with a count


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectChange:
    """One file that changes from one content to another on some clusters (by directory).

    `fields` is None for a pair that was not looked into, for there were too many. `rewritten` is one of
    which either side is not one object, so that there are no fields to compare.
    """

    identity: Identity
    difference: FileDifference
    fields: tuple[FieldChange, ...] | None = ()
    rewritten: bool = False


def object_changes(files: Sequence[FileDifference]) -> tuple[ObjectChange, ...]:
    """What becomes of the objects in files; those of one path stand together."""
    each = max(1, _LOOKED_INTO // max(1, len({item.path: None for item in files})))
    known: dict[str, tuple[int, Identity]] = {}
    found = []
    for item in files:
        seen, identity = known.get(item.path, (0, None))
        if seen >= each and identity is not None:
            change = ObjectChange(identity=identity, difference=item, fields=None)
        else:
            change = _looked_into(item)
        known[item.path] = (seen + 1, change.identity)
        found.append(change)
    return tuple(found)


def body_of(blob: Blob | None) -> Object:
    """The object in a file; empty where there is none."""
    if blob is None:
        return EMPTY
    try:
        documents = read_stream(blob.data, "")
    except InputError:
        return EMPTY
    return mapping(documents[0].value) if len(documents) == 1 else EMPTY


def _looked_into(item: FileDifference) -> ObjectChange:
    before, after = body_of(item.before), body_of(item.after)
    identity = identity_of(after or before)
    if not identity.kind:
        identity = Identity("", "file", "", item.path)
    if item.before is None or item.after is None:
        return ObjectChange(identity=identity, difference=item)
    if not (before and after):
        return ObjectChange(identity=identity, difference=item, rewritten=True)
    return ObjectChange(identity=identity, difference=item, fields=field_changes(before, after))


def object_facts(
    changes: Sequence[ObjectChange], new: Side, placed: Mapping[Key, object]
) -> Iterator[tuple[Identity, list[Value]]]:
    """For each object, what becomes of it on which clusters.

    `placed` are templates whose replicas are told as a placement already.
    """
    grouped: dict[Identity, list[ObjectChange]] = {}
    for item in changes:
        grouped.setdefault(item.identity, []).append(item)
    for identity, items in sorted(grouped.items()):
        yield identity, [*_of_object(identity, items, new, is_placed=identity.key in placed)]


def _of_object(
    identity: Identity, items: Sequence[ObjectChange], new: Side, *, is_placed: bool
) -> Iterator[Object]:
    added = [name for item in items if item.difference.before is None for name in item.difference.clusters]
    gone = [name for item in items if item.difference.after is None for name in item.difference.clusters]
    if added:
        yield {"change": "added", "clusters": _names(new, added)}
    if gone:
        yield {"change": "deleted", "clusters": _names(new, gone)}
    rewritten = [name for item in items if item.rewritten for name in item.difference.clusters]
    if rewritten:
        yield {"change": "rewritten", "clusters": _names(new, rewritten)}
    passed = [name for item in items if item.fields is None for name in item.difference.clusters]
    yield from _fields(identity, [item for item in items if item.fields], new, is_placed=is_placed)
    if passed:
        yield {"change": "notLookedInto", "clusters": _names(new, passed)}


# A change of one field, as text -> itself, and the directories of the clusters it happens to.
_Variants: TypeAlias = dict[tuple[str, str], tuple[FieldChange, list[str]]]


def _fields(
    identity: Identity, items: Sequence[ObjectChange], new: Side, *, is_placed: bool
) -> Iterator[Object]:
    """Each changed field, by what caused it."""
    found: dict[tuple[str, str], _Variants] = {}
    for item in items:
        for change in item.fields or ():
            for cause, clusters in _by_cause(identity, item, change, new).items():
                if is_placed and not cause and change.pointer in SCHEDULED:
                    continue  # told as the placement it follows from
                variants = found.setdefault((change.path, cause), {})
                key = (repr(change.before), repr(change.after))
                variants.setdefault(key, (change, []))[1].extend(clusters)
    for (path, cause), variants in found.items():
        changes = [*variants.values()]
        if len(changes) > _VARIANTS:
            every = [name for _, names in changes for name in names]
            yield _field(identity, path, cause, changes[0][0], _names(new, every), len(changes))
            continue
        for change, names in changes:
            yield _field(identity, path, cause, change, _names(new, names))


def _by_cause(
    identity: Identity, item: ObjectChange, change: FieldChange, new: Side
) -> Mapping[str, list[str]]:
    causes: dict[str, list[str]] = {}
    for name in item.difference.clusters:
        cause = new.why.cause(identity.key, new.name(name), change.pointer)
        causes.setdefault(cause, []).append(name)
    return causes


def _field(
    identity: Identity,
    path: str,
    cause: str,
    change: FieldChange,
    clusters: list[Value],
    variants: int = 1,
) -> Object:
    facts: dict[str, Value] = {"change": "field", "path": path}
    secret = is_secret(identity)
    for name, value in (("before", change.before), ("after", change.after)):
        shown = redacted(value, change.pointer, secret=secret)
        if shown is not ABSENT:
            facts[name] = shown
    if variants > 1:
        facts["variants"] = variants
    return {**facts, "clusters": clusters, **({"because": cause} if cause else {})}


def _names(new: Side, directories: Sequence[str]) -> list[Value]:
    return [*sorted(map(new.name, directories))]
