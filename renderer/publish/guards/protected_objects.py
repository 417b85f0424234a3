"""A protected object would be deleted."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.differences import FileDifference
from renderer.model.guards import PROTECTED_OBJECTS
from renderer.model.identity import annotations_of
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural

ANNOTATION = "krender.io/protected"


def protected_objects(situation: Situation) -> Iterator[Stop]:
    """Stop the deletion of an object that carries the annotation as published."""
    found = []
    for item in situation.removed:
        if _is_protected(situation, item):
            named = situation.named(item)
            clusters = situation.unwaived(PROTECTED_OBJECTS, named, item.clusters)
            found += [situation.on(named, clusters)] if clusters else []
    if found:
        yield Stop(
            guard=PROTECTED_OBJECTS,
            what=f"{plural(len(found), 'protected object')} would be deleted",
            why=f'the annotation {ANNOTATION}: "true" says that it must stay',
            objects=tuple(found),
            fix="publish it without the annotation first",
        )


def _is_protected(situation: Situation, item: FileDifference) -> bool:
    blob = item.before
    if blob is None or ANNOTATION.encode() not in blob.data:  # reading all YAML would take long
        return False
    return annotations_of(situation.body(blob)).get(ANNOTATION) == "true"
