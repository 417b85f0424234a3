"""The published tree to memory: read back, and refused where somebody made nonsense of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from renderer.document.problem import InputError, Problem, Severity
from renderer.document.rule import Rule
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.match.claims import CLUSTER_POLICY_NAME, POLICY_NAME, POLICY_NAMESPACE
from renderer.model.binding import GracefulEvictionTask, TargetCluster
from renderer.model.identity import Identity, annotations_of
from renderer.model.memory_keys import (
    APPLIED_PLACEMENT,
    BINDINGS,
    CLUSTERS,
    REBALANCED_BY,
    SHARED_CLUSTERS,
    SHARED_REPLICAS,
)
from renderer.model.previous import Key, Previous, Remembered
from renderer.model.tree import Blob, Tree, walk
from renderer.schedule.stored_claims import read_claims
from renderer.schedule.stored_file import read_documents, refused
from renderer.schedule.stored_left_alone import read_left_alone
from renderer.schedule.stored_released import read_released
from renderer.schedule.stored_shape import BINDING, COUNT, Fault
from renderer.schedule.stored_taints import read_taints

T = TypeVar("T")

MISREMEMBERED: Final = Rule(id="KR016", title="What is published cannot be read", severity=Severity.ERROR)


def read_previous(tree: Tree, *, fresh: bool = False) -> Previous:
    """The memory that a published tree holds.

    Raises InputError with everything that cannot be read: guessing would move workloads. With `fresh`, which
    forgets it anyway, that is passed over.
    """
    reading = _Reading(tree)
    previous = Previous(
        bindings=reading.bindings(),
        claims=reading.of(read_claims),
        taints=reading.of(read_taints) or (),
        released=reading.of(read_released) or (),
        left_alone=reading.of(read_left_alone) or (),
        tree=tree,
    )
    if reading.problems and not fresh:
        raise InputError(*MISREMEMBERED.marked(reading.problems))
    return previous


class _Reading:
    """What is read of a tree, and what could not be."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.lists = _Lists(tree)
        self.problems: list[Problem] = []

    def of(self, read: Callable[[Tree], T | None]) -> T | None:
        """What a reader makes of the tree, None where it refuses."""
        try:
            return read(self.tree)
        except InputError as error:
            self.problems += error.problems
            return None

    def bindings(self) -> Mapping[Key, Remembered]:
        """Every binding that can be read."""
        bindings: dict[Key, Remembered] = {}
        folder = self.tree.at(BINDINGS)
        for path, blob in walk(folder) if isinstance(folder, Tree) else ():
            try:
                for document in read_documents(blob.data, f"{BINDINGS}/{path}", BINDING):
                    remembered = _remembered(document, self.lists)
                    if remembered.identity.key in bindings:
                        fault = Fault("/spec/resource", f"has a binding already: {remembered.identity}")
                        raise InputError(refused(document, fault))
                    bindings[remembered.identity.key] = remembered
            except InputError as error:
                self.problems += error.problems
        return bindings


def _remembered(document: Document, lists: _Lists) -> Remembered:
    """One binding; raises InputError where it refers to what is not there."""
    body = mapping(document.value)
    faults = tuple(_shared_faults(annotations_of(body), lists))
    if faults:
        raise InputError(*(refused(document, fault) for fault in faults))
    annotations, spec, status = annotations_of(body), mapping(body.get("spec")), mapping(body.get("status"))
    condition = _scheduled(status)
    return Remembered(
        identity=_identity(mapping(spec.get("resource"))),
        attached=spec.get("placement") is None,
        claimed_by=_claim(annotations),
        replicas=_whole(spec.get("replicas")),
        propagate_deps=spec.get("propagateDeps") is True,
        preserve_resources_on_deletion=spec.get("preserveResourcesOnDeletion") is True,
        clusters=_clusters(annotations, spec, lists),
        observed_affinity_name=text(status.get("schedulerObservingAffinityName")),
        applied_placement=annotations.get(APPLIED_PLACEMENT, ""),
        condition=text(condition.get("reason")),
        message=text(condition.get("message")),
        last_scheduled_time=text(status.get("lastScheduledTime")),
        reschedule_triggered_at=text(spec.get("rescheduleTriggeredAt")),
        rebalanced_by=tuple(name for name in annotations.get(REBALANCED_BY, "").split(",") if name),
        graceful_eviction_tasks=tuple(
            map(eviction_task, map(mapping, sequence(spec.get("gracefulEvictionTasks"))))
        ),
        raw=body,
    )


def eviction_task(raw: Object) -> GracefulEvictionTask:
    """An eviction task as a binding states it; its types have been looked at."""
    grace, suppress = raw.get("gracePeriodSeconds"), raw.get("suppressDeletion")
    return GracefulEvictionTask(
        from_cluster=text(raw.get("fromCluster")),
        purge_mode=text(raw.get("purgeMode")),
        creation_timestamp=text(raw.get("creationTimestamp")),
        grace_period_seconds=grace if isinstance(grace, int) else None,
        suppress_deletion=suppress if isinstance(suppress, bool) else None,
        raw=raw,
    )


def _scheduled(status: Object) -> Object:
    conditions = map(mapping, sequence(status.get("conditions")))
    return next((item for item in conditions if item.get("type") == "Scheduled"), mapping(None))


def _identity(resource: Object) -> Identity:
    return Identity(*(text(resource.get(key)) for key in ("apiVersion", "kind", "namespace", "name")))


def _claim(annotations: dict[str, str]) -> tuple[str, str] | None:
    namespace, name = annotations.get(POLICY_NAMESPACE, ""), annotations.get(POLICY_NAME, "")
    if namespace and name:
        return (namespace, name)
    name = annotations.get(CLUSTER_POLICY_NAME, "")
    return ("", name) if name else None


def _clusters(annotations: dict[str, str], spec: Object, lists: _Lists) -> tuple[TargetCluster, ...]:
    shared = annotations.get(SHARED_CLUSTERS)
    if shared is None:
        return tuple(map(_target, map(mapping, sequence(spec.get("clusters")))))
    return lists.of(shared, int(annotations[SHARED_REPLICAS]))


def _target(item: Object) -> TargetCluster:
    return TargetCluster(
        name=text(item.get("name")),
        replicas=_whole(item.get("replicas")),
        components=tuple(
            (text(part.get("name")), _whole(part.get("replicas")))
            for part in map(mapping, sequence(item.get("components")))
        ),
    )


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0


class _Lists:
    """The lists of clusters in a tree; bindings with one list and equal replicas share what it says."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[tuple[str, int], tuple[TargetCluster, ...]] = {}

    def file(self, name: str) -> Blob | None:
        """The list of that name."""
        node = self._tree.at(f"{CLUSTERS}/{name}.txt") if name.isalnum() else None
        return node if isinstance(node, Blob) else None

    def of(self, name: str, replicas: int) -> tuple[TargetCluster, ...]:
        """Its clusters, each with that many replicas."""
        known = self._known.get((name, replicas))
        if known is None:
            blob = self.file(name)
            names = blob.data.decode("utf-8", "replace").split() if blob else ()
            known = tuple(TargetCluster(name=cluster, replicas=replicas) for cluster in names)
            self._known[name, replicas] = known
        return known


def _shared_faults(annotations: dict[str, str], lists: _Lists) -> Iterator[Fault]:
    """What is wrong with a reference to a list of clusters, where there is one."""
    name = annotations.get(SHARED_CLUSTERS)
    if name is None:
        return
    if lists.file(name) is None:
        yield Fault("/metadata/annotations", f"refers to {CLUSTERS}/{name}.txt, which cannot be read")
        return
    replicas = annotations.get(SHARED_REPLICAS, "")
    number = int(replicas) if replicas.isascii() and replicas.isdigit() and len(replicas) <= 10 else -1
    yield from COUNT.faults(number, "/metadata/annotations")
