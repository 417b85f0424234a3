"""What one policy selects, and what comes of it, as facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from renderer.document.values import Object, Value
from renderer.match.clusters import admits, rejections
from renderer.match.near_miss import NearMisses
from renderer.match.resources import selector_strength
from renderer.model.claim import Outcome
from renderer.model.cluster import Cluster
from renderer.model.override_result import EffectiveRule, Overridden
from renderer.model.overrides import OverridePolicy
from renderer.model.plan import Manifest, Rendering
from renderer.model.policy import PropagationPolicy
from renderer.model.selectors import ResourceSelector
from renderer.view.explain.claiming import difference, outcome
from renderer.view.explain.overriding import applied
from renderer.view.explain.reading import Policy, Reading, identity_facts

_REASONS = 3  # of those why a rule targets no cluster


def policy_facts(reading: Reading, policy: Policy) -> Object:
    """All about one policy of either sort."""
    facts: dict[str, Value] = {
        "policy": {key: value for key, value in reading.policy(policy).items() if key != "source"},
        "source": reading.place(policy.document),
        "selectors": list(_selectors(reading, policy)),
    }
    if isinstance(policy, OverridePolicy):
        return {**facts, "rules": list(_rules(reading, policy))}
    return {**facts, **_propagation(reading, policy)}


def _selectors(reading: Reading, policy: Policy) -> Iterator[Object]:
    """Each selector with the templates it selects, or those it nearly does."""
    misses = NearMisses(reading.plan.workspace.templates, reading.plan.workspace.scopes)
    for place, selector in enumerate(policy.resource_selectors):
        selected = [item.template.identity for item in _selected(reading, policy, [selector])]
        facts: dict[str, Value] = {
            "selector": _spelled(selector),
            "source": reading.place(policy.document, f"/spec/resourceSelectors/{place}"),
            "selects": [identity_facts(identity) for identity in selected],
        }
        if not selected:
            near: list[Value] = [
                {
                    "object": identity_facts(miss.template),
                    "differences": [difference(item) for item in miss.disagreements],
                }
                for miss in misses.of(selector, policy.namespace)
                if miss.template is not None
            ]
            facts |= {"nearMisses": near} if near else {}
        yield facts


def _spelled(selector: ResourceSelector) -> str:
    """A selector as text: `apps/v1 Deployment shop/web`, `v1 Secret by labels`."""
    name = selector.name or ("*" if selector.namespace else "")
    place = f" {selector.namespace}/{name}" if selector.namespace else f" {name}" if name else ""
    labels = " by labels" if selector.label_selector is not None and not selector.name else ""
    return f"{selector.api_version} {selector.kind}{place}{labels}"


def _selected(reading: Reading, policy: Policy, selectors: Sequence[ResourceSelector]) -> Iterator[Rendering]:
    """The templates that one of the selectors selects, within the policy's namespace."""
    for rendering in reading.plan.renderings:
        template = rendering.template
        labels = dict(template.labels)
        if policy.namespace in ("", template.identity.namespace) and any(
            selector_strength(selector, template.identity, labels) for selector in selectors
        ):
            yield rendering


def _propagation(reading: Reading, policy: PropagationPolicy) -> Object:
    """What the policy claims, where it loses, and what it cannot have."""
    claims: list[Value] = []
    lost: list[Value] = []
    without: list[Value] = []
    for rendering in _selected(reading, policy, policy.resource_selectors):
        claim, about = rendering.claim, {"object": identity_facts(rendering.template.identity)}
        loss = next((item for item in claim.losses if item.policy is policy), None)
        if claim.policy is policy:
            claims.append({**about, "because": str(claim.strength), **_fate(rendering)})
        elif loss is not None:
            winner = {"to": reading.policy(claim.chosen)} if claim.chosen else {}
            lost.append({**about, **winner, "because": loss.reason.value})
        else:
            without.append({**about, "because": _without(reading, rendering, policy)})
    return {
        "priority": policy.priority,
        "claims": claims,
        "lost": lost,
        "without": without,
    }


def _fate(rendering: Rendering) -> Object:
    """What became of a template that the policy claims."""
    binding = rendering.binding
    facts: dict[str, Value] = {
        "clusters": len(binding.clusters) if binding else 0,
        "replicas": binding.replicas if binding and binding.is_workload else None,
        "condition": rendering.condition or None,
        "message": rendering.message or None,
        "error": rendering.error or None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _without(reading: Reading, rendering: Rendering, policy: PropagationPolicy) -> str:
    """Why the policy has nothing of a template that it selects, and that no other policy took."""
    if policy.deleting:
        return "the policy is being deleted, and claims nothing any more"
    if rendering.claim.outcome is Outcome.BLOCKED:
        return f"it waits for override policies: {', '.join(rendering.claim.missing_overrides)}"
    return outcome(rendering.claim, reading.plan.workspace.config)


def _rules(reading: Reading, policy: OverridePolicy) -> Iterator[Object]:
    """Each rule with the clusters it targets and the objects it is applied to; or why to none."""
    touched = _touched(reading, policy)
    for index, rule in enumerate(policy.rules):
        affinity = rule.target_cluster
        clusters = reading.plan.workspace.clusters
        targets = [item for item in clusters if affinity is None or admits(affinity, item)]
        facts: dict[str, Value] = {
            "rule": f"{policy}, rule {index + 1}",
            "source": reading.place(policy.document, rule.pointer),
            "everywhere": len(targets) == len(clusters),
            "targets": [cluster.name for cluster in targets],
            "touches": touched.get(index, []),
        }
        if not facts["touches"]:
            facts["because"] = _unused(reading, policy, index, targets)
        yield facts


def _touched(reading: Reading, policy: OverridePolicy) -> dict[int, list[Value]]:
    """Rule -> the objects it is applied to, with the clusters and whether it changes anything."""
    found: dict[int, dict[tuple[int, bool, str], tuple[Rendering, list[Value]]]] = {}
    for rendering in reading.plan.renderings:
        for manifest in rendering.manifests:
            for rule, result in _applied(manifest, policy):
                changed = any(step.changed for step in result.steps if step.rule.key == rule.key)
                failure = result.failure
                failed = failure.problem.what if failure and failure.rule.key == rule.key else ""
                entry = found.setdefault(rule.index, {}).setdefault(
                    (id(rendering), changed, failed), (rendering, [])
                )
                entry[1].extend(manifest.clusters)
    return {
        index: [
            {
                "object": identity_facts(rendering.template.identity),
                "clusters": sorted(map(str, clusters)),
                "changed": changed,
                **({"failed": failed} if failed else {}),
            }
            for (_, changed, failed), (rendering, clusters) in entries.items()
        ]
        for index, entries in found.items()
    }


def _applied(manifest: Manifest, policy: OverridePolicy) -> Iterator[tuple[EffectiveRule, Overridden]]:
    result = manifest.overridden
    for rule in applied(result) if result is not None else ():
        if result is not None and rule.policy is policy:
            yield rule, result


def _unused(reading: Reading, policy: OverridePolicy, index: int, targets: Sequence[Cluster]) -> str:
    """Why a rule is applied to nothing."""
    selectors = policy.resource_selectors
    if selectors and next(_selected(reading, policy, selectors), None) is None:
        return "the policy selects no template"
    affinity = policy.rules[index].target_cluster
    if not targets and affinity is not None:
        reasons = Counter(
            reason for cluster in reading.plan.workspace.clusters for reason in rejections(affinity, cluster)
        )
        told = ", ".join(f"{number} × {reason}" for reason, number in reasons.most_common(_REASONS))
        return f"targetCluster admits no cluster: {told}"
    return "nothing that the policy selects goes to the clusters that the rule targets"
