"""A cluster's files together come near what Argo CD takes."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.differences import clusters_of
from renderer.model.guards import DIRECTORY_SIZE
from renderer.model.places import KUSTOMIZATION
from renderer.model.tree import Node, Tree
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural


def directory_size(situation: Situation) -> Iterator[Stop]:
    """Measure every directory that is not as it was published."""
    limit, sizes = situation.settings.directory_bytes, _Sizes()
    large = [
        (name, sizes.of(directory))
        for name, directory in clusters_of(situation.after).items()
        if not directory.stored
        and sizes.of(directory) > limit
        and situation.unwaived(DIRECTORY_SIZE, f"Cluster {situation.cluster_name(name)}", [name])
    ]
    if large:
        yield Stop(
            guard=DIRECTORY_SIZE,
            what=f"the files of {plural(len(large), 'cluster')} are larger than {limit:,} bytes together",
            why="Argo CD refuses a directory of more than 10 MB, and then applies nothing of it",
            objects=tuple(
                f"Cluster {situation.cluster_name(name)}: {size:,} bytes" for name, size in sorted(large)
            ),
            setting="directoryBytes",
            fix="split the workspace, or raise the limit of the repo-server "
            "(--max-combined-directory-manifests-size) and this one",
        )


class _Sizes:
    """Bytes of directories; those that clusters share are measured once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of(self, node: Node) -> int:
        """The bytes of all manifests of a node."""
        if not isinstance(node, Tree):
            return len(node.data) if node.stored else sum(map(len, node.parts)) or len(node.data)
        if id(node) not in self._known:
            self._known[id(node)] = sum(
                self.of(child) for name, child in node.entries().items() if name != KUSTOMIZATION
            )
        return self._known[id(node)]
