"""The published tree to memory: bindings read back, and refused where somebody made nonsense of one."""

from __future__ import annotations

from typing import Final, NoReturn

from renderer.document.problem import InputError, Problem, Severity
from renderer.document.read import read_stream
from renderer.document.rule import Rule
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.binding import GracefulEvictionTask, TargetCluster
from renderer.model.identity import Identity, annotations_of
from renderer.model.instant import is_instant
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

MISREMEMBERED: Final = Rule(id="KR016", title="A published binding cannot be read", severity=Severity.ERROR)

_KINDS: Final = ("ResourceBinding", "ClusterResourceBinding")
_FIX: Final = "restore the file from the branch's history, or render with --fresh to decide everything anew"


def read_previous(tree: Tree) -> Previous:
    """The memory that a published tree holds.

    Raises InputError with every binding that cannot be read: guessing would move workloads.
    """
    bindings: dict[Key, Remembered] = {}
    problems: list[Problem] = []
    folder = tree.at(BINDINGS)
    if isinstance(folder, Tree):
        for path, blob in walk(folder):
            try:
                for document in read_stream(blob.data, f"{BINDINGS}/{path}"):
                    remembered = _Reader(document, tree).remembered()
                    bindings[remembered.identity.key] = remembered
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(*MISREMEMBERED.marked(problems))
    return Previous(bindings=bindings, tree=tree)


class _Reader:
    """One binding; raises InputError at the first thing that is not as krender writes it."""

    def __init__(self, document: Document, tree: Tree) -> None:
        self.document = document
        self.tree = tree
        self.body: Object = mapping(document.value)
        self.annotations = annotations_of(self.body)

    def remembered(self) -> Remembered:
        if self.body.get("kind") not in _KINDS:
            self.refuse("/kind", "is no ResourceBinding")
        spec, status = mapping(self.body.get("spec")), mapping(self.body.get("status"))
        condition = next(
            (
                item
                for item in map(mapping, sequence(status.get("conditions")))
                if item.get("type") == "Scheduled"
            ),
            mapping(None),
        )
        return Remembered(
            identity=self.identity(mapping(spec.get("resource"))),
            attached="placement" not in spec,
            replicas=self.number(spec.get("replicas", 0), "/spec/replicas"),
            propagate_deps=spec.get("propagateDeps") is True,
            clusters=self.clusters(spec),
            observed_affinity_name=text(status.get("schedulerObservingAffinityName")),
            applied_placement=self.annotations.get(APPLIED_PLACEMENT, ""),
            condition=text(condition.get("reason")),
            message=text(condition.get("message")),
            last_scheduled_time=self.time(status.get("lastScheduledTime"), "/status/lastScheduledTime"),
            reschedule_triggered_at=self.time(
                spec.get("rescheduleTriggeredAt"), "/spec/rescheduleTriggeredAt"
            ),
            rebalanced_by=tuple(name for name in self.annotations.get(REBALANCED_BY, "").split(",") if name),
            graceful_eviction_tasks=self.tasks(spec),
            raw=self.body,
        )

    def identity(self, resource: Object) -> Identity:
        identity = Identity(
            text(resource.get("apiVersion")),
            text(resource.get("kind")),
            text(resource.get("namespace")),
            text(resource.get("name")),
        )
        if not (identity.api_version and identity.kind and identity.name):
            self.refuse("/spec/resource", "names no resource template")
        return identity

    def clusters(self, spec: Object) -> tuple[TargetCluster, ...]:
        shared = self.annotations.get(SHARED_CLUSTERS)
        if shared is not None:
            return self.shared(shared)
        listed = spec.get("clusters", [])
        if not isinstance(listed, list):
            self.refuse("/spec/clusters", "is no list")
        return tuple(
            self.target(mapping(item), f"/spec/clusters/{i}") for i, item in enumerate(sequence(listed))
        )

    def shared(self, name: str) -> tuple[TargetCluster, ...]:
        blob = self.tree.at(f"{CLUSTERS}/{name}.txt") if name.isalnum() else None
        replicas = self.annotations.get(SHARED_REPLICAS, "")
        if not isinstance(blob, Blob) or not (replicas.isascii() and replicas.isdigit()):
            self.refuse("/metadata/annotations", f"refers to {CLUSTERS}/{name}.txt, which cannot be read")
        names = blob.data.decode("utf-8", "replace").split()
        return tuple(TargetCluster(name=cluster, replicas=int(replicas)) for cluster in names)

    def target(self, item: Object, pointer: str) -> TargetCluster:
        name = text(item.get("name"))
        if not name:
            self.refuse(pointer, "names no cluster")
        components = tuple(
            (text(part.get("name")), self.number(part.get("replicas", 0), f"{pointer}/components"))
            for part in map(mapping, sequence(item.get("components")))
        )
        replicas = self.number(item.get("replicas", 0), f"{pointer}/replicas")
        return TargetCluster(name=name, replicas=replicas, components=components)

    def tasks(self, spec: Object) -> tuple[GracefulEvictionTask, ...]:
        tasks: list[GracefulEvictionTask] = []
        for place, item in enumerate(map(mapping, sequence(spec.get("gracefulEvictionTasks")))):
            if not text(item.get("fromCluster")):
                self.refuse(f"/spec/gracefulEvictionTasks/{place}", "names no cluster to leave")
            tasks.append(
                GracefulEvictionTask(
                    from_cluster=text(item.get("fromCluster")),
                    purge_mode=text(item.get("purgeMode")),
                    raw=item,
                )
            )
        return tuple(tasks)

    def number(self, value: Value, pointer: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
            self.refuse(pointer, "is no number of replicas")
        return value

    def time(self, value: Value, pointer: str) -> str:
        if value is None:
            return ""
        if not isinstance(value, str) or not is_instant(value):
            self.refuse(pointer, "is no point in time")
        return text(value)

    def refuse(self, pointer: str, what: str) -> NoReturn:
        where = self.document.where(pointer)
        raise InputError(
            Problem(
                where=where,
                what=f"the published binding cannot be read: {pointer} {what}",
                why="bindings are the memory of where workloads run; a wrong one would move them",
                fix=_FIX,
                excerpt=self.document.excerpt(where),
            )
        )
