"""Findings about the selectors of clusters: those that are invalid, and groups that no cluster is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.match.fleet import Fleet
from renderer.match.labels import invalid
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity, Placement
from renderer.model.plan import Plan
from renderer.model.policy import PropagationPolicy
from renderer.model.workspace import Workspace

INVALID: Final = Rule(id="KR223", title="A label selector of clusters is invalid and admits none")
EMPTY_GROUP: Final = Rule(id="KR224", title="No cluster is in an affinity group")

RULES: Final = (INVALID, EMPTY_GROUP)


def affinities(
    workspace: Workspace,
) -> Iterator[tuple[PropagationPolicy | OverridePolicy, str, ClusterAffinity]]:
    """Everything by which policies select clusters, each with its policy and its pointer there."""
    for policy in workspace.propagation_policies:
        for below, affinity in _of_placement(policy.placement):
            yield policy, f"/spec/placement{below}", affinity
    for override in workspace.override_policies:
        for rule in override.rules:
            if rule.target_cluster is not None:
                yield override, f"{rule.pointer.rpartition('/')[0]}/targetCluster", rule.target_cluster


def _of_placement(placement: Placement) -> Iterator[tuple[str, ClusterAffinity]]:
    if placement.cluster_affinity is not None:
        yield "/clusterAffinity", placement.cluster_affinity
    for below, _, affinity in _groups(placement):
        yield below, affinity
    scheduling = placement.replica_scheduling
    preference = scheduling.weight_preference if scheduling else None
    for place, weight in enumerate(preference.static_weight_list if preference else ()):
        below = f"/replicaScheduling/weightPreference/staticWeightList/{place}/targetCluster"
        yield below, weight.target_cluster


def _groups(placement: Placement) -> Iterator[tuple[str, str, ClusterAffinity]]:
    """The groups of clusterAffinities, and those that take their overflow, with their pointers and names."""
    for place, term in enumerate(placement.cluster_affinities):
        pointer = f"/clusterAffinities/{place}"
        yield pointer, term.affinity_name, term.affinity
        for over, overflow in enumerate(term.overflow_affinities):
            yield f"{pointer}/overflowAffinities/{over}", overflow.affinity_name, overflow.affinity


def affinity_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for policy, pointer, affinity in affinities(plan.workspace):
        fault = invalid(affinity.label_selector) if affinity.label_selector else ""
        if fault:
            yield INVALID.at(
                policy.document,
                f"{pointer}/labelSelector",
                what=f"{policy}: a label selector of clusters is invalid: {fault}",
                why="Karmada takes it without a word, and it matches no cluster",
                fix="write In or NotIn with values, Exists or DoesNotExist without",
            )
    fleet = Fleet(plan.workspace.clusters)
    for policy in plan.workspace.propagation_policies:
        for below, name, affinity in _groups(policy.placement):
            if not fleet.admitted(affinity):
                yield EMPTY_GROUP.at(
                    policy.document,
                    f"/spec/placement{below}",
                    what=f"{policy}: no cluster of the inventory is in the affinity group {name}",
                    why="so nothing goes there when other groups fail or are full",
                    fix="correct what the group selects, or take it out",
                )
