"""What a run would do, as the guards look at it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from renderer.delivery.delivered import UnitChange, unit_changes
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import EMPTY, Object, mapping
from renderer.model.cluster import Cluster
from renderer.model.differences import (
    Directories,
    FileDifference,
    Identify,
    by_id,
    by_name,
    directory_changes,
    file_differences,
    merged,
)
from renderer.model.guards import GuardSettings
from renderer.model.identity import Identity, identity_of
from renderer.model.memory_keys import PROTECTED
from renderer.model.places import is_object
from renderer.model.plan import Plan
from renderer.model.tree import Blob, Tree
from renderer.publish.guards.stop import listed
from renderer.publish.guards.survey import Survey, survey
from renderer.schedule.renamed import moved_directories


class Situation:
    """The published tree, the one that shall take its place, and the plan that wants it."""

    def __init__(
        self, *, before: Tree, after: Tree, plan: Plan, algorithm: str = "sha1", names_only: bool = False
    ) -> None:
        """Look at nothing yet: each part is worked out when a guard asks.

        `algorithm` is how the repository names objects. With `names_only`, files that have other contents
        count as the same: in a plain directory, each would have to be read for an id.
        """
        self.before = before
        self.after = after
        self.plan = plan
        self.settings: GuardSettings = plan.workspace.config.guards
        self._contents = by_id(algorithm)
        self._identify: Identify = by_name if names_only else self._contents
        self._bodies: dict[int, tuple[Blob, Object]] = {}

    @cached_property
    def clusters(self) -> Mapping[str, Cluster]:
        """The inventory by the names of the clusters' directories."""
        return {cluster.slug: cluster for cluster in self.plan.workspace.clusters}

    @cached_property
    def slugs(self) -> Mapping[str, str]:
        """The names of the clusters' directories by the clusters' own."""
        return {cluster.name: cluster.slug for cluster in self.plan.workspace.clusters}

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """Old to new directory of every cluster that says what it was called before."""
        return moved_directories(self.before, self.plan.workspace.clusters)

    @cached_property
    def changes(self) -> tuple[Directories, ...]:
        """Every distinct change of a cluster's directory."""
        return directory_changes(self.before, self.after, self._identify, self.renamed)

    @cached_property
    def removed(self) -> tuple[FileDifference, ...]:
        """Every object that goes from a cluster. One that only gets another file stays."""
        return merged(self._removed(), self._contents)

    @cached_property
    def reserved(self) -> tuple[str, ...]:
        """The paths of new files whose names another tool has taken, in order."""
        return tuple(sorted(self._survey.reserved))

    @cached_property
    def secrets(self) -> tuple[FileDifference, ...]:
        """New and changed objects that may be Secrets, by their names."""
        return tuple(item for item in self._survey.secrets if is_object(item.path))

    @cached_property
    def _survey(self) -> Survey:
        return survey(self.changes, self.before, self.after, self._identify)

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """The directories of clusters that lose objects and that the inventory no longer has."""
        return tuple(
            name
            for name in sorted({name: None for item in self.removed for name in item.clusters})
            if name not in self.clusters
        )

    @cached_property
    def lost_units(self) -> tuple[UnitChange, ...]:
        """The Applications and Kustomizations that are deleted, be it that others of their names come."""
        return tuple(unit for unit in unit_changes(self.before, self.after, self._identify) if unit.goes)

    @cached_property
    def change_of(self) -> Mapping[str, Directories]:
        """What happens to each cluster's directory, for those to which something does."""
        return {name: change for change in self.changes for name in change.clusters}

    @cached_property
    def protected(self) -> Mapping[str, None]:
        """The directories of clusters that are protected, or were when they were last published."""
        record = self.before.at(PROTECTED)
        recorded = record.data.decode("utf-8", "replace").split() if isinstance(record, Blob) else []
        return {
            **{self.renamed.get(name, name): None for name in recorded},
            **{name: None for name, cluster in self.clusters.items() if cluster.protected},
        }

    def differences(self, change: Directories) -> Iterator[FileDifference]:
        """Every file that is not the same."""
        return file_differences(change, self._identify)

    def body(self, blob: Blob) -> Object:
        """The object in a file; empty where it holds none."""
        if id(blob) not in self._bodies:
            try:
                documents = read_stream(blob.data, "")
            except InputError:
                documents = ()
            value = mapping(documents[0].value) if len(documents) == 1 else EMPTY
            self._bodies[id(blob)] = (blob, value)
        return self._bodies[id(blob)][1]

    def named(self, item: FileDifference) -> str:
        """The object as messages name it; the path of a file that holds none."""
        blob = item.after or item.before
        identity = identity_of(self.body(blob)) if blob else Identity("", "", "", "")
        return str(identity) if identity.kind else item.path

    def unwaived(self, guard: str, named: str, directories: Sequence[str]) -> tuple[str, ...]:
        """The clusters of these for which no waiver allows it."""
        waivers = [waiver for waiver in self.settings.waivers if waiver.guard == guard]
        if not waivers:
            return tuple(directories)
        return tuple(
            directory
            for directory in directories
            if not any(waiver.covers(guard, named, self.cluster_name(directory)) for waiver in waivers)
        )

    def cluster_name(self, directory: str) -> str:
        """The cluster's name; that of its directory if the inventory does not have it."""
        return self.clusters[directory].name if directory in self.clusters else directory

    def on(self, named: str, directories: Sequence[str]) -> str:
        """`Deployment shop/web on 3 clusters: a, b, c`."""
        names = [self.cluster_name(directory) for directory in directories]
        if len(names) == 1:
            return f"{named} on {names[0]}"
        return f"{named} on {len(names)} clusters: {listed(names)}"

    def _removed(self) -> Iterator[FileDifference]:
        """What goes, but for objects that the same clusters have in another file."""
        new = {change: self._by_kind(come) for change, come in self._survey.new.items()}
        for change, path, blob in self._survey.removed:
            rivals = new.get(id(change), {}).get(_kind_at(path), ()) if is_object(path) else ()
            key = identity_of(self.body(blob)).key if rivals else None
            if is_object(path) and not any(identity_of(self.body(rival)).key == key for rival in rivals):
                yield FileDifference(path=path, before=blob, after=None, clusters=change.clusters)

    def _by_kind(self, files: Iterable[tuple[str, Blob]]) -> Mapping[tuple[str, str], Sequence[Blob]]:
        found: dict[tuple[str, str], list[Blob]] = {}
        for path, blob in files:
            found.setdefault(_kind_at(path), []).append(blob)
        return found


def kind_of(path: str) -> str:
    """The kind, in small letters, that the path of an object begins with."""
    return re.split(r"[.-]", path.partition("/")[2], maxsplit=1)[0]


def _kind_at(path: str) -> tuple[str, str]:
    return path.partition("/")[0], kind_of(path)
