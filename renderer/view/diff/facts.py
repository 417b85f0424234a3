"""The difference of two states as a JSON document; text and Markdown are made from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.differences import (
    Directories,
    FileDifference,
    Identify,
    by_id,
    directory_changes,
    file_differences,
    merged,
    node_differences,
)
from renderer.model.identity import Identity
from renderer.model.owned import OWNED_PATH
from renderer.model.places import CLUSTERS, is_object
from renderer.model.tree import Tree, walk
from renderer.view.diff.contents import object_changes, object_facts
from renderer.view.diff.hunks import texts
from renderer.view.diff.placements import placement_changes
from renderer.view.diff.side import Side
from renderer.view.diff.units import unit_facts

_MOVES = ("moved", "replicas", "scaled", "scaledEach", "placed")


def diff_facts(old: Side, new: Side, algorithm: str, *, with_text: bool = True) -> Object:
    """What changes from one state to the other.

    `algorithm` is how both trees name objects. `changed` tells whether anything does; the meaning stands
    under `clusters`, `units` and `objects`, the files under `files` and `elsewhere`, the text under `text`.
    """
    identify = by_id(algorithm)
    changes = directory_changes(old.tree, new.tree, identify, new.moved)
    files = [(change, item) for change in changes for item in file_differences(change, identify)]
    inside = merged(
        (
            item
            for change, item in files
            if change.before is not None and change.after is not None and is_object(item.path)
        ),
        identify,
    )
    found = object_changes(inside)
    placements = list(placement_changes(old, new))
    placed = {
        identity.key: None
        for identity, told in placements
        if any(text(mapping(item).get("change")) in _MOVES for item in told)
    }
    elsewhere = list(_elsewhere(old.tree, new.tree, identify))
    shown, more = texts(found, new) if with_text else ([], 0)
    facts: dict[str, Value] = {
        "from": old.label,
        "to": new.label,
        "changed": bool(changes or elsewhere or new.moved),
        "clusters": _clusters(changes, old, new),
        "units": list(unit_facts(old.tree, new.tree, identify)),
        "objects": _objects([*placements, *object_facts(found, new, placed)]),
        "files": list(_files([item for _, item in files], new)),
        "elsewhere": elsewhere,
        "text": shown,
        "textsLeftOut": more,
    }
    return {key: value for key, value in facts.items() if value not in ([], {}, 0) or key == "changed"}


def _clusters(changes: Sequence[Directories], old: Side, new: Side) -> Object:
    gained: list[Value] = []
    lost: list[Value] = []
    for change in changes:
        for name in change.clusters:
            if change.before is None:
                gained.append({"cluster": new.name(name), "objects": _count(change.after)})
            elif change.after is None:
                lost.append({"cluster": old.name(name), "objects": _count(change.before)})
    renamed: list[Value] = [
        {"from": old.name(was), "to": new.name(now)} for was, now in sorted(new.moved.items())
    ]
    changed = len({name: None for change in changes for name in change.clusters})
    facts: dict[str, Value] = {"gained": gained, "lost": lost, "renamed": renamed, "changed": changed}
    return {key: value for key, value in facts.items() if value}


def _count(directory: Tree | None) -> int:
    return sum(is_object(path) for path, _ in walk(directory)) if directory else 0


def _objects(told: Sequence[tuple[Identity, list[Value]]]) -> list[Value]:
    """The changes of each object, however many have told of it; in order of names."""
    grouped: dict[tuple[str, str, str, str], tuple[Identity, list[Value]]] = {}
    for identity, changes in told:
        grouped.setdefault(identity.key, (identity, []))[1].extend(changes)
    return [
        {"object": _identity(identity), "changes": changes}
        for identity, changes in sorted(
            grouped.values(), key=lambda item: (item[0].namespace, item[0].kind, item[0].name, item[0].group)
        )
        if changes
    ]


def _identity(identity: Identity) -> Object:
    facts = {
        "apiVersion": identity.api_version,
        "kind": identity.kind,
        "namespace": identity.namespace,
        "name": identity.name,
    }
    return {key: value for key, value in facts.items() if value}


def _files(differences: Sequence[FileDifference], new: Side) -> Iterator[Object]:
    """What becomes of each path, with the clusters: those of one kind of change together."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in differences:
        change = "added" if item.before is None else "removed" if item.after is None else "changed"
        found.setdefault((item.path, change), []).extend(item.clusters)
    for (path, change), names in sorted(found.items()):
        yield {"change": change, "path": path, "clusters": [*sorted(map(new.name, names))]}


def _elsewhere(old: Tree, new: Tree, identify: Identify) -> Iterator[Object]:
    """Files beside the clusters; the record of what krender owns follows from the rest."""
    one, other = (
        Tree({name: node for name, node in tree.entries().items() if name != CLUSTERS}) for tree in (old, new)
    )
    for path, before, after in node_differences(one, other, identify, lambda _: True):
        if path != OWNED_PATH:
            change = "added" if before is None else "removed" if after is None else "changed"
            yield {"change": change, "path": path}


def counts(facts: Object) -> Mapping[str, int]:
    """Files of clusters that are added, changed and removed, each once for every cluster."""
    found = {"added": 0, "changed": 0, "removed": 0}
    for item in map(mapping, sequence(facts.get("files"))):
        found[text(item.get("change"))] += len(sequence(item.get("clusters")))
    return found
