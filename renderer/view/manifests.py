"""What one cluster gets, as a stream of YAML documents."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.model.cluster import Cluster
from renderer.model.places import CLUSTERS, is_object
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, Tree, walk


def stream(plan: Plan, cluster: Cluster) -> bytes:
    """The files of its objects, each as it would be written, by path; empty where it gets none."""
    return b"".join(_document(data) for data in _objects(_directory(plan.tree, cluster)))


def untold(plan: Plan, cluster: Cluster) -> tuple[str, ...]:
    """What stays on the cluster as it was published, where nothing tells what that was.

    A stream without it would have it deleted.
    """
    if _directory(plan.previous.tree, cluster):
        return ()
    if cluster.frozen:
        return (f"Cluster {cluster.name} is frozen",)
    return tuple(
        f"{rendering.template.identity} is suspended there"
        for rendering in plan.renderings
        if cluster.name in rendering.suspended
    )


def _directory(tree: Tree, cluster: Cluster) -> Tree:
    node = tree.at(f"{CLUSTERS}/{cluster.slug}")
    return node if isinstance(node, Tree) else EMPTY_TREE


def _objects(directory: Tree) -> Iterator[bytes]:
    """The contents of files that hold objects: `<namespace>/<file>`, and not what an engine is told."""
    for path, blob in walk(directory):
        if is_object(path):
            yield blob.data


def _document(data: bytes) -> bytes:
    start = b"" if data.startswith(b"---") else b"---\n"
    return start + data + (b"" if data.endswith(b"\n") else b"\n")
