"""Findings about placements: what fits nowhere, names nobody has, constraints that constrain nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from renderer.check.affinities import affinities
from renderer.check.finding import Rule, some
from renderer.document.patch import ABSENT
from renderer.document.pointer import PointerError, look_up
from renderer.document.problem import Problem, Severity
from renderer.model.decision import Condition
from renderer.model.overrides import OverridePolicy
from renderer.model.placement import ClusterAffinity, Placement
from renderer.model.plan import Plan, Rendering
from renderer.model.policy import PropagationPolicy

UNPLACED: Final = Rule(id="KR201", title="A template could not be scheduled")
UNKNOWN_CLUSTER: Final = Rule(id="KR202", title="A policy names a cluster that is not in the inventory")
NOT_ENFORCED: Final = Rule(id="KR203", title="A spread constraint is accepted and not enforced")
NEVER_MET: Final = Rule(id="KR204", title="A spread constraint can never be met", severity=Severity.ERROR)
EMPTY_NAMES: Final = Rule(id="KR205", title="An empty list of clusters admits every cluster")

_WILD: Final = frozenset("*?[")  # no cluster's name has them
_NEAR: Final = 20  # names of one list for which a near one is looked for

RULES: Final = (UNPLACED, UNKNOWN_CLUSTER, NOT_ENFORCED, NEVER_MET, EMPTY_NAMES)


def placement_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    unplaced: dict[tuple[int, str, str], list[Rendering]] = {}
    for rendering in plan.renderings:
        if rendering.condition and rendering.condition != Condition.SUCCESS.value:
            key = (id(rendering.claim.policy), rendering.condition, rendering.message)
            unplaced.setdefault(key, []).append(rendering)
    for renderings in unplaced.values():
        yield _unplaced(renderings)
    names = {cluster.name: None for cluster in plan.workspace.clusters}
    for subject, pointer, affinity in affinities(plan.workspace):
        yield from _unknown(subject, pointer, affinity, names)
        yield from _empty(subject, pointer)
    for policy in plan.workspace.propagation_policies:
        if policy.suspension is not None:
            held = ClusterAffinity(cluster_names=policy.suspension.dispatching_on_clusters)
            yield from _unknown(policy, "/spec/suspension/dispatchingOnClusters", held, names)
        yield from _spread(policy)


def _unplaced(renderings: list[Rendering]) -> Problem:
    """Templates of one policy that could not be scheduled for one reason."""
    rendering = renderings[0]
    policy = rendering.claim.policy
    bindings = [item.binding for item in renderings if item.binding is not None]
    kept = sorted({target.name: None for binding in bindings for target in binding.clusters})
    it = "it" if len(renderings) == 1 else "they"
    stays, reaches = ("stays", "reaches") if len(renderings) == 1 else ("stay", "reach")
    return UNPLACED.at(
        policy.document if policy else rendering.template.document,
        "/spec/placement" if policy else "",
        what=f"{some([item.template.identity for item in renderings])}: "
        f"{rendering.condition}: {rendering.message}",
        why=f"{it} {stays} on {some(kept)}" if kept else f"{it} {reaches} no cluster",
        fix=f"krender explain {_reference(rendering)} tells the reasons of every cluster",
    )


def _reference(rendering: Rendering) -> str:
    identity = rendering.template.identity
    namespace = f" -n {identity.namespace}" if identity.namespace else ""
    return f"{identity.kind.lower()}/{identity.name}{namespace}"


def _unknown(
    policy: PropagationPolicy | OverridePolicy,
    pointer: str,
    affinity: ClusterAffinity,
    names: Mapping[str, None],
) -> Iterator[Problem]:
    for field, listed in (("clusterNames", affinity.cluster_names), ("exclude", affinity.exclude)):
        unknown = [(place, name) for place, name in enumerate(listed) if name not in names]
        for count, (place, name) in enumerate(unknown[:_NEAR]):
            more = len(unknown) - _NEAR if count == _NEAR - 1 else 0
            yield UNKNOWN_CLUSTER.at(
                policy.document,
                f"{pointer}/{field}/{place}",
                what=f'{policy} names the cluster "{name}", which is not in the inventory'
                + (f" (and {more} more like it)" if more > 0 else ""),
                why="clusters are named whole: a pattern is a name that no cluster has"
                if set(name) & _WILD
                else "a name that nobody has admits no cluster and excludes none",
                fix=_instead(name, names),
            )


def _instead(name: str, names: Mapping[str, None]) -> str:
    if set(name) & _WILD:
        return "name each cluster, or select them with labelSelector or fieldSelector"
    near = get_close_matches(name, names, n=1)
    return f'write "{near[0]}"' if near else "add the cluster to the inventory, or take the name out"


def _empty(policy: PropagationPolicy | OverridePolicy, affinity: str) -> Iterator[Problem]:
    """Names that were to come, as from a template that found none: the opposite of what is meant."""
    pointer = f"{affinity}/clusterNames"
    try:
        written = look_up(policy.document.value, pointer) if policy.document else ABSENT
    except PointerError:
        written = ABSENT
    if written is None or written == []:
        yield EMPTY_NAMES.at(
            policy.document,
            pointer,
            what=f"{policy}: clusterNames is empty",
            why="an empty list is no restriction: every cluster is admitted",
            fix="name the clusters, or take clusterNames out if all are meant",
        )


def _spread(policy: PropagationPolicy) -> Iterator[Problem]:
    placement = policy.placement
    counted = any(item.spread_by_field in _COUNTED for item in placement.spread_constraints)
    static = _weighs_statically(placement)
    for place, constraint in enumerate(placement.spread_constraints):
        field = constraint.spread_by_field or constraint.spread_by_label
        if static:
            why = "static and equal weights take every cluster that passes the filters"
        elif field in _COUNTED and constraint.max_groups == 0:
            yield _never_met(
                policy,
                place,
                f"the spread constraint by {field} has no maxGroups",
                "Karmada counts an absent maxGroups as 0, so no cluster may be selected",
                f"add maxGroups: how many {field}s to use at most",
            )
            continue
        elif constraint.spread_by_label and not counted:
            yield _never_met(
                policy,
                place,
                f"the spread constraint by {field} stands alone",
                "Karmada selects by cluster or region, and fails where there are only others",
                "add a constraint by cluster with maxGroups, or take this one out",
            )
            continue
        elif field in ("zone", "provider"):
            why = f"a constraint by {field} only leaves out clusters without a {field}"
        elif constraint.spread_by_label:
            why = "a constraint by label does nothing"
        else:
            continue
        yield NOT_ENFORCED.at(
            policy.document,
            _CONSTRAINT.format(place),
            what=f"{policy}: the spread constraint by {field} is accepted and not enforced",
            why=f"Karmada v1.19 behaves so: {why}",
            fix="spread by cluster or region, with Duplicated, dynamic weights or Aggregated; or take it out",
        )


_COUNTED: Final = ("cluster", "region")
_CONSTRAINT: Final = "/spec/placement/spreadConstraints/{}"


def _never_met(policy: PropagationPolicy, place: int, what: str, why: str, fix: str) -> Problem:
    pointer = _CONSTRAINT.format(place)
    return NEVER_MET.at(policy.document, pointer, what=f"{policy}: {what}", why=why, fix=fix)


def _weighs_statically(placement: Placement) -> bool:
    """Whether the scheduler ignores spread constraints for the way replicas are divided.

    Source: Karmada pkg/scheduler/core/spreadconstraint/util.go, shouldIgnoreSpreadConstraint.
    """
    scheduling = placement.replica_scheduling
    if scheduling is None or scheduling.replica_scheduling_type != "Divided":
        return False
    if scheduling.replica_division_preference != "Weighted":
        return False
    preference = scheduling.weight_preference
    return preference is None or bool(preference.static_weight_list and not preference.dynamic_weight)
