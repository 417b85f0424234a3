"""Why a template is, or is not, on a cluster: the reasons, cluster by cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from renderer.model.claim import Outcome
from renderer.model.cluster import Cluster
from renderer.model.config import Namespaces
from renderer.model.decision import Attempt, Decision, Rejection, Stages
from renderer.model.identity import Identity
from renderer.model.plan import Manifest, Rendering, Standing
from renderer.override.step import SKIP_LABEL
from renderer.view.explain.claiming import outcome
from renderer.view.explain.reading import Reading
from renderer.view.explain.selection import Selection
from renderer.view.explain.shares import Shares

_SOME: Final = 3  # objects that a reason names; more are counted


class Placing:
    """One template's placement. What costs something is worked out when somebody asks, and once."""

    def __init__(self, reading: Reading, rendering: Rendering, clusters: Sequence[Cluster]) -> None:
        """Take the template, and the clusters that will be asked about; nothing is looked at yet."""
        self._reading: Final = reading
        self._rendering: Final = rendering
        self._clusters: Final = clusters

    def grounds(self, manifest: Manifest, cluster: Cluster) -> tuple[str, ...]:
        """Why the template goes to a cluster that has a manifest of it."""
        rendering = self._rendering
        if rendering.standing is Standing.NAMESPACE:
            return (self._inhabited(cluster.name),)
        if rendering.keeps_files:
            return (self.standing(),)
        grounds = [self._placed(cluster.name)] if cluster.name in self._own else []
        grounds += [f"needed by {name}" for name in self._needing(cluster.name)]
        if not grounds:
            grounds.append("it is being evicted from there, and its files stay until that is done")
        if manifest.completions is not None:
            grounds.append(f"{manifest.completions} completions")
        return tuple(grounds)

    def reasons(self, cluster: Cluster) -> tuple[str, ...]:
        """Why the template does not go to a cluster; at least one."""
        rendering, decision = self._rendering, self._rendering.decision
        if rendering.standing is Standing.PLACED and decision is not None:
            return self._unplaced(decision, cluster)
        if rendering.standing is Standing.FOLLOWS:
            return (f"it follows {_some(self._parents)}, and none of that goes there",)
        if rendering.standing is Standing.NAMESPACE:
            return ("no object that goes there lives in it",)
        if rendering.keeps_files:
            return (f"{self.standing()}, and it was not there before",)
        return (self.standing(),)

    def standing(self) -> str:
        """What keeps the template from being placed, or from following what is decided now."""
        rendering = self._rendering
        if rendering.error:
            return rendering.error
        told = outcome(rendering.claim, self._reading.plan.workspace.config)
        if self._is_free_namespace():
            never = self._reading.plan.workspace.config.namespaces is Namespaces.NEVER
            free = "namespaces: never is set" if never else "no object that goes anywhere lives in it"
            if dict(rendering.template.labels).get(SKIP_LABEL) == "true":
                free = f"its label {SKIP_LABEL} keeps it from following its objects"
            return f"{told}, and {free}"
        return told

    @cached_property
    def stages(self) -> tuple[Stages, ...]:
        """The attempts of the pass, stage by stage, in their order."""
        decision = self._rendering.decision
        return tuple(attempt.stages() for attempt in decision.attempts) if decision else ()

    @cached_property
    def _own(self) -> frozenset[str]:
        """The clusters of the binding itself, without those that only something else needs."""
        binding = self._rendering.binding
        return frozenset(target.name for target in binding.clusters) if binding else frozenset()

    @cached_property
    def _rejected(self) -> Mapping[str, tuple[Rejection, ...]]:
        return self._rendering.decision.rejections() if self._rendering.decision else {}

    @cached_property
    def _selection(self) -> Selection:
        return Selection(self.stages[-1])

    @cached_property
    def _shares(self) -> Shares:
        binding = self._rendering.binding
        placement = binding.placement if binding else None
        scheduling = placement.replica_scheduling if placement else None
        preference = scheduling.weight_preference if scheduling else None
        return Shares(
            self.stages[-1],
            replicas=binding.replicas if binding else 0,
            weighted=bool(preference and preference.static_weight_list),
            overflows=any(term.overflow_affinities for term in placement.cluster_affinities)
            if placement
            else False,
        )

    @cached_property
    def _parents(self) -> tuple[str, ...]:
        """The templates that need this one."""
        binding = self._rendering.binding
        snapshots = binding.required_by if binding else ()
        return tuple(dict.fromkeys(self._reading.needing(snapshot) for snapshot in snapshots))

    @cached_property
    def _needed_on(self) -> Mapping[str, list[str]]:
        """Cluster -> the templates that need this one there."""
        binding = self._rendering.binding
        found: dict[str, list[str]] = {}
        for snapshot in binding.required_by if binding else ():
            name = self._reading.needing(snapshot)
            for target in snapshot.clusters:
                found.setdefault(target.name, []).append(name)
        return found

    def _needing(self, cluster: str) -> Sequence[str]:
        return self._needed_on.get(cluster, ())

    @cached_property
    def _inhabitants(self) -> Mapping[str, list[Identity]]:
        """Of a Namespace: cluster -> what lives in it there."""
        names = [cluster.name for cluster in self._clusters]
        return self._reading.inhabitants(self._rendering.template.identity.name, names)

    def _inhabited(self, cluster: str) -> str:
        everywhere = self._reading.plan.workspace.config.namespaces is Namespaces.EVERYWHERE
        inhabitants = self._inhabitants.get(cluster, [])
        if everywhere and not inhabitants:
            return "namespaces: everywhere is set"
        return f"needed by {_some([_short(identity) for identity in inhabitants])}"

    def _is_free_namespace(self) -> bool:
        identity = self._rendering.template.identity
        unmatched = self._rendering.claim.outcome is Outcome.UNMATCHED
        return unmatched and (identity.api_version, identity.kind) == ("v1", "Namespace")

    def _placed(self, cluster: str) -> str:
        """Why the scheduler gave a cluster what it has of the binding."""
        decision = self._rendering.decision
        if decision is not None and decision.scheduled and decision.attempts[-1].ok:
            return self._shares.of(cluster) if cluster in self._selection else "keeps what it has"
        failed = decision is not None and decision.scheduled
        kept = f"kept, as the pass failed ({self._rendering.condition})" if failed else "no pass was due"
        against = listed(self._rejected.get(cluster, ()))
        though = f", though now {'; '.join(against)}" if against else ""
        return f"placed before, and {kept}{though}"

    def _unplaced(self, decision: Decision, cluster: Cluster) -> tuple[str, ...]:
        if not decision.admitted:
            return (self._unasked(),)
        if cluster.deletion_timestamp:
            return (f"the cluster is being deleted since {cluster.deletion_timestamp}",)
        failed = [attempt for attempt in decision.attempts if not attempt.ok]
        if failed and len(failed) == len(decision.attempts):
            return self._failed(failed, cluster)
        rejections = self._rejected.get(cluster.name)
        if rejections:
            return listed(rejections)
        if not decision.scheduled:
            return ("fits, but no pass was due: the earlier placement stands, and it is not in it",)
        if cluster.name in self._selection:
            return (self._shares.of(cluster.name),)
        return (self._selection.against(cluster.name),)

    def _unasked(self) -> str:
        """Why the scheduler did not look at the binding at all."""
        binding = self._rendering.binding
        if binding is not None and binding.scheduling_suspended:
            return "scheduling is suspended"
        name = binding.scheduler_name if binding else ""
        return f'another scheduler decides about it: schedulerName is "{name}"'

    def _failed(self, attempts: Sequence[Attempt], cluster: Cluster) -> tuple[str, ...]:
        """Every affinity term failed: what each had against the cluster."""
        reasons: list[str] = []
        for attempt, stages in zip(attempts, self.stages, strict=True):
            term = f"{attempt.affinity_name}: " if len(attempts) > 1 else ""
            rejections = stages.rejected.get(cluster.name, ())
            condition = attempt.failure.error_class.condition if attempt.failure else ""
            found = listed(rejections) or (f"fits, but the pass failed ({condition})",)
            reasons += [f"{term}{reason}" for reason in found]
        return tuple(reasons)


def listed(rejections: Sequence[Rejection]) -> tuple[str, ...]:
    """Every reason of the filters, behind the filter's name."""
    return tuple(f"{item.plugin}: {reason}" for item in rejections for reason in item.reasons)


def _short(identity: Identity) -> str:
    return f"{identity.kind} {identity.name}"


def _some(names: Sequence[str]) -> str:
    some = ", ".join(names[:_SOME])
    return some if len(names) <= _SOME else f"{some} and {len(names) - _SOME} more"
