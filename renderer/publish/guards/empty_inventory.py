"""The inventory is empty, and was not."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.differences import clusters_of
from renderer.model.guards import EMPTY_INVENTORY
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def empty_inventory(situation: Situation) -> Iterator[Stop]:
    """Stop what would clear every cluster at once; no budget allows that."""
    known = len(clusters_of(situation.before))
    if known and not situation.clusters and situation.unwaived(EMPTY_INVENTORY, "Cluster *", ["*"]):
        yield Stop(
            guard=EMPTY_INVENTORY,
            what=f"the inventory is empty, and {plural(known, 'cluster')} are published",
            why="all that is published would be deleted",
            fix="see that the files of the inventory are there, and that no .krenderignore leaves them out",
        )
