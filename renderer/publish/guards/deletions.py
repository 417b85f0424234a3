"""Too many objects would be deleted in one run; of some kinds each counts several times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from renderer.model.differences import FileDifference, clusters_of
from renderer.model.guards import DELETIONS
from renderer.model.places import is_object
from renderer.model.tree import Blob, Tree
from renderer.publish.guards.situation import Situation, kind_of
from renderer.publish.guards.stop import Stop, plural

_LISTED = 200  # objects by name: each is read for that


def deletions(situation: Situation) -> Iterator[Stop]:
    """Count what goes from clusters that stay; clusters that go have a guard of their own."""
    weights = {kind.lower(): weight for kind, weight in situation.settings.weights}
    counted, number = 0, 0
    going: list[tuple[int, str, FileDifference, tuple[str, ...]]] = []
    for item in situation.removed:
        clusters = _counted(situation, item)
        if clusters:
            weight = weights.get(kind_of(item.path), 1)
            number += len(clusters)
            counted += weight * len(clusters)
            going.append((-weight, item.path, item, clusters))
    budget = situation.settings.deletions
    if budget.allows(counted, 0):
        return
    total = _weight(situation.before, weights)
    if budget.allows(counted, total):
        return
    going.sort(key=lambda entry: entry[:2])
    heavy = {kind_of(path): None for weight, path, _, _ in going if weight < -1}
    kinds = [kind for kind, _ in situation.settings.weights if kind.lower() in heavy]
    weighed = f", counted as {counted} for {', '.join(sorted(kinds))}" if counted != number and kinds else ""
    yield Stop(
        guard=DELETIONS,
        what=f"{plural(number, 'object')} would be deleted{weighed}: "
        f"{counted * 100 // max(total, 1)} % of what is published",
        why="the reconciler deletes in every cluster what is no longer in Git",
        objects=tuple(
            situation.on(situation.named(item), clusters) for _, _, item, clusters in going[:_LISTED]
        ),
        more=max(0, len(going) - _LISTED),
        setting="deletions",
        fix=f"delete less at once ({budget.percent} % and {budget.most} pass)",
    )


def _counted(situation: Situation, item: FileDifference) -> tuple[str, ...]:
    """The clusters that stay and lose the object, less those for which a waiver allows it."""
    staying = [name for name in item.clusters if name in situation.clusters]
    if not any(waiver.guard == DELETIONS for waiver in situation.settings.waivers):
        return tuple(staying)
    return situation.unwaived(DELETIONS, situation.named(item), staying)


def _weight(tree: Tree, weights: Mapping[str, int]) -> int:
    """What all published objects count."""
    known: dict[bytes, int] = {}

    def of(directory: Tree, below: str) -> int:
        shape = directory.shape()
        if shape not in known:
            known[shape] = sum(
                _one(f"{below}{name}", weights) if isinstance(node, Blob) else of(node, f"{below}{name}/")
                for name, node in directory.entries().items()
            )
        return known[shape]

    return sum(of(directory, "") for directory in clusters_of(tree).values())


def _one(path: str, weights: Mapping[str, int]) -> int:
    return weights.get(kind_of(path), 1) if is_object(path) else 0
