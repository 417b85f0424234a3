"""Who claims a template, why the others do not, and who nearly does, as facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.document.values import Object, Value
from renderer.match.claims import carried_claim
from renderer.match.near_miss import Difference, Disagreement, NearMisses
from renderer.match.skip import OWNER_LABEL, reserved, skipping_pattern
from renderer.model.claim import Claim, Outcome
from renderer.model.config import WorkspaceConfig
from renderer.model.identity import Identity
from renderer.model.policy import PropagationPolicy
from renderer.model.template import Template
from renderer.view.explain.reading import Reading

_MOST: Final = 3  # near misses that are told


def claim_facts(reading: Reading, claim: Claim) -> Object:
    """The outcome, the policy behind it, those that lost, and near misses where there is none."""
    facts: dict[str, Value] = {"outcome": claim.outcome.value}
    told = outcome(claim, reading.plan.workspace.config)
    if told != claim.outcome.value:
        facts["detail"] = told
    if claim.chosen is not None:
        facts["policy"] = reading.policy(claim.chosen)
        facts["because"] = str(claim.strength)
    if claim.missing_overrides:
        facts["missingOverrides"] = list(claim.missing_overrides)
    if claim.losses:
        facts["lost"] = [
            {**reading.policy(loss.policy), "because": loss.reason.value} for loss in claim.losses
        ]
    if claim.outcome is Outcome.UNMATCHED:
        near = list(_near(reading, claim.template))
        facts |= {"nearMisses": near} if near else {}
    return facts


def outcome(claim: Claim, config: WorkspaceConfig) -> str:
    """What came of looking for a policy, with what it was about."""
    identity = claim.template.identity
    match claim.outcome:
        case Outcome.API_SKIPPED:
            return f"its API, {identity.api_version} {identity.kind}, is never propagated"
        case Outcome.OBJECT_SKIPPED:
            return _skipped(identity, config)
        case Outcome.OWNED_ELSEWHERE:
            owner = dict(claim.template.labels).get(OWNER_LABEL, "")
            return f"another controller owns it: label {OWNER_LABEL} is {owner}"
        case Outcome.STALE:
            return _stale(claim)
    return claim.outcome.value


def _skipped(identity: Identity, config: WorkspaceConfig) -> str:
    namespace = identity.namespace
    if reserved(namespace):
        return f"Karmada keeps the namespace {namespace} for itself: nothing in it is propagated"
    pattern = skipping_pattern(namespace, config.skipped_propagating_namespaces)
    if pattern:
        return f'nothing in namespace {namespace} is propagated: skippedPropagatingNamespaces has "{pattern}"'
    return "every API server makes this object itself, so it is never propagated"


def _stale(claim: Claim) -> str:
    namespace, name = carried_claim(claim.template) or ("", "")
    policy = f"PropagationPolicy {namespace}/{name}" if namespace else f"ClusterPropagationPolicy {name}"
    gone = "does not exist" if claim.chosen is None else "does not select it any more"
    return f"it carries the claim of {policy}, which {gone}"


def _near(reading: Reading, template: Template) -> Iterator[Object]:
    """The policies that would select the template but for little, the nearest first."""
    misses = NearMisses([template], reading.plan.workspace.scopes)
    found: list[tuple[int, int, PropagationPolicy, tuple[Disagreement, ...]]] = []
    for policy in reading.plan.workspace.propagation_policies:
        for place, selector in enumerate(policy.resource_selectors):
            for miss in misses.of(selector, policy.namespace):
                if miss.template is not None:
                    found.append((len(miss.disagreements), place, policy, miss.disagreements))
    for _, place, near, disagreements in sorted(found, key=lambda item: item[0])[:_MOST]:
        source = reading.place(near.document, f"/spec/resourceSelectors/{place}")
        differences: list[Value] = [difference(item) for item in disagreements]
        yield {**reading.policy(near), "source": source, "differences": differences}


def difference(item: Disagreement) -> str:
    """What keeps a selector from selecting a template."""
    match item.aspect:
        case Difference.CLUSTER_SCOPED:
            return f"it selects in namespace {item.wanted} only, and this is cluster-scoped"
        case Difference.LABELS:
            return f"the labels do not fit: {item.actual}"
        case Difference.INVALID_LABELS:
            return f"its label selector is invalid and matches nothing: {item.actual}"
        case Difference.NAMESPACE:
            return f"it selects in namespace {item.wanted}, and this is in {item.actual or '(none)'}"
        case Difference.API_VERSION | Difference.GROUP:
            return f"it selects {item.wanted}, and this is {item.actual}"
        case Difference.KIND_CASE:
            return f"it selects kind {item.wanted}, and this is {item.actual}"
    return f'it selects the name "{item.wanted}", and this is "{item.actual}"'
