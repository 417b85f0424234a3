"""Findings about what history does: what waits, what is being left, and what outlives its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.document.values import dig, sequence
from renderer.model.claim import Claim, Outcome
from renderer.model.plan import Plan, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.model.released import Release, Released
from renderer.model.workspace import Workspace

WAITING: Final = Rule(id="KR107", title="A policy does not count for a template that it owns")
LEAVING: Final = Rule(id="KR701", title="Work is leaving a cluster", severity=Severity.NOTE)
NOT_WATCHED: Final = Rule(id="KR702", title="Failover is asked for and does not happen")
OUTLIVING: Final = Rule(id="KR703", title="An object outlives its file", severity=Severity.NOTE)

RULES: Final = (WAITING, LEAVING, NOT_WATCHED, OUTLIVING)


def memory_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    for rendering in plan.renderings:
        yield from _waiting(rendering)
        yield from _leaving(rendering)
    yield from _not_watched(plan.workspace)
    for item in plan.released:
        if item.release is not Release.HOME:
            yield _outliving(item)


def _waiting(rendering: Rendering) -> Iterator[Problem]:
    """With sticky claims a binding may stay as an earlier policy, or an earlier state of it, had it."""
    claim, identity = rendering.claim, rendering.template.identity
    if claim.outcome is Outcome.WAITING:
        what, why = f"{identity} is claimed by {claim.chosen} and placed nowhere yet", "its policy is lazy"
    elif claim.unrefreshed is not None and not claim.strength:
        what = f"{identity} keeps the claim of {claim.chosen}, which does not select it any more"
        why = "its own labels changed; only a change of the policy would free it (claims: sticky)"
    elif _is_behind(claim):
        what, why = f"{identity} does not follow {claim.chosen} as it is now", "its policy is lazy"
    else:
        return
    yield WAITING.at(
        rendering.template.document,
        what=what,
        why=why,
        fix="change the template: its next change is placed by its policy as it is then",
    )


def _is_behind(claim: Claim) -> bool:
    """Whether the binding says something else than the policy would."""
    kept, policy = claim.unrefreshed, claim.chosen
    return (
        kept is not None
        and policy is not None
        and (kept.claimed_by != (policy.namespace, policy.name) or kept.binding.placement != policy.placement)
    )


def _leaving(rendering: Rendering) -> Iterator[Problem]:
    binding, policy = rendering.binding, rendering.claim.policy
    if binding is None or not binding.graceful_eviction_tasks:
        return
    names = [task.from_cluster for task in binding.graceful_eviction_tasks]
    kept = [name for manifest in rendering.leaving for name in manifest.clusters]
    yield LEAVING.at(
        policy.document if policy else rendering.template.document,
        "/spec/placement" if policy else "",
        what=f"{rendering.template.identity} is leaving {some(names)}",
        why=f"it keeps its files on {some(kept)} until the eviction is over"
        if kept
        else "its files are gone from there",
        fix="a recovered cluster gets nothing back by itself: a WorkloadRebalancer brings it home",
    )


def _not_watched(workspace: Workspace) -> Iterator[Problem]:
    config = workspace.config
    gate = config.feature_gates.failover
    for policy in workspace.propagation_policies:
        yield from _of_policy(policy, stateful=config.feature_gates.stateful_failover_injection)
    for item in workspace.taint_policies:
        if not gate:
            yield NOT_WATCHED.at(
                item.document,
                what=f"{item} gives no taint",
                why="Karmada runs ClusterTaintPolicies behind its feature gate Failover",
                fix="set featureGates: {Failover: true} in krender.yaml",
            )


def _of_policy(policy: PropagationPolicy, *, stateful: bool) -> Iterator[Problem]:
    failover = dig(policy.body, "spec", "failover")
    if dig(failover, "application") is not None:
        yield NOT_WATCHED.at(
            policy.document,
            "/spec/failover/application",
            what=f"{policy}: applications that become unhealthy are not moved",
            why="a render knows clusters and no pods, so it cannot tell the health of an application",
            fix="take it out; taints on the cluster, or a WorkloadRebalancer, move what runs there",
        )
    if stateful and sequence(dig(failover, "cluster", "statePreservation", "rules")):
        yield NOT_WATCHED.at(
            policy.document,
            "/spec/failover/cluster/statePreservation",
            what=f"{policy}: nothing is evicted, because its state could not be preserved",
            why="Karmada takes the state from the status of the workload, which a render does not have",
            fix="take statePreservation out, or leave the feature gate StatefulFailoverInjection closed",
        )


def _outliving(item: Released) -> Problem:
    unmarked = item.release is Release.UNMARKED
    return OUTLIVING.at(
        None,
        what=f"{item.path} on {some(item.clusters)} is {item.release}",
        why="its policy says preserveResourcesOnDeletion, so its object is to stay when the file goes",
        fix="put the marks into the template before it goes, or remove the file from the branch by hand"
        if unmarked
        else "once this is published and applied, set released: prune in krender.yaml to remove the file",
        severity=Severity.WARNING if unmarked else None,
    )
