"""Findings about static weights: those that no cluster gets, and clusters that get none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.check.passing import Passing, placed
from renderer.document.problem import Problem, Severity
from renderer.match.fleet import Mask, union
from renderer.model.binding import Binding
from renderer.model.decision import Strategy
from renderer.model.placement import ClusterPreferences, StaticClusterWeight
from renderer.model.plan import Plan
from renderer.model.policy import PropagationPolicy
from renderer.schedule.assign import strategy_of

WITHOUT_CLUSTER: Final = Rule(id="KR211", title="Weights and the clusters that pass do not agree")

UNUSED: Final = Rule(id="KR221", title="Weights are not looked at")

RULES: Final = (WITHOUT_CLUSTER, UNUSED)

_PREFERENCE: Final = "/spec/placement/replicaScheduling/weightPreference"
_LIST: Final = f"{_PREFERENCE}/staticWeightList"


def weight_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family; what one policy means for several templates is the same problem."""
    passing = Passing(plan)
    seen: set[tuple[int, Mask]] = set()
    for _, binding, policy in placed(plan):
        weights = _weights(binding)
        mask = passing.of(binding) if weights else 0
        if mask and (id(policy), mask) not in seen:
            seen.add((id(policy), mask))
            yield from _of_policy(policy, weights, mask, passing)
    for policy in plan.workspace.propagation_policies:
        yield from _idle(policy)


def _idle(policy: PropagationPolicy) -> Iterator[Problem]:
    """Weights beside something that decides without them."""
    scheduling = policy.placement.replica_scheduling
    preference = scheduling.weight_preference if scheduling else None
    if preference is None or preference == ClusterPreferences():
        return
    strategy = strategy_of(policy.placement)
    pointer, why = _PREFERENCE, _WITHOUT_WEIGHTS.get(strategy, "") if strategy else ""
    if strategy is Strategy.DYNAMIC_WEIGHT and preference.static_weight_list:
        pointer, why = _LIST, "dynamicWeight comes before static weights"
    if why:
        field = pointer.rpartition("/")[2]
        yield UNUSED.at(
            policy.document,
            pointer,
            what=f"{policy}: {field} is not looked at",
            why=why,
            fix=f"take {field} out"
            if pointer == _LIST
            else "write Divided and Weighted, or take weightPreference out",
        )


_WITHOUT_WEIGHTS: Final = {
    Strategy.DUPLICATED: "with Duplicated every cluster gets all replicas",
    Strategy.AGGREGATED: "Aggregated fills as few clusters as it can, by what they have free",
}


def _weights(binding: Binding) -> tuple[StaticClusterWeight, ...]:
    """The static weights that divide the replicas of a binding, if any do."""
    if binding.placement is None or not binding.replicas:
        return ()
    scheduling = binding.placement.replica_scheduling
    preference = scheduling.weight_preference if scheduling else None
    if preference is None or strategy_of(binding.placement) is not Strategy.STATIC_WEIGHT:
        return ()
    return preference.static_weight_list


def _of_policy(
    policy: PropagationPolicy, weights: tuple[StaticClusterWeight, ...], mask: Mask, passing: Passing
) -> Iterator[Problem]:
    matched = [passing.fleet.admitted(entry.target_cluster) for entry in weights]
    for place, (entry, clusters) in enumerate(zip(weights, matched, strict=True)):
        # Who names a cluster means each of them; a label may well match some that are closed just now.
        left_out = clusters & ~mask if entry.target_cluster.cluster_names or not clusters & mask else 0
        if left_out or (not clusters and not entry.target_cluster.cluster_names):
            yield _unused(policy, place, entry, passing.names(left_out))
    weighted = union(matched)
    without = passing.names(mask & ~weighted)
    if not mask & weighted:
        yield WITHOUT_CLUSTER.at(
            policy.document,
            _LIST,
            what=f"{policy}: no cluster that passes the filters has a weight: {some(without)}",
            why="where nobody has a weight, all weigh 1, and replicas are divided equally",
            fix="correct targetCluster of the weights",
        )
    elif without:
        yield WITHOUT_CLUSTER.at(
            policy.document,
            _LIST,
            what=f"{policy}: {some(without)} may be used and {_have(without)} no weight",
            why="clusters without a weight get no replicas as long as another has one",
            fix="add an entry with targetCluster: {} for the others, or leave them out by clusterAffinity",
            severity=Severity.NOTE,
        )


def _have(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _unused(policy: PropagationPolicy, place: int, entry: StaticClusterWeight, names: list[str]) -> Problem:
    whom = f"{some(names)}, which cannot be used" if names else "no cluster of the inventory"
    why = "the filters leave out what has it, and " if names else ""
    return WITHOUT_CLUSTER.at(
        policy.document,
        f"{_LIST}/{place}",
        what=f"{policy}: the weight {entry.weight} is for {whom}",
        why=f"{why}replicas are divided among the other clusters by their weights",
        fix="krender explain tells why a cluster is left out; correct the entry, or take it out",
    )
