"""What a Plan decided, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from renderer.model.instant import instant, is_instant
from renderer.model.override_result import EffectiveRule
from renderer.model.plan import Plan, Rendering
from renderer.model.variants import alike
from renderer.view.metrics.families import (
    CLUSTERS,
    FACTS,
    MANIFESTS,
    OVERRIDES,
    TEMPLATES,
    UNSCHEDULED,
)
from renderer.view.metrics.openmetrics import Labels, Measured
from renderer.view.metrics.reasons import reason

APPLIED = "applied"
FAILED = "failed"


def decided(plan: Plan) -> tuple[Measured, ...]:
    """Clusters and how old their facts are, templates, manifests and overrides."""
    clusters, renderings = plan.workspace.clusters, plan.renderings
    observed: dict[Labels, float] = {
        (cluster.name,): instant(cluster.observed_at).timestamp()
        for cluster in clusters
        if is_instant(cluster.observed_at)
    }
    reasons = (reason(rendering) for rendering in renderings)
    manifests = sum(len(manifest.clusters) for one in renderings for manifest in alike(one.manifests))
    return (
        CLUSTERS.at(len(clusters)),
        FACTS.of(observed),
        TEMPLATES.of(Counter((rendering.standing.value,) for rendering in renderings)),
        UNSCHEDULED.of(Counter((found,) for found in reasons if found)),
        MANIFESTS.at(manifests),
        OVERRIDES.of(_overrides(plan, renderings)),
    )


def _overrides(plan: Plan, renderings: Iterable[Rendering]) -> dict[Labels, int]:
    """How often rules of each override policy were applied, and failed: objects on clusters a rule."""
    found: dict[Labels, int] = {}
    for policy in plan.workspace.override_policies:
        of = (policy.kind, policy.namespace, policy.name)
        found |= {(*of, APPLIED): 0, (*of, FAILED): 0}
    for rendering in renderings:
        for manifest in alike(rendering.manifests):
            overridden, number = manifest.overridden, len(manifest.clusters)
            if overridden is None:
                continue
            for rule in overridden.rules:
                found[_key(rule, APPLIED)] += number
            if overridden.failure is not None:
                found[_key(overridden.failure.rule, FAILED)] += number
    return found


def _key(rule: EffectiveRule, result: str) -> Labels:
    return rule.kind, rule.namespace, rule.name, result
