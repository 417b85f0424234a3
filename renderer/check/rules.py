"""All findings of a plan, from every family of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from renderer.check import (
    affinities,
    bindings,
    capacity,
    claims,
    counting,
    entries,
    facts,
    finished,
    fitness,
    fixed_point,
    flux,
    gates,
    hooks,
    identities,
    immutable,
    keys,
    kinds,
    left_out,
    leftovers,
    legacy,
    literals,
    live_karmada,
    loops,
    makers,
    memory,
    namespaces,
    needs,
    nulls,
    overrides,
    passed_over,
    placement,
    pods,
    replicas,
    retained,
    scaling,
    size,
    staying,
    steering,
    strength,
    tenants,
    together,
    tracking,
    weights,
    workflows,
)
from renderer.check.counted import counted
from renderer.check.finding import Rule
from renderer.check.strict import strictly
from renderer.document.problem import Problem, Severity
from renderer.model.plan import Plan
from renderer.model.surroundings import Surroundings

Family = Callable[[Plan], Iterable[Problem]]

FAMILIES: Final[tuple[Family, ...]] = (
    claims.claim_findings,
    placement.placement_findings,
    overrides.override_findings,
    namespaces.namespace_findings,
    needs.need_findings,
    fitness.fitness_findings,
    identities.identity_findings,
    keys.key_findings,
    kinds.kind_findings,
    legacy.legacy_findings,
    capacity.capacity_findings,
    steering.steering_findings,
    size.size_findings,
    immutable.immutable_findings,
    together.together_findings,
    memory.memory_findings,
    weights.weight_findings,
    scaling.scaling_findings,
    staying.staying_findings,
    facts.fact_findings,
    replicas.replica_findings,
    gates.gate_findings,
    strength.strength_findings,
    affinities.affinity_findings,
    bindings.binding_findings,
    counting.counting_findings,
    literals.literal_findings,
    leftovers.leftover_findings,
    finished.finished_findings,
    pods.pod_findings,
    nulls.null_findings,
    tenants.tenant_findings,
    live_karmada.live_karmada_findings,
    tracking.tracking_findings,
    makers.maker_findings,
    hooks.hook_findings,
    passed_over.passed_over_findings,
    entries.entry_findings,
    left_out.left_out_findings,
    retained.retained_findings,
    flux.flux_findings,
)

# These are about what lies around the workspace, too.
AROUND: Final[tuple[Callable[[Plan, Surroundings], Iterable[Problem]], ...]] = (
    loops.loop_findings,
    workflows.workflow_findings,
)

RULES: Final[tuple[Rule, ...]] = tuple(
    sorted(
        (
            *claims.RULES,
            *placement.RULES,
            *overrides.RULES,
            *namespaces.RULES,
            *needs.RULES,
            *fitness.RULES,
            *identities.RULES,
            *keys.RULES,
            *kinds.RULES,
            *legacy.RULES,
            *capacity.RULES,
            *steering.RULES,
            *size.RULES,
            *immutable.RULES,
            *together.RULES,
            *memory.RULES,
            *weights.RULES,
            *scaling.RULES,
            *staying.RULES,
            *facts.RULES,
            *replicas.RULES,
            *strength.RULES,
            *affinities.RULES,
            *bindings.RULES,
            *counting.RULES,
            *literals.RULES,
            *leftovers.RULES,
            *finished.RULES,
            *pods.RULES,
            *nulls.RULES,
            *tenants.RULES,
            *live_karmada.RULES,
            *tracking.RULES,
            *makers.RULES,
            *hooks.RULES,
            *passed_over.RULES,
            *entries.RULES,
            *left_out.RULES,
            *retained.RULES,
            *flux.RULES,
            *loops.RULES,
            *workflows.RULES,
            *fixed_point.RULES,
        ),
        key=lambda rule: rule.id,
    )
)


def findings(plan: Plan) -> tuple[Problem, ...]:
    """Everything worth knowing about the user's files, sorted as a report is.

    What the workspace is strict about weighs as an error; what has one cause is told a few times and counted.
    """
    return counted(all_findings(plan))


def findings_around(plan: Plan, around: Surroundings) -> tuple[Problem, ...]:
    """The same about what lies around the workspace, or reads from there."""
    found = [problem for family in AROUND for problem in family(plan, around)]
    weighed = strictly(found, plan.workspace.config.strict)
    return counted(sorted(dict.fromkeys(weighed), key=lambda problem: problem.sort_key))


def all_findings(plan: Plan) -> tuple[Problem, ...]:
    """The same, where each of those that have one cause is told."""
    found = [problem for family in FAMILIES for problem in family(plan)]
    found += [problem for problem in plan.workspace.problems if problem.severity is not Severity.ERROR]
    weighed = strictly(found, plan.workspace.config.strict)
    return tuple(sorted(dict.fromkeys(weighed), key=lambda problem: problem.sort_key))
