"""What one publish may do without anybody being asked: the settings of the guards before a commit."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

DELETIONS = "deletions"
EMPTIED_CLUSTERS = "emptied-clusters"
LOST_CLUSTERS = "lost-clusters"
CASCADING_UNITS = "cascading-units"
EMPTY_INVENTORY = "empty-inventory"
PROTECTED_CLUSTERS = "protected-clusters"
PROTECTED_OBJECTS = "protected-objects"
FROZEN_CLUSTERS = "frozen-clusters"
PAUSED_CLUSTERS = "paused-clusters"
MOVED_REPLICAS = "moved-replicas"
PLAINTEXT_SECRETS = "plaintext-secrets"
LIVE_KARMADA = "live-karmada"
DIRECTORY_SIZE = "directory-size"
RESERVED_NAMES = "reserved-names"

# In the order in which a person wants to hear of them.
GUARDS = (
    EMPTY_INVENTORY,
    LOST_CLUSTERS,
    CASCADING_UNITS,
    PROTECTED_CLUSTERS,
    FROZEN_CLUSTERS,
    PAUSED_CLUSTERS,
    EMPTIED_CLUSTERS,
    PROTECTED_OBJECTS,
    DELETIONS,
    MOVED_REPLICAS,
    PLAINTEXT_SECRETS,
    LIVE_KARMADA,
    DIRECTORY_SIZE,
    RESERVED_NAMES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much of something may happen in one run.

    `free` of them are always allowed; more than that may be neither more than `percent` of all there are
    nor more than `most`.
    """

    free: int
    percent: int
    most: int

    def allows(self, number: int, of: int) -> bool:
        """Whether so many, of so many in all, are within the budget."""
        return number <= self.free or (number <= self.most and number * 100 <= self.percent * of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """An exception from one guard, with its reason.

    `objects` and `clusters` are patterns with `*`: of objects as messages name them (`Secret shop/db`;
    `Cluster eu-1` for a cluster itself), and of names of clusters.
    """

    guard: str
    objects: tuple[str, ...]
    clusters: tuple[str, ...] = ("*",)
    reason: str

    def covers(self, guard: str, named: str, cluster: str) -> bool:
        """Whether it allows what a guard says about an object on a cluster."""
        return (
            guard == self.guard
            and any(fnmatchcase(named, pattern) for pattern in self.objects)
            and any(fnmatchcase(cluster, pattern) for pattern in self.clusters)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """Budgets, and exceptions.

    A deleted object counts as many times as `weights` says of its kind, else once. `directory_bytes` is the
    size of one cluster's files that Argo CD still takes: its limit is 10 MB, unless raised.
    """

    deletions: Budget = Budget(free=10, percent=20, most=1000)
    emptied_clusters: Budget = Budget(free=1, percent=10, most=50)
    lost_clusters: Budget = Budget(free=0, percent=0, most=0)
    moved_replicas: Budget = Budget(free=10, percent=30, most=1000)
    directory_bytes: int = 9_500_000
    weights: tuple[tuple[str, int], ...] = (
        ("Namespace", 10),
        ("CustomResourceDefinition", 10),
        ("PersistentVolumeClaim", 10),
        ("StatefulSet", 10),
    )
    waivers: tuple[Waiver, ...] = ()
