"""Findings about fields that need a feature gate which is off, or what a repository does not have."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.check.steering import NO_HISTORY
from renderer.document.problem import Problem
from renderer.document.values import dig
from renderer.model.config import WorkspaceConfig
from renderer.model.plan import Plan
from renderer.model.policy import PropagationPolicy


def gate_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for policy in plan.workspace.propagation_policies:
        for pointer, why, fix in _idle(policy, plan.workspace.config):
            field = pointer.removeprefix("/spec/").replace("/", ".")
            yield NO_HISTORY.at(
                policy.document, pointer, what=f"{policy}: {field} has no effect", why=why, fix=fix
            )


def _idle(policy: PropagationPolicy, config: WorkspaceConfig) -> Iterator[tuple[str, str, str]]:
    """Pointer, why and fix of each field that does nothing."""
    gates, placement = config.feature_gates, policy.placement
    for field, term in (
        ("affinity", placement.workload_affinity),
        ("antiAffinity", placement.workload_anti_affinity),
    ):
        if term is not None and not gates.workload_affinity:
            yield f"/spec/placement/workloadAffinity/{field}", *_gate("WorkloadAffinity")
    if policy.propagate_deps and not gates.propagate_deps:
        yield "/spec/propagateDeps", *_gate("PropagateDeps")
    if isinstance(dig(policy.body, "spec", "failover", "cluster"), dict):
        if not gates.failover:
            yield "/spec/failover/cluster", *_gate("Failover")
        elif not config.failover.no_execute_eviction:
            why = "nothing is evicted from clusters with NoExecute taints"
            fix = "set failover: {noExecuteEviction: true} in krender.yaml, or take it out"
            yield "/spec/failover/cluster", why, fix
    if isinstance(dig(policy.body, "spec", "failover", "application"), dict):
        why = "it acts on the health of running workloads, which no file tells"
        yield "/spec/failover/application", why, "take it out, or do without"


def _gate(name: str) -> tuple[str, str]:
    fix = f"set featureGates: {{{name}: true}} in krender.yaml, or take it out"
    return f"the feature gate {name} is off", fix
