"""Findings about what steers a render from the side: suspended dispatching, and requests to reschedule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.model.config import Claims, WorkspaceConfig
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.model.previous import Previous

SUSPENDED: Final = Rule(id="KR207", title="Dispatching is suspended", severity=Severity.NOTE)
NOT_THERE: Final = Rule(id="KR208", title="A WorkloadRebalancer names what is not placed")

NO_HISTORY: Final = Rule(id="KR209", title="A field of a policy has no effect here", severity=Severity.NOTE)

LATER_GROUP: Final = Rule(
    id="KR210", title="A template stays on a later affinity group", severity=Severity.NOTE
)

RULES: Final = (SUSPENDED, NOT_THERE, NO_HISTORY, LATER_GROUP)


def steering_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    suspended: dict[int, tuple[PropagationPolicy, list[Rendering]]] = {}
    for rendering in plan.renderings:
        policy = rendering.claim.policy
        if rendering.suspended and policy is not None:
            suspended.setdefault(id(policy), (policy, []))[1].append(rendering)
        yield from _removed(rendering, plan.previous)
        yield from _later_group(rendering)
    for policy, renderings in suspended.values():
        yield _suspended(policy, renderings)
    yield from _not_there(plan)
    for item in plan.workspace.propagation_policies:
        yield from _no_history(item, plan.workspace.config)


def _suspended(policy: PropagationPolicy, renderings: list[Rendering]) -> Problem:
    clusters = dict.fromkeys(name for rendering in renderings for name in rendering.suspended)
    objects = [rendering.template.identity for rendering in renderings]
    return SUSPENDED.at(
        policy.document,
        "/spec/suspension",
        what=f"{policy} suspends dispatching: {some(objects)} on {some(sorted(clusters))}",
        why="what is published there stays as it is, and what is not is not written; "
        "replicas are divided among these clusters all the same",
        fix="take the suspension out when it is over; to move replicas away, exclude the clusters instead",
    )


def _removed(rendering: Rendering, previous: Previous) -> Iterator[Problem]:
    """What is taken away although dispatching is suspended: that holds back what is sent, nothing else."""
    binding, policy = rendering.binding, rendering.claim.policy
    remembered = previous.bindings.get(rendering.template.identity.key)
    if binding is None or binding.suspension is None or remembered is None or policy is None:
        return
    targets = {target.name for target in binding.target_clusters}
    gone = [
        item.name for item in remembered.clusters if item.name not in targets and binding.suspends(item.name)
    ]
    if gone:
        yield SUSPENDED.at(
            policy.document,
            "/spec/suspension",
            what=f"{rendering.template.identity} is removed from {some(gone)}, "
            "where dispatching is suspended",
            why="the scheduler took it away, and Karmada then removes it, suspended or not",
            fix="leave replicas and weights as they are until the suspension is over",
            severity=Severity.WARNING,
        )


def _later_group(rendering: Rendering) -> Iterator[Problem]:
    """A fallback that nothing takes back."""
    binding, policy = rendering.binding, rendering.claim.policy
    if binding is None or binding.placement is None or policy is None:
        return
    names = [term.affinity_name for term in binding.placement.cluster_affinities]
    if binding.observed_affinity_name in names[1:]:
        place = names.index(binding.observed_affinity_name)
        yield LATER_GROUP.at(
            policy.document,
            f"/spec/placement/clusterAffinities/{place}",
            what=f"{rendering.template.identity} is on the affinity group {names[place]}, not on {names[0]}",
            why="Karmada goes on to later groups, and back only when it is told to reschedule",
            fix="where an earlier group has room again, add a WorkloadRebalancer that names it",
        )


def _no_history(policy: PropagationPolicy, config: WorkspaceConfig) -> Iterator[Problem]:
    """Fields that are about what came first, where claims are decided as if every policy had been there."""
    preempts = config.claims is Claims.STICKY and config.feature_gates.propagation_policy_preemption
    found = (
        ("activationPreference", policy.activation_preference == "Lazy", config.claims is Claims.STICKY),
        ("preemption", policy.preemption == "Always", preempts),
    )
    for field, is_set, counts in found:
        if is_set and not counts:
            gate = " and the feature gate PropagationPolicyPreemption" if field == "preemption" else ""
            yield NO_HISTORY.at(
                policy.document,
                f"/spec/{field}",
                what=f"{policy}: {field} has no effect",
                why="claims are decided afresh, as if every policy had been there before every template",
                fix=f"take it out, or set spec.claims: sticky{gate} in krender.yaml",
            )


def _not_there(plan: Plan) -> Iterator[Problem]:
    placed = {
        rendering.template.identity: rendering
        for rendering in plan.renderings
        if rendering.binding is not None
    }
    for rebalancer in plan.workspace.rebalancers:
        for place, workload in enumerate(rebalancer.workloads):
            if workload not in placed:
                yield NOT_THERE.at(
                    rebalancer.document,
                    f"/spec/workloads/{place}",
                    what=f"{rebalancer}: {workload} is not placed by any policy",
                    why="there is nothing to reschedule",
                    fix=_meant(workload, placed),
                )


def _meant(workload: Identity, placed: dict[Identity, Rendering]) -> str:
    """The namespace that was left out, if that is all."""
    for identity in placed:
        same = (identity.api_version, identity.kind, identity.name)
        if same == (workload.api_version, workload.kind, workload.name):
            if not workload.namespace:
                return f"add namespace: {identity.namespace}"
            return (
                f"write namespace: {identity.namespace}" if identity.namespace else "take the namespace out"
            )
    return "correct the name, or take it out"
