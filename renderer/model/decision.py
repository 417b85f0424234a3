"""What the scheduler decided about one binding, with every reason.

A decision is kept for every binding, so it holds results only. How an attempt came to its result is worked
out again when somebody asks (`Attempt.stages`): the same pure functions over the same values, so that an
explanation cannot differ from what was rendered.
Source: Karmada pkg/scheduler and pkg/apis/work/v1alpha2/binding_types.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from renderer.model.binding import TargetCluster

Reasons = tuple[str, ...]  # empty: the cluster fits


class Condition(StrEnum):
    """The reason of the binding's Scheduled condition."""

    SUCCESS = "Success"
    NO_CLUSTER_FIT = "NoClusterFit"
    UNSCHEDULABLE = "Unschedulable"
    SCHEDULER_ERROR = "SchedulerError"


class ErrorClass(StrEnum):
    """What kind of failure decides about the previous result: only a FitError empties it."""

    FIT = "FitError"
    UNSCHEDULABLE = "UnschedulableError"
    OTHER = "other"

    @property
    def condition(self) -> Condition:
        """The condition that a failure of this class leaves behind."""
        return _CONDITIONS[self]


_CONDITIONS = {
    ErrorClass.FIT: Condition.NO_CLUSTER_FIT,
    ErrorClass.UNSCHEDULABLE: Condition.UNSCHEDULABLE,
    ErrorClass.OTHER: Condition.SCHEDULER_ERROR,
}


class Trigger(StrEnum):
    """Why a scheduling pass is due; NONE leaves the previous result as it is."""

    PLACEMENT_CHANGED = "placementChanged"
    REPLICAS_CHANGED = "replicasChanged"
    RESCHEDULE_TRIGGERED = "rescheduleTriggered"
    DUPLICATED_OR_NON_WORKLOAD = "duplicatedOrNonWorkload"
    TERMINATING_TARGET_CLUSTER = "terminatingTargetCluster"
    NONE = "none"


class Strategy(StrEnum):
    """How the replicas of one division are shared out."""

    DUPLICATED = "Duplicated"
    STATIC_WEIGHT = "StaticWeight"
    DYNAMIC_WEIGHT = "DynamicWeight"
    AGGREGATED = "Aggregated"


class Scaling(StrEnum):
    """What a dynamic division starts from, hence what its weights are."""

    NOT_DYNAMIC = ""
    FRESH = "fresh"  # free capacity and previous replicas weigh, nothing is kept
    UP = "scale up"  # free capacity weighs, previous replicas are kept
    DOWN = "scale down"  # previous replicas weigh
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why an attempt failed, in Karmada's words."""

    error_class: ErrorClass
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A filter plugin that leaves a cluster out; `told` is the one reason Karmada would report."""

    plugin: str
    reasons: Reasons
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What one resource allows: how many replicas (or component sets), from how much of it."""

    resource: str
    replicas: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A cluster that passed the filters, as it was ranked.

    `allocatable` is the free capacity in replicas, `previous` what the previous result has there, and
    both together are what is available. `bounds` works out all the limits considered: the least one decides.
    """

    cluster: str
    score: int
    overflow_order: int
    allocatable: int
    previous: int
    bounds: Callable[[], tuple[Bound, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def available(self) -> int:
        """Free capacity and what is already there."""
        return self.allocatable + self.previous


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A region in the selection; `counted` clusters, from the front, went into its score."""

    name: str
    score: int
    available: int
    clusters: tuple[str, ...]
    counted: int
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A ranked cluster that had to make room for one with more capacity."""

    out: str
    taken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """How the replicas of one overflow tier were shared out.

    `seats` replicas were divided by `weights` (in the order that decided, cut where Aggregated cuts) on
    top of `kept`; `uid` decides ties. `webster.rounds(seats, weights, uid)` tells it seat by seat.
    """

    overflow_order: int
    strategy: Strategy | None
    scaling: Scaling = Scaling.NOT_DYNAMIC
    replicas: int
    seats: int = 0
    weights: tuple[tuple[str, int], ...] = ()
    cut: tuple[tuple[str, int], ...] = ()  # weighed, but beyond the prefix that Aggregated needs
    kept: tuple[TargetCluster, ...] = ()
    uid: str = ""
    clusters: tuple[TargetCluster, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """One attempt from filters to replicas; a stage after a failure is empty."""

    rejected: Mapping[str, tuple[Rejection, ...]]
    terminating: tuple[str, ...] = ()  # being deleted, so not considered at all
    ranked: Sequence[Candidate] = ()
    regions: tuple[Region, ...] = ()
    swaps: tuple[Swap, ...] = ()
    constraints_ignored: bool = False  # spread constraints exist and this way of division ignores them
    needed: int | None = None  # replicas the selection must be able to hold; None: no matter
    selected: tuple[str, ...] = ()
    divisions: tuple[Division, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One pass with one affinity term (or with none)."""

    affinity_name: str
    clusters: tuple[TargetCluster, ...] = ()
    failure: Failure | None = None
    stages: Callable[[], Stages] = field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the pass gave a result."""
        return self.failure is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of a binding.

    `clusters`, `affinity_name` and `placement_applied` are the state afterwards. A binding that was not
    scheduled keeps its condition, so `condition` is None there. `rejections` tells for the affinity term in
    force which clusters the filters leave out, whether or not a pass was due.
    """

    admitted: bool
    trigger: Trigger
    scheduled: bool
    fresh: bool
    condition: Condition | None
    failure: Failure | None
    retry: bool
    clusters: tuple[TargetCluster, ...]
    affinity_name: str
    placement_applied: bool
    attempts: tuple[Attempt, ...] = ()
    rejections: Callable[[], Mapping[str, tuple[Rejection, ...]]] = field(repr=False, compare=False)
