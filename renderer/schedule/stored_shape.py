"""What a file of the published memory must look like: the parts that are read back, by type.

Only what krender reads is looked at. A null is an absent field, as in a live object; other fields may be
there, and stay where the file is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from renderer.document.pointer import escape
from renderer.document.values import Value
from renderer.model.instant import is_instant
from renderer.model.quantity import parse_quantity
from renderer.schedule.applied import UnreadableError, normal_placement


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that is not what it should be: where, and what it is not."""

    pointer: str
    what: str


class Shape(Protocol):
    """What a value must be."""

    def faults(self, value: Value, pointer: str) -> Iterator[Fault]:
        """Everything that is wrong with a value that is there."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value that is looked at as a whole."""

    fits: Callable[[Value], bool]
    what: str

    def faults(self, value: Value, pointer: str) -> Iterator[Fault]:
        if not self.fits(value):
            yield Fault(pointer, self.what)


@dataclass(frozen=True, slots=True)
class Fields:
    """A map with known fields, some of which must be there."""

    known: Mapping[str, Shape] = field(default_factory=dict)
    needed: tuple[str, ...] = ()

    def faults(self, value: Value, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(pointer, "is no map")
            return
        for name in self.needed:
            if value.get(name) in (None, ""):
                yield Fault(f"{pointer}/{name}", "is missing")
        for name, item in value.items():
            shape = self.known.get(name)
            if shape is not None and item is not None:
                yield from shape.faults(item, f"{pointer}/{escape(name)}")


@dataclass(frozen=True, slots=True)
class Values:
    """A map of any keys, all to values of one shape."""

    shape: Shape

    def faults(self, value: Value, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield Fault(pointer, "is no map")
            return
        for name, item in value.items():
            yield from self.shape.faults(item, f"{pointer}/{escape(name)}")


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values of one shape."""

    shape: Shape

    def faults(self, value: Value, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield Fault(pointer, "is no list")
            return
        for place, item in enumerate(value):
            yield from self.shape.faults(item, f"{pointer}/{place}")


def _count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _whole(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31


def _time(value: Value) -> bool:
    return isinstance(value, str) and is_instant(value)


def _placement(value: Value) -> bool:
    try:
        normal_placement(value)
    except UnreadableError:
        return False
    return isinstance(value, dict)


def one_of(*words: str) -> Leaf:
    """One of some words."""
    return Leaf(lambda value: isinstance(value, str) and value in words, f"is none of {', '.join(words)}")


TEXT: Final = Leaf(lambda value: isinstance(value, str), "is no text")
FLAG: Final = Leaf(lambda value: isinstance(value, bool), "is neither true nor false")
COUNT: Final = Leaf(_count, "is no number of replicas")
WHOLE: Final = Leaf(_whole, "is no whole number of 32 bits")
TIME: Final = Leaf(_time, "is no point in time")
QUANTITY: Final = Leaf(lambda value: parse_quantity(value) is not None, "is no quantity")
PLACEMENT: Final = Leaf(_placement, "is no placement")
ANYTHING: Final = Fields()

_PART: Final = Fields({"name": TEXT, "replicas": COUNT}, needed=("name",))
_CLUSTER: Final = Fields({"name": TEXT, "replicas": COUNT, "components": Items(_PART)}, needed=("name",))
_REQUIREMENTS: Final = Fields(
    {
        "nodeClaim": ANYTHING,
        "resourceRequest": Values(QUANTITY),
        "namespace": TEXT,
        "priorityClassName": TEXT,
    }
)
_TASK: Final = Fields(
    {
        "fromCluster": TEXT,
        "purgeMode": one_of("Directly", "Gracefully", "Never"),
        "replicas": COUNT,
        "reason": TEXT,
        "message": TEXT,
        "producer": TEXT,
        "gracePeriodSeconds": WHOLE,
        "suppressDeletion": FLAG,
        "creationTimestamp": TIME,
        "clustersBeforeFailover": Items(TEXT),
        "preservedLabelState": Values(TEXT),
    },
    needed=("fromCluster",),
)
_SPEC: Final = Fields(
    {
        "resource": Fields(
            {"apiVersion": TEXT, "kind": TEXT, "namespace": TEXT, "name": TEXT},
            needed=("apiVersion", "kind", "name"),
        ),
        "propagateDeps": FLAG,
        "replicas": COUNT,
        "replicaRequirements": _REQUIREMENTS,
        "clusters": Items(_CLUSTER),
        "components": Items(
            Fields({"name": TEXT, "replicas": COUNT, "replicaRequirements": _REQUIREMENTS}, needed=("name",))
        ),
        "placement": PLACEMENT,
        "gracefulEvictionTasks": Items(_TASK),
        "requiredBy": Items(
            Fields({"namespace": TEXT, "name": TEXT, "clusters": Items(_CLUSTER)}, needed=("name",))
        ),
        "schedulerName": TEXT,
        "failover": ANYTHING,
        "conflictResolution": one_of("Abort", "Overwrite"),
        "rescheduleTriggeredAt": TIME,
        "suspension": Fields(
            {
                "dispatching": FLAG,
                "dispatchingOnClusters": Fields({"clusterNames": Items(TEXT)}),
                "scheduling": FLAG,
            }
        ),
        "preserveResourcesOnDeletion": FLAG,
        "schedulePriority": Fields({"priority": WHOLE}),
        "workloadAffinityGroups": Fields({"affinityGroup": TEXT, "antiAffinityGroup": TEXT}),
    },
    needed=("resource",),
)
_STATUS: Final = Fields(
    {
        "conditions": Items(
            Fields({"type": TEXT, "status": TEXT, "reason": TEXT, "message": TEXT}, needed=("type",))
        ),
        "lastScheduledTime": TIME,
        "schedulerObservingAffinityName": TEXT,
    }
)
BINDING: Final = Fields(
    {
        "apiVersion": one_of("work.karmada.io/v1alpha2"),
        "kind": one_of("ResourceBinding", "ClusterResourceBinding"),
        "metadata": Fields({"name": TEXT, "namespace": TEXT, "annotations": Values(TEXT)}),
        "spec": _SPEC,
        "status": _STATUS,
    },
    needed=("apiVersion", "kind", "metadata", "spec"),
)
