"""One walk through all that changes, for the guards that look at names: a fleet has a million files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from renderer.model.differences import Directories, FileDifference, Identify
from renderer.model.places import CLUSTERS
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree

_SECRETS = ("secret.", "secret-")
_RESERVED_START, _RESERVED_END = ".argocd-source", "Chart.yaml"


@dataclass(slots=True)
class Survey:
    """What was found.

    `removed` are files that go, with `new` what comes to the same clusters, by path; `secrets` are new or
    changed files that may hold a Secret, `reserved` the whole paths of new files with names that are taken.
    """

    removed: list[tuple[Directories, str, Blob]] = field(default_factory=list)
    new: dict[int, list[tuple[str, Blob]]] = field(default_factory=dict)  # by the id of the change
    secrets: list[FileDifference] = field(default_factory=list)
    reserved: list[str] = field(default_factory=list)


def survey(changes: Sequence[Directories], before: Tree, after: Tree, identify: Identify) -> Survey:
    """Look at every change of a cluster's directory, and at what lies beside the clusters."""
    found = Survey()
    for change in changes:
        walk = _Walk(found, change, identify)
        walk.node("", change.before, change.after)
        if walk.lost:  # only then does it matter what is new
            found.new[id(change)] = walk.come
    beside = _Walk(Survey(), Directories(before=None, after=None, clusters=()), identify)
    beside.node("", _beside(before), _beside(after))
    found.reserved += beside.reserved
    return found


class _Walk:
    """Walks two versions of one directory."""

    def __init__(self, found: Survey, change: Directories, identify: Identify) -> None:
        self.reserved: list[str] = []
        self.come: list[tuple[str, Blob]] = []
        self.lost = False
        self._found = found
        self._change = change
        self._identify = identify

    def node(self, path: str, old: Tree | None, new: Tree | None) -> None:
        """Two directories of one name; either may not be there."""
        one = EMPTY_TREE.entries() if old is None else old.entries()
        other = EMPTY_TREE.entries() if new is None else new.entries()
        for name, node in other.items():
            was = one.get(name)
            if was is not None and isinstance(was, Blob) == isinstance(node, Blob):
                if self._identify(was) != self._identify(node):
                    self._changed(f"{path}{name}", was, node)
            else:
                self._added(path, name, node)
                if was is not None:
                    self._removed(f"{path}{name}", was)
        for name, node in one.items():
            if name not in other:
                self._removed(f"{path}{name}", node)

    def _changed(self, path: str, old: Node, new: Node) -> None:
        if isinstance(old, Tree) and isinstance(new, Tree):
            self.node(f"{path}/", old, new)
        elif isinstance(new, Blob) and path.rpartition("/")[2].startswith(_SECRETS):
            self._secret(path, new)

    def _added(self, path: str, name: str, node: Node) -> None:
        if isinstance(node, Tree):
            below = f"{path}{name}/"
            for inner, child in node.entries().items():
                self._added(below, inner, child)
            return
        self.come.append((f"{path}{name}", node))
        if name.startswith(_SECRETS):
            self._secret(f"{path}{name}", node)
        if name.startswith(_RESERVED_START) or name.endswith(_RESERVED_END):
            clusters = [f"{CLUSTERS}/{cluster}/" for cluster in self._change.clusters] or [""]
            paths = [f"{cluster}{path}{name}" for cluster in clusters]
            self.reserved += paths
            self._found.reserved += paths

    def _removed(self, path: str, node: Node) -> None:
        if isinstance(node, Tree):
            for name, child in node.entries().items():
                self._removed(f"{path}/{name}", child)
            return
        self.lost = True
        self._found.removed.append((self._change, path, node))

    def _secret(self, path: str, blob: Blob) -> None:
        self._found.secrets.append(
            FileDifference(path=path, before=None, after=blob, clusters=self._change.clusters)
        )


def _beside(tree: Tree) -> Tree:
    """What does not lie in a cluster's directory."""
    return Tree({name: node for name, node in tree.entries().items() if name != CLUSTERS})
