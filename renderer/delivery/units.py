"""Which units there are, and what lies in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from renderer.delivery.names import code, name_of
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import mapping
from renderer.match.tenants import Tenants
from renderer.model.cluster import Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Contents, Delivery, IgnoredField, Unit, UnitOf
from renderer.model.identity import Identity, identity_of
from renderer.model.places import CLUSTER_SCOPED, CLUSTERS, KEEP, KUSTOMIZATION
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, walk

_SCOPED: Final = "cluster-scoped"  # stands for a namespace in a unit's name
_KEPT: Final = Tree(
    {
        KEEP: Blob(
            b"Nothing is left here. The file keeps the directory, so that the last objects are pruned.\n"
        )
    }
)


def with_emptied(
    directories: dict[str, Node], before: Tree, clusters: Sequence[Cluster], delivery: Delivery
) -> None:
    """Keep the directory of each unit that was published and that nothing is left of."""
    if delivery.unit is not UnitOf.NAMESPACE:
        return
    for cluster in clusters:
        now, was = directories.get(cluster.slug), before.child(cluster.slug)
        if not isinstance(now, Tree) or not isinstance(was, Tree):
            continue
        gone = {
            name: _KEPT
            for name, node in was.entries().items()
            if isinstance(node, Tree) and now.child(name) is None
        }
        if gone:
            directories[cluster.slug] = Tree({**now.entries(), **gone})


def units_of(
    directories: Mapping[str, Node],
    clusters: Sequence[Cluster],
    identities: Mapping[str, Identity],
    config: WorkspaceConfig,
    ignored: Mapping[str, tuple[IgnoredField, ...]],
) -> tuple[Unit, ...]:
    """The units of the clusters, by name; `ignored` is what engines leave alone, by cluster."""
    reader, tenants = _Reader(identities), Tenants(config.tenants)
    found = [
        unit
        for cluster in clusters
        for unit in _of_cluster(cluster, directories.get(cluster.slug), reader, tenants, config)
    ]
    found = [
        replace(unit, ignored=_ignored(unit, fields)) if (fields := ignored.get(unit.cluster.name)) else unit
        for unit in found
    ]
    return tuple(sorted(found, key=lambda unit: unit.name))


def _of_cluster(
    cluster: Cluster, node: Node | None, reader: _Reader, tenants: Tenants, config: WorkspaceConfig
) -> Iterator[Unit]:
    delivery = config.delivery
    directory = node if isinstance(node, Tree) else EMPTY_TREE
    path = "/".join(filter(None, (config.output.path, CLUSTERS, cluster.slug)))
    engine = delivery.engine_of(cluster)
    if delivery.unit is UnitOf.CLUSTER:
        contents = reader.contents("", directory)
        yield Unit(
            name=name_of(delivery.prefix + cluster.slug),
            cluster=cluster,
            engine=engine,
            path=path,
            contents=contents,
        )
        return
    for name, below in directory.entries().items():
        if not isinstance(below, Tree):
            continue
        contents = reader.contents(f"{name}/", below)
        scoped = name == CLUSTER_SCOPED
        namespace = "" if scoped else (contents.namespaces or (name,))[0]
        tenant = tenants.of(namespace)
        yield Unit(
            name=name_of(f"{delivery.prefix}{cluster.slug}.{_part(name)}"),
            cluster=cluster,
            engine=engine,
            path=f"{path}/{name}",
            namespace=namespace,
            cluster_scoped=scoped,
            tenant=tenant.name if tenant else "",
            contents=contents,
        )


def _ignored(unit: Unit, fields: tuple[IgnoredField, ...]) -> tuple[IgnoredField, ...]:
    """Of what is ignored on a cluster, that in one of its units."""
    if not unit.namespace and not unit.cluster_scoped:
        return fields
    return tuple(item for item in fields if item.namespace == unit.namespace)


def _part(directory: str) -> str:
    """The part of a unit's name that stands for a directory; no namespace has a dot, so names do not meet."""
    if directory == CLUSTER_SCOPED:
        return _SCOPED
    return f"{directory}-{code(directory)}" if directory == _SCOPED else directory


class _Reader:
    """Tells what lies in a directory, once for each distinct one."""

    def __init__(self, identities: Mapping[str, Identity]) -> None:
        self._identities = identities
        self._read: dict[Blob, Identity | None] = {}
        self._known: dict[int, tuple[Tree, Contents]] = {}  # the tree is kept, so that its id stays its own

    def contents(self, prefix: str, directory: Tree) -> Contents:
        """What lies in it; `prefix` leads to it from the cluster's directory."""
        if id(directory) not in self._known:
            found = [
                (path, identity)
                for path, blob in walk(directory)
                if path.rpartition("/")[2] not in (KEEP, KUSTOMIZATION)
                and (identity := self._identities.get(prefix + path) or self._identity(blob))
            ]
            self._known[id(directory)] = directory, Contents(objects=tuple(found))
        return self._known[id(directory)][1]

    def _identity(self, blob: Blob) -> Identity | None:
        """What a published file holds, None where that is no object."""
        if blob not in self._read:
            try:
                documents = read_stream(blob.data, "")
            except InputError:
                documents = ()
            value = mapping(documents[0].value) if len(documents) == 1 else {}
            self._read[blob] = identity_of(value) if value.get("kind") else None
        return self._read[blob]
