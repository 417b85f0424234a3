"""The step: what each template is to this render, and where it goes.

Bindings are scheduled, dependencies follow, and what was placed earlier but cannot be decided now stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from renderer.interpret.bind import Bound
from renderer.model.binding import Binding, binding_name
from renderer.model.claim import Outcome
from renderer.model.cluster import Cluster
from renderer.model.config import Orphans, WorkspaceConfig
from renderer.model.identity import Identity
from renderer.model.placement import Placement
from renderer.model.plan import Rendering, Stage, Standing
from renderer.model.previous import NOTHING, Previous, Remembered
from renderer.model.rebalancer import WorkloadRebalancer
from renderer.schedule.decide import Decided, decide
from renderer.schedule.dependents import Distribution, distribute
from renderer.schedule.leaving import with_leaving
from renderer.schedule.question import SchedulerOptions


def place(
    bound: Sequence[Bound],
    clusters: Iterable[Cluster],
    rebalancers: Iterable[WorkloadRebalancer],
    previous: Previous,
    config: WorkspaceConfig,
    now: str,
    *,
    fresh: bool = False,
) -> tuple[Rendering, ...]:
    """One rendering for each template, in the order given, without manifests yet.

    `fresh` forgets earlier placements; what nobody claims any more stays where it is all the same.
    """
    memory = NOTHING if fresh else previous
    decided = _decided(bound, clusters, rebalancers, memory, config, now)
    placed = {item.claim.template.identity: _placed(item, decided, previous, config) for item in bound}
    distribution = distribute(
        [rendering.binding for rendering in placed.values() if rendering.binding is not None],
        {item.claim.template.identity: item.interpretation for item in bound},
        [item.claim.template for item in bound],
    )
    return with_leaving(_followed(placed, distribution))


def _decided(
    bound: Sequence[Bound],
    clusters: Iterable[Cluster],
    rebalancers: Iterable[WorkloadRebalancer],
    previous: Previous,
    config: WorkspaceConfig,
    now: str,
) -> Mapping[Identity, Decided]:
    bindings = [item.binding for item in bound if item.binding is not None]
    decisions = decide(
        bindings,
        clusters,
        previous,
        rebalancers,
        now=now,
        gates=config.feature_gates,
        failover=config.failover,
        options=SchedulerOptions(enable_empty_workload_propagation=config.enable_empty_workload_propagation),
    )
    return {binding.identity: decision for binding, decision in zip(bindings, decisions, strict=True)}


def _placed(
    item: Bound, decided: Mapping[Identity, Decided], previous: Previous, config: WorkspaceConfig
) -> Rendering:
    claim, identity = item.claim, item.claim.template.identity
    outcome = decided.get(identity)
    if outcome is not None:
        return Rendering(
            template=claim.template,
            claim=claim,
            standing=Standing.PLACED,
            interpretation=item.interpretation,
            binding=outcome.binding,
            decision=outcome.decision,
            condition=outcome.condition,
            message=outcome.message,
            rebalanced_by=outcome.rebalanced_by,
        )
    error, stage = _fault(item)
    rendering = Rendering(
        template=claim.template,
        claim=claim,
        standing=Standing.NOWHERE,
        interpretation=item.interpretation,
        error=error,
        stage=stage,
    )
    remembered = previous.bindings.get(identity.key)
    if remembered is None or remembered.attached:
        return rendering
    return _kept(rendering, remembered, config)


def _fault(item: Bound) -> tuple[str, Stage | None]:
    """Why a template has no binding although a policy was chosen for it."""
    if item.error:
        return item.error, Stage.INTERPRET
    if item.claim.outcome is Outcome.BLOCKED:
        missing = ", ".join(item.claim.missing_overrides)
        return f"{item.claim.chosen} waits for override policies that do not exist: {missing}", Stage.CLAIM
    return "", None


def _kept(rendering: Rendering, remembered: Remembered, config: WorkspaceConfig) -> Rendering:
    """A template that was placed earlier and is not decided now: what is published stays.

    Deleting a policy deletes no workload. `orphans: prune` lets go of what nobody claims.
    """
    orphan = rendering.stage is None
    if orphan and config.orphans is Orphans.PRUNE:
        return rendering
    identity = rendering.template.identity
    return replace(
        rendering,
        standing=Standing.ORPHAN if orphan else Standing.HELD,
        condition=remembered.condition,
        message=remembered.message,
        kept=remembered.raw,
        binding=Binding(
            identity=identity,
            namespace=identity.namespace,
            name=binding_name(identity.kind, identity.name),
            placement=Placement(),  # it has one of its own: needing it only adds clusters
            replicas=remembered.replicas,
            clusters=remembered.clusters,
            graceful_eviction_tasks=remembered.graceful_eviction_tasks,
            propagate_deps=remembered.propagate_deps,
        ),
    )


def _followed(placed: Mapping[Identity, Rendering], distribution: Distribution) -> tuple[Rendering, ...]:
    """The renderings with what depends on them, and those that only follow."""
    errors: dict[tuple[str, str], str] = {}
    for fault in distribution.errors:
        errors.setdefault(fault.binding, fault.text)
    renderings = dict(placed)
    for binding in distribution.bindings:
        rendering = renderings[binding.identity]
        if rendering.binding is None:
            renderings[binding.identity] = replace(rendering, standing=Standing.FOLLOWS, binding=binding)
        elif rendering.standing is Standing.FOLLOWS:
            # Needed from two namespaces: Karmada has two attached bindings, which come to the union.
            union = (*rendering.binding.required_by, *binding.required_by)
            renderings[binding.identity] = replace(
                rendering, binding=replace(rendering.binding, required_by=union)
            )
        else:
            error = errors.get(binding.key, "")
            renderings[binding.identity] = replace(
                rendering,
                binding=binding,
                error=error or rendering.error,
                stage=Stage.DEPENDENCIES if error else rendering.stage,
            )
    return tuple(renderings.values())
