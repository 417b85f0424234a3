"""`kustomization.yaml`: every file of a unit by name, so that nothing else is read, and `kubectl` agrees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from renderer.document.emit import emit
from renderer.document.values import Object, Value
from renderer.model.delivery import ArgoSource, Contents, Delivery, Unit
from renderer.model.delivery_engine import Engine
from renderer.model.places import KUSTOMIZATION
from renderer.model.tree import Blob, Node, Tree, placed


def kustomized(
    directories: dict[str, Node], units: Sequence[Unit], slugs: Collection[str], delivery: Delivery
) -> None:
    """Add the file to the directories of units whose engine wants one, on the clusters named by `slugs`."""
    files: dict[int, Blob] = {}
    made: dict[tuple[int, str, int], tuple[Node, Tree]] = {}  # nodes are kept, so that ids stay their own
    for unit in units:
        slug = unit.cluster.slug
        directory = directories.get(slug)
        if slug not in slugs or not isinstance(directory, Tree) or not _wants(unit, delivery):
            continue
        if id(unit.contents) not in files:
            files[id(unit.contents)] = kustomization(unit.contents)
        file = files[id(unit.contents)]
        below = unit.path.rpartition(f"/{slug}/")[2] + "/" if _is_part(unit) else ""
        key = id(directory), below, id(file)
        if key not in made:
            made[key] = directory, placed(directory, below + KUSTOMIZATION, file)
        directories[slug] = made[key][1]


def kustomization(contents: Contents) -> Blob:
    """The file for a directory with these contents."""
    return listing(contents.paths)


def listing(paths: Iterable[str]) -> Blob:
    """The file for a directory with these files."""
    names: list[Value] = [*sorted(paths)]
    resources: Object = {"resources": names} if names else _NOTHING
    body: Object = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", **resources}
    return Blob(emit(body).encode())


# Older versions of Kustomize refuse a file that says nothing at all.
_NOTHING: Object = {"resources": [], "generatorOptions": {"disableNameSuffixHash": True}}


def _wants(unit: Unit, delivery: Delivery) -> bool:
    return unit.engine is Engine.FLUX or delivery.argocd.source is ArgoSource.KUSTOMIZE


def _is_part(unit: Unit) -> bool:
    """Whether it is a part of a cluster."""
    return unit.cluster_scoped or bool(unit.namespace)
