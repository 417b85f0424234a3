"""The taints that krender gave clusters, read back from the published tree."""

from __future__ import annotations

from typing import Final

from renderer.document.values import mapping, sequence, text
from renderer.model.cluster import Taint
from renderer.model.failover import GivenTaint
from renderer.model.memory_keys import TAINTS
from renderer.model.tree import Tree
from renderer.schedule.stored_file import read_one
from renderer.schedule.stored_shape import TEXT, TIME, Fields, Items, one_of

_SHAPE: Final = Fields(
    {
        "kind": one_of("ClusterTaints"),
        "clusters": Items(
            Fields(
                {
                    "name": TEXT,
                    "taints": Items(
                        Fields(
                            {"key": TEXT, "value": TEXT, "effect": TEXT, "timeAdded": TIME, "givenBy": TEXT},
                            needed=("key", "effect", "timeAdded", "givenBy"),
                        )
                    ),
                },
                needed=("name",),
            )
        ),
    },
    needed=("kind",),
)


def read_taints(tree: Tree) -> tuple[GivenTaint, ...]:
    """What was given and when, in the order of the file. Raises InputError for nonsense."""
    document = read_one(tree, TAINTS, _SHAPE)
    if document is None:
        return ()
    return tuple(
        GivenTaint(
            cluster=text(cluster.get("name")),
            taint=Taint(
                key=text(item.get("key")),
                value=text(item.get("value")),
                effect=text(item.get("effect")),
                time_added=text(item.get("timeAdded")),
            ),
            given_by=text(item.get("givenBy")),
        )
        for cluster in map(mapping, sequence(mapping(document.value).get("clusters")))
        for item in map(mapping, sequence(cluster.get("taints")))
    )
