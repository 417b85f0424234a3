"""The projects of a fleet: what they are called, and that they permit whatever may still be there.

An object whose project no longer permits its namespace or its kind is invisible to Argo CD: it would stay
where it is for ever, and nobody would be told. So what a published project grants stays granted, until the
workspace says `released: prune`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from renderer.delivery.argocd.grants import NOTHING, Grants, Needs
from renderer.delivery.argocd.project import granted_by, project
from renderer.delivery.engine import Asked
from renderer.document.emit import emit
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import EMPTY, Object, mapping
from renderer.model.cluster import IN_CLUSTER
from renderer.model.config import ReleasedFiles
from renderer.model.delivery import Destination, Unit
from renderer.model.tree import Blob

DEFAULT: Final = "default"  # Argo CD's own project, which is not ours to narrow

_EXACT: Final = "Exactly what krender renders."
_MORE: Final = (
    "What krender renders, and what it rendered earlier, so that Argo CD can prune it: {} namespaces of "
    "clusters and {} kinds. They go with `released: prune` in krender.yaml."
)


class Projects:
    """Makes the projects of a render; what many members share is made once."""

    def __init__(self, asked: Asked, hub: Iterable[Unit], *, keep: bool) -> None:
        """Take what an engine is asked, and the units that the hub applies.

        With `keep`, clusters that are not known as they are written stay permitted: they have an Application.
        """
        self._delivery = asked.config.delivery
        self._published = asked.published
        self._prune = asked.config.released is ReleasedFiles.PRUNE
        # Applications that prune when they go still need it then.
        self._keep = keep or not asked.config.delivery.argocd.preserve_resources_on_deletion
        self._needs = Needs()
        self._read: dict[Hashable, tuple[Blob, bytes]] = {}  # blobs are kept, so that tokens stay their own
        self._bodies: dict[bytes, Object] = {}
        self._written: dict[Hashable, bytes] = {}
        servers = {unit.cluster.name: unit.cluster.server for unit in hub}
        names = {server: name for name, server in sorted(servers.items(), reverse=True) if server}
        same = {name: name for name in servers}
        # How each way of writing a cluster is written now.
        self._spelled: Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]] = {
            Destination.NAME: (("name", same), ("server", names)),
            Destination.SERVER: (("server", {name: name for name in names}), ("name", servers)),
        }

    def name(self, unit: Unit) -> str:
        """The project of a unit: its team's, or that of what belongs to nobody."""
        return f"{self._delivery.prefix}{unit.tenant or self._delivery.argocd.project}"

    def on_hub(self, directory: str, name: str, units: Sequence[Unit]) -> Iterator[tuple[str, bytes]]:
        """The project of these units for the Argo CD of the hub, and its path."""
        by = self._delivery.argocd.destination
        if by is Destination.SERVER:
            needed = self._needs.of(units, lambda unit: unit.cluster.server)
        else:
            needed = self._needs.of(units, lambda unit: unit.cluster.name)
        return self._files(directory, name, needed, by, self._spelled[by])

    def in_cluster(self, directory: str, name: str, units: Sequence[Unit]) -> Iterator[tuple[str, bytes]]:
        """The project of these units for an Argo CD in their cluster, and its path."""
        needed = self._needs.of(units, lambda _: IN_CLUSTER)
        spelled = (("server", {IN_CLUSTER: IN_CLUSTER}),)
        return self._files(directory, name, needed, Destination.SERVER, spelled)

    def _files(
        self,
        directory: str,
        name: str,
        needed: Grants,
        by: Destination,
        spelled: tuple[tuple[str, Mapping[str, str]], ...],
    ) -> Iterator[tuple[str, bytes]]:
        if name == DEFAULT:
            return
        path = f"{directory}/appproject.{name}.yaml"
        exact = self._bytes(name, needed, needed, by)
        published = None if self._prune else self._published.at(path)
        before = self._data(published) if isinstance(published, Blob) else exact
        if before == exact:
            yield path, exact
            return
        granted = needed
        for spelling, now in spelled:
            earlier = granted_by(self._parsed(before), spelling)
            granted |= _respelled(earlier, now, keep=self._keep and spelling == by)
        yield path, self._bytes(name, granted, needed, by)

    def _data(self, blob: Blob) -> bytes:
        """What a published file holds; files that are known to be the same are read once."""
        if blob.token not in self._read:
            self._read[blob.token] = blob, blob.data
        return self._read[blob.token][1]

    def _parsed(self, data: bytes) -> Object:
        """The project in a published file; empty where it cannot be read."""
        if data not in self._bodies:
            try:
                documents = read_stream(data, "")
            except InputError:
                documents = ()
            self._bodies[data] = mapping(documents[0].value) if len(documents) == 1 else EMPTY
        return self._bodies[data]

    def _bytes(self, name: str, granted: Grants, needed: Grants, by: Destination) -> bytes:
        places, kinds = granted.beyond(needed)
        key = (
            name,
            tuple(sorted((where, tuple(sorted(names))) for where, names in granted.destinations.items())),
            granted.cluster_kinds,
            granted.kinds,
            places,
            kinds,
        )
        if key not in self._written:
            told = _MORE.format(places, kinds) if places or kinds else _EXACT
            namespace, repo_url = self._delivery.argocd.namespace, self._delivery.repo_url
            self._written[key] = emit(project(name, namespace, repo_url, by, granted, told)).encode()
        return self._written[key]


def _respelled(granted: Grants, now: Mapping[str, str], *, keep: bool) -> Grants:
    """The grants with clusters as they are written now; others go, unless they are kept as they are."""
    destinations = dict(NOTHING.destinations)
    for name, namespaces in granted.destinations.items():
        spelled = now.get(name) or (name if keep else "")
        if spelled:
            destinations[spelled] = destinations.get(spelled, frozenset()) | namespaces
    return Grants(destinations=destinations, cluster_kinds=granted.cluster_kinds, kinds=granted.kinds)
