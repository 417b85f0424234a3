"""Everything a Plan says about one template, as a JSON document.

The text for people is made from this document, so that both tell the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderer.document.patch import ABSENT
from renderer.document.source import Document
from renderer.document.values import Object, Value
from renderer.model.claim import Claim
from renderer.model.decision import Attempt, Candidate, Decision, Division, Rejection, Stages
from renderer.model.identity import Identity
from renderer.model.override_result import EffectiveRule, Overridden, Step
from renderer.model.plan import Manifest, Plan, Rendering, Standing
from renderer.model.policy import PropagationPolicy
from renderer.model.webster import rounds
from renderer.view.redaction import REDACTED, is_secret

_ROUNDS = 200  # seats told one by one


def object_facts(plan: Plan, rendering: Rendering, cluster: str = "") -> Object:
    """All about one template; about one cluster alone where a name is given."""
    names = [item.name for item in plan.workspace.clusters if cluster in ("", item.name)]
    facts: dict[str, Value] = {
        "object": identity_facts(rendering.template.identity),
        "source": place_of(rendering.template.document),
        "standing": rendering.standing.value,
        "claim": _claim(rendering.claim),
        "replicas": rendering.binding.replicas if rendering.binding else None,
        "condition": rendering.condition or None,
        "message": rendering.message or None,
        "error": rendering.error or None,
        "scheduling": _scheduling(rendering.decision, cluster) if rendering.decision else None,
        "requiredBy": _required_by(rendering),
        "clusters": list(_with_reasons(rendering, names)),
        "overrides": list(_overrides(rendering, cluster)),
    }
    return {key: value for key, value in facts.items() if value not in (None, [])}


def identity_facts(identity: Identity) -> Object:
    """apiVersion, kind, namespace and name; no namespace for a cluster-scoped object."""
    facts = {"apiVersion": identity.api_version, "kind": identity.kind, "namespace": identity.namespace}
    return {key: value for key, value in {**facts, "name": identity.name}.items() if value}


def place_of(document: Document | None, pointer: str = "") -> str:
    """`file:line:column` of something in a document, empty where it was not read from a file."""
    return str(document.where(pointer)) if document is not None else ""


def _claim(claim: Claim) -> Object:
    chosen = claim.chosen
    facts: dict[str, Value] = {"outcome": claim.outcome.value}
    if chosen is not None:
        facts["policy"] = _policy(chosen)
        facts["because"] = str(claim.strength)
    if claim.missing_overrides:
        facts["missingOverrides"] = list(claim.missing_overrides)
    if claim.losses:
        facts["lost"] = [{**_policy(loss.policy), "because": loss.reason.value} for loss in claim.losses]
    return facts


def _policy(policy: PropagationPolicy) -> Object:
    facts = {"kind": policy.kind, "namespace": policy.namespace, "name": policy.name}
    return {**{key: value for key, value in facts.items() if value}, "source": place_of(policy.document)}


def _scheduling(decision: Decision, cluster: str) -> Object:
    facts: dict[str, Value] = {
        "trigger": decision.trigger.value,
        "scheduled": decision.scheduled,
        "affinityName": decision.affinity_name or None,
        "attempts": [_attempt(attempt, cluster) for attempt in decision.attempts],
    }
    return {key: value for key, value in facts.items() if value is not None}


def _attempt(attempt: Attempt, cluster: str) -> Object:
    stages = attempt.stages()
    facts: dict[str, Value] = {
        "affinityName": attempt.affinity_name or None,
        "failure": attempt.failure.message if attempt.failure else None,
        "candidates": [_candidate(item) for item in stages.ranked if cluster in ("", item.cluster)] or None,
        "regions": _regions(stages) or None,
        "swaps": [{"out": swap.out, "taken": swap.taken} for swap in stages.swaps] or None,
        "spreadConstraintsIgnored": stages.constraints_ignored or None,
        "selected": list(stages.selected) or None,
        "divisions": [_division(division) for division in stages.divisions] or None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _candidate(candidate: Candidate) -> Object:
    return {
        "cluster": candidate.cluster,
        "score": candidate.score,
        "overflowOrder": candidate.overflow_order,
        "free": candidate.allocatable,
        "previous": candidate.previous,
        "bounds": [
            {"resource": bound.resource, "replicas": bound.replicas, "detail": bound.detail}
            for bound in candidate.bounds
        ],
    }


def _regions(stages: Stages) -> list[Value]:
    return [
        {
            "name": region.name,
            "score": region.score,
            "available": region.available,
            "clusters": list(region.clusters),
            "chosen": region.chosen,
        }
        for region in stages.regions
    ]


def _division(division: Division) -> Object:
    """How replicas were shared out; seat by seat where there are not too many."""
    facts: dict[str, Value] = {
        "strategy": division.strategy.value if division.strategy else None,
        "scaling": division.scaling.value or None,
        "overflowOrder": division.overflow_order,
        "replicas": division.replicas,
        "seats": division.seats,
        "weights": dict(division.weights) or None,
        "notNeeded": dict(division.cut) or None,
        "kept": {target.name: target.replicas for target in division.kept} or None,
        "result": {target.name: target.replicas for target in division.clusters},
    }
    if division.weights and division.seats <= _ROUNDS:
        facts["rounds"] = [
            {
                "seat": item.seat,
                "to": item.winner,
                "weight": item.weight,
                "held": item.held,
                "quotient": item.quotient,
                "tied": list(item.tied),
            }
            for item in rounds(division.seats, dict(division.weights), division.uid)
        ]
    return {key: value for key, value in facts.items() if value is not None}


def _required_by(rendering: Rendering) -> list[Value]:
    binding = rendering.binding
    return [
        {
            "namespace": item.namespace,
            "name": item.name,
            "clusters": [target.name for target in item.clusters],
        }
        for item in (binding.required_by if binding else ())
    ]


def _with_reasons(rendering: Rendering, names: Sequence[str]) -> Iterator[Object]:
    """For each cluster what it gets, or every reason why it gets nothing."""
    manifests = {name: manifest for manifest in rendering.manifests for name in manifest.clusters}
    rejected = rendering.decision.rejections() if rendering.decision else {}
    scheduled = {target.name for target in rendering.binding.clusters} if rendering.binding else set()
    for name in names:
        manifest = manifests.get(name)
        if manifest is not None:
            yield _taken(rendering, manifest, name, own=name in scheduled)
        else:
            yield {"cluster": name, "gets": False, "because": _refused(rendering, rejected.get(name, ()))}


def _taken(rendering: Rendering, manifest: Manifest, name: str, *, own: bool) -> Object:
    facts: dict[str, Value] = {"cluster": name, "gets": manifest.body is not None}
    binding = rendering.binding
    if binding is not None and binding.is_workload and own:
        facts["replicas"] = manifest.replicas
    if manifest.completions is not None:
        facts["completions"] = manifest.completions
    if rendering.keeps_files or name in rendering.suspended:
        facts["heldBack"] = "suspended" if name in rendering.suspended else rendering.standing.value
    if manifest.identity != rendering.template.identity:
        facts["as"] = identity_facts(manifest.identity)
    if manifest.problem is not None:
        facts["because"] = [manifest.problem.what]
    elif not own and binding is not None:
        facts["because"] = [f"needed by {item}" for item in _parents(rendering, name)]
    return facts


def _parents(rendering: Rendering, cluster: str) -> Iterator[str]:
    for item in rendering.binding.required_by if rendering.binding else ():
        if any(target.name == cluster for target in item.clusters):
            yield f"{item.namespace}/{item.name}"


def _refused(rendering: Rendering, rejections: Sequence[Rejection]) -> list[Value]:
    if rejections:
        return [f"{item.plugin}: {reason}" for item in rejections for reason in item.reasons]
    if rendering.error:
        return [rendering.error]
    if rendering.decision is None:
        return [_STANDINGS.get(rendering.standing, rendering.claim.outcome.value)]
    if rendering.condition != "Success":
        return [f"{rendering.condition}: {rendering.message}"]
    if not rendering.decision.scheduled:
        return ["no pass was due: the earlier placement stands, and this cluster is not in it"]
    attempt = rendering.decision.attempts[-1]
    return [_unselected(attempt, rendering)]


_STANDINGS = {
    Standing.FOLLOWS: "nothing that needs it goes there",
    Standing.NAMESPACE: "nothing that goes there lives in it",
    Standing.ORPHAN: "nobody claims it any more: it stays where it was, and goes nowhere else",
    Standing.HELD: "it cannot be decided now: it stays where it was, and goes nowhere else",
}


def _unselected(attempt: Attempt, rendering: Rendering) -> str:
    stages = attempt.stages()
    if rendering.binding is not None and not rendering.binding.replicas and rendering.binding.is_workload:
        return "it has 0 replicas"
    weighed = {name for division in stages.divisions for name, _ in division.weights}
    if weighed and len(weighed) < len(stages.selected):
        return "it fits, and no weight gives it replicas"
    if len(stages.selected) < len(stages.ranked):
        return "it fits, and the spread constraints select others"
    return "it fits, and its share of the replicas is 0"


def _overrides(rendering: Rendering, cluster: str) -> Iterator[Object]:
    """Each distinct outcome of the overrides, with the clusters that have it."""
    for manifest in rendering.manifests:
        result = manifest.overridden
        if result is None or not (result.rules or result.failure):
            continue
        if cluster and cluster not in manifest.clusters:
            continue
        yield {
            "clusters": [cluster] if cluster else list(manifest.clusters),
            "rules": [_rule(rule, result, manifest) for rule in _applied(result)],
            **({"failed": result.failure.problem.what} if result.failure else {}),
        }


def _applied(result: Overridden) -> Sequence[EffectiveRule]:
    return (*result.rules, result.failure.rule) if result.failure else result.rules


def _rule(rule: EffectiveRule, result: Overridden, manifest: Manifest) -> Object:
    hide = is_secret(manifest.identity)
    return {
        "rule": str(rule),
        "source": place_of(rule.policy.document, rule.rule.pointer),
        "steps": [_step(step, hide=hide) for step in result.steps if step.rule.key == rule.key],
    }


def _step(step: Step, *, hide: bool) -> Object:
    facts: dict[str, Value] = {
        "overrider": step.overrider,
        "operator": step.operator,
        "component": step.component or None,
        "path": step.path,
        "subPath": step.sub_path,
        "source": place_of(
            step.rule.policy.document, f"{step.rule.rule.pointer}/{step.overrider}/{step.index}"
        ),
        "changed": step.changed,
        "notes": [" ".join((remark.note.value, *remark.details)) for remark in step.remarks] or None,
    }
    facts = {key: value for key, value in facts.items() if value is not None}
    for name, value in (("before", step.before), ("after", step.after)):
        if value is not ABSENT:
            facts[name] = REDACTED if hide else value
    return facts
