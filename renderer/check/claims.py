"""Findings about claims: selectors that select nothing, policies that own nothing, templates nobody owns."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem, Severity
from renderer.match.labels import matches
from renderer.match.near_miss import Difference, Disagreement, NearMiss, NearMisses
from renderer.match.resources import selector_strength
from renderer.match.skip import reserved, skipping_pattern
from renderer.model.claim import Outcome
from renderer.model.config import Namespaces, WorkspaceConfig
from renderer.model.overrides import OverridePolicy
from renderer.model.plan import Plan, Rendering, Standing
from renderer.model.policy import PropagationPolicy
from renderer.model.selectors import ResourceSelector
from renderer.model.template import Template
from renderer.override.step import SKIP_LABEL

SELECTS_NOTHING: Final = Rule(id="KR101", title="A selector selects nothing")
SHADOWED: Final = Rule(id="KR102", title="A policy owns nothing of what it selects")
UNCLAIMED: Final = Rule(id="KR103", title="A template is claimed by nobody")
ORPHANED: Final = Rule(id="KR104", title="A template is published and claimed by nobody any more")
SKIPPED: Final = Rule(id="KR105", title="A template is never propagated", severity=Severity.NOTE)
LABELS_IGNORED: Final = Rule(id="KR106", title="A selector with a name does not look at labels")

RULES: Final = (SELECTS_NOTHING, SHADOWED, UNCLAIMED, ORPHANED, SKIPPED, LABELS_IGNORED)

Policy = PropagationPolicy | OverridePolicy


def claim_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    workspace = plan.workspace
    index = _index(workspace.templates)
    misses = NearMisses(workspace.templates, workspace.scopes)
    policies: tuple[Policy, ...] = (*workspace.propagation_policies, *workspace.override_policies)
    for policy in policies:
        for place, selector in enumerate(policy.resource_selectors):
            if next(_selected(selector, policy, index), None) is None:
                yield _selects_nothing(policy, selector, place, misses)
            yield from _labels_ignored(policy, selector, place, index)
    yield from _shadowed(plan)
    lived_in = {template.identity.namespace for template in workspace.templates}
    for rendering in plan.renderings:
        # A Namespace travels with what lives in it; where that goes nowhere, that is what to tell.
        if not _follows(rendering, lived_in, workspace.config):
            yield from _of_template(rendering, workspace.config)


Index = Mapping[tuple[str, str], Sequence[Template]]


def _index(templates: Sequence[Template]) -> Index:
    by_kind: dict[tuple[str, str], list[Template]] = {}
    for template in templates:
        kind = (template.identity.api_version, template.identity.kind)
        by_kind.setdefault(kind, []).append(template)
    return by_kind


def _selected(selector: ResourceSelector, policy: Policy, index: Index) -> Iterator[Template]:
    for template in index.get((selector.api_version, selector.kind), ()):
        if policy.namespace in ("", template.identity.namespace) and selector_strength(
            selector, template.identity, dict(template.labels)
        ):
            yield template


def _labels_ignored(
    policy: Policy, selector: ResourceSelector, place: int, index: Index
) -> Iterator[Problem]:
    """A name and labels that disagree about what is selected."""
    wanted = selector.label_selector
    if not selector.name or wanted is None:
        return
    selected = _selected(selector, policy, index)
    unfit = [template.identity for template in selected if not matches(wanted, dict(template.labels))]
    if unfit:
        yield LABELS_IGNORED.at(
            policy.document,
            f"/spec/resourceSelectors/{place}/labelSelector",
            what=f"{policy}: selector {place + 1} selects {some(unfit)}, whose labels do not fit",
            why="where a selector has a name, Karmada does not look at its labelSelector",
            fix="take the name or the labelSelector out",
        )


def _selects_nothing(policy: Policy, selector: ResourceSelector, place: int, misses: NearMisses) -> Problem:
    nearest = next(iter(misses.of(selector, policy.namespace)), None)
    scoped = nearest is not None and any(
        item.aspect is Difference.CLUSTER_SCOPED for item in nearest.disagreements
    )
    pointer, differences = f"/spec/resourceSelectors/{place}", nearest.disagreements if nearest else ()
    if differences:
        pointer += _FIELDS.get(differences[0].aspect, "")
    near = ""
    if nearest is not None and nearest.template is not None:
        near = f"; the nearest is {nearest.template}"
    effect = "places nothing" if isinstance(policy, PropagationPolicy) else "overrides nothing"
    words = (selector.api_version, selector.kind, selector.namespace, selector.name)
    causes = ["selectors know no wildcards"] if any("*" in word for word in words) else []
    return SELECTS_NOTHING.at(
        policy.document,
        pointer,
        what=f"{policy}: selector {place + 1} ({_told(selector)}) selects no template{near}",
        why="; ".join([*causes, *(_difference(item, selector) for item in differences), f"so it {effect}"]),
        fix=_advice(policy, nearest)
        or (
            "write one selector for each kind, and leave namespace or name out for all"
            if causes
            else "correct the selector, or take it out"
        ),
        # Whatever the templates, this policy can never select that kind.
        severity=Severity.ERROR if scoped and isinstance(policy, PropagationPolicy) else None,
    )


_FIELDS: Final = {
    Difference.API_VERSION: "/apiVersion",
    Difference.GROUP: "/apiVersion",
    Difference.KIND_CASE: "/kind",
    Difference.NAME: "/name",
    Difference.NAME_CASE: "/name",
    Difference.OTHER_NAME: "/name",
    Difference.LABELS: "/labelSelector",
    Difference.INVALID_LABELS: "/labelSelector",
    Difference.CLUSTER_SCOPED: "/kind",
}


def _told(selector: ResourceSelector) -> str:
    name = f" {selector.name}" if selector.name else ""
    return f"{selector.api_version} {selector.kind}{name}"


def _difference(item: Disagreement, selector: ResourceSelector) -> str:
    match item.aspect:
        case Difference.API_VERSION:
            return f"the template is {item.actual}, and a selector matches one version only"
        case Difference.GROUP:
            return f"the template is of {item.actual}, not of {item.wanted}"
        case Difference.CLUSTER_SCOPED:
            return (
                f"{selector.kind} is cluster-scoped, and this policy selects in namespace {item.wanted} only"
            )
        case Difference.NAMESPACE:
            return f"it is in namespace {item.actual or '(none)'}, and the policy selects in {item.wanted}"
        case Difference.LABELS:
            return f"its labels do not fit: {item.actual}"
        case Difference.INVALID_LABELS:
            return f"the label selector is invalid and matches nothing: {item.actual}"
        case _:
            return f'it is called "{item.actual}", not "{item.wanted}"'


def _advice(policy: Policy, nearest: NearMiss | None) -> str:
    if nearest is None:
        return ""
    item = nearest.disagreements[0]
    match item.aspect:
        case Difference.CLUSTER_SCOPED:
            return f"make it a Cluster{policy.kind}"
        case Difference.NAMESPACE if not policy.namespace:
            written = f"write namespace: {item.actual}, or " if item.actual else ""
            return f"{written}leave namespace out"
        case Difference.NAMESPACE:
            return f"move the policy to namespace {item.actual}, or make it a Cluster{policy.kind}"
        case Difference.LABELS | Difference.INVALID_LABELS:
            return "correct the labels of the template or of the selector"
        case _:
            return f'write "{item.actual}"'


def _shadowed(plan: Plan) -> Iterator[Problem]:
    winners = {id(rendering.claim.chosen) for rendering in plan.renderings}
    losers: dict[int, list[Rendering]] = {}
    for rendering in plan.renderings:
        for loss in rendering.claim.losses:
            losers.setdefault(id(loss.policy), []).append(rendering)
    for policy in plan.workspace.propagation_policies:
        lost = losers.get(id(policy), [])
        if id(policy) in winners or not lost:
            continue
        reasons = dict.fromkeys(
            f"{rendering.claim.chosen} because {loss.reason}"
            for rendering in lost
            for loss in rendering.claim.losses
            if loss.policy is policy
        )
        yield SHADOWED.at(
            policy.document,
            "/spec/resourceSelectors",
            what=f"{policy} owns nothing of what it selects: "
            + some([rendering.template.identity for rendering in lost]),
            why=f"it loses to {some(list(reasons))}",
            fix="give it a higher spec.priority or a more specific selector, or take it out",
        )


def _of_template(rendering: Rendering, config: WorkspaceConfig) -> Iterator[Problem]:
    template, claim = rendering.template, rendering.claim
    namespace = template.identity.namespace
    if rendering.standing is Standing.ORPHAN:
        yield ORPHANED.at(
            template.document,
            what=f"{template.identity} is published on {some(_clusters(rendering))}, and no policy claims it",
            why="deleting a policy deletes no workload: its files stay as last published",
            fix="claim it again; or delete the template, or set orphans: prune in krender.yaml, to remove it",
        )
    elif claim.outcome in (Outcome.UNMATCHED, Outcome.STALE) and rendering.standing is Standing.NOWHERE:
        kinds = "PropagationPolicy or ClusterPropagationPolicy" if namespace else "ClusterPropagationPolicy"
        claimed = "remove what Karmada wrote, or write takeOver: true in spec of krender.yaml"
        yield UNCLAIMED.at(
            template.document,
            what=f"{template.identity} is claimed by no policy",
            why=f"it reaches no cluster: {claim.outcome}",
            fix=claimed if claim.outcome is Outcome.STALE else f"select it in a {kinds}",
        )
    elif claim.outcome is Outcome.OBJECT_SKIPPED:
        yield _object_skipped(template, config)
    elif claim.outcome in (Outcome.API_SKIPPED, Outcome.OWNED_ELSEWHERE):
        yield SKIPPED.at(template.document, what=f"{template.identity} reaches no cluster: {claim.outcome}")


def _follows(rendering: Rendering, lived_in: Container[str], config: WorkspaceConfig) -> bool:
    identity = rendering.template.identity
    return (
        config.namespaces is not Namespaces.NEVER
        and (identity.group, identity.kind) == ("", "Namespace")
        and identity.name in lived_in
        and rendering.claim.outcome is Outcome.UNMATCHED
        and dict(rendering.template.labels).get(SKIP_LABEL) != "true"
    )


def _object_skipped(template: Template, config: WorkspaceConfig) -> Problem:
    namespace = template.identity.namespace
    pattern = skipping_pattern(namespace, config.skipped_propagating_namespaces)
    if pattern:
        fix = "move it to another namespace, or set spec.skippedPropagatingNamespaces in krender.yaml"
    elif reserved(namespace):
        fix = "move it to another namespace"
    else:
        fix = "take it out: every cluster makes its own"
    return SKIPPED.at(
        template.document,
        what=f"{template.identity} reaches no cluster: "
        + (
            f"nothing of namespace {namespace} is propagated"
            if pattern or reserved(namespace)
            else "it never is"
        ),
        why=f'skippedPropagatingNamespaces has "{pattern}"' if pattern else "Karmada leaves it out always",
        fix=fix,
    )


def _clusters(rendering: Rendering) -> list[str]:
    return [target.name for target in rendering.binding.clusters] if rendering.binding else []
