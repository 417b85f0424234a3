"""A file has a name by which another tool would take it for its own configuration."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.guards import RESERVED_NAMES
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def reserved_names(situation: Situation) -> Iterator[Stop]:
    """Assert what the layout sees to: no new file is one that Argo CD reads in its own way."""
    paths = situation.reserved
    if paths:
        yield Stop(
            guard=RESERVED_NAMES,
            what=f"{plural(len(paths), 'file')} would be taken for Argo CD's own",
            why="it would call Helm for a Chart.yaml, and change the Application by an .argocd-source file",
            objects=paths,
            fix="rename the object",
        )
