"""Too many objects would be deleted in one run; of some kinds each counts several times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from renderer.model.differences import FileDifference, clusters_of
from renderer.model.guards import DELETIONS
from renderer.model.tree import Blob, Tree
from renderer.publish.guards.situation import Situation, is_object, kind_of
from renderer.publish.guards.stop import Stop, plural


def deletions(situation: Situation) -> Iterator[Stop]:
    """Count what goes from clusters that stay; clusters that go have a guard of their own."""
    weights = {kind.lower(): weight for kind, weight in situation.settings.weights}
    heavy: dict[str, None] = {}
    counted, number, objects = 0, 0, []
    for item in situation.removed:
        clusters = _counted(situation, item)
        if not clusters:
            continue
        weight = weights.get(kind_of(item.path), 1)
        number += len(clusters)
        counted += weight * len(clusters)
        objects.append((-weight, situation.on(situation.named(item), clusters)))
        if weight > 1:
            heavy[situation.named(item).partition(" ")[0]] = None
    budget = situation.settings.deletions
    if budget.allows(counted, 0):
        return
    total = _weight(situation.before, weights)
    if budget.allows(counted, total):
        return
    share = f"{counted * 100 // max(total, 1)} % of what is published"
    weighed = f", counted as {counted} for {', '.join(sorted(heavy))}" if counted != number else ""
    yield Stop(
        guard=DELETIONS,
        what=f"{plural(number, 'object')} would be deleted{weighed}: {share}",
        why="the reconciler deletes in every cluster what is no longer in Git",
        objects=tuple(name for _, name in sorted(objects)),
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
