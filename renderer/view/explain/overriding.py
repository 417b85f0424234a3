"""What the overrides did to one template, step by step, as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from renderer.document.patch import ABSENT
from renderer.document.values import Object, Value
from renderer.model.identity import labels_of
from renderer.model.override_result import EffectiveRule, Overridden, Step
from renderer.model.overrides import Overriders
from renderer.model.plan import Manifest, Rendering
from renderer.override.effects import undone
from renderer.view.explain.reading import Reading, is_among
from renderer.view.redaction import is_secret, redacted

Key: TypeAlias = tuple[str, str, str, int]  # of a rule: kind, namespace, name, index


def override_facts(reading: Reading, rendering: Rendering, cluster: str = "") -> Iterator[Object]:
    """Each distinct outcome of the overrides, with the clusters that have it."""
    order = {rule.key: place for place, rule in enumerate(_selected(reading, rendering), 1)}
    for manifest in rendering.manifests:
        result = manifest.overridden
        if result is None or not (result.rules or result.failure):
            continue
        if cluster and not is_among(cluster, manifest.clusters):
            continue
        yield {
            "clusters": [cluster] if cluster else list(manifest.clusters),
            "rules": list(_rules(reading, result, order, hide=is_hidden(rendering, manifest))),
            **({"failed": result.failure.problem.what} if result.failure else {}),
        }


def _rules(reading: Reading, result: Overridden, order: Mapping[Key, int], *, hide: bool) -> Iterator[Object]:
    """The rules that were applied, each with its steps."""
    undoing = {id(item.step): str(item.by.rule) for item in undone(result.steps)}
    for rule in applied(result):
        steps = [step for step in result.steps if step.rule.key == rule.key]
        told = [step_facts(reading, step, hide=hide, undone_by=undoing.get(id(step))) for step in steps]
        failed = result.failure is not None and result.failure.rule.key == rule.key
        yield {
            **rule_facts(reading, rule),
            "order": order.get(rule.key, len(order) + 1),
            "steps": told,
            **({"failed": True} if failed else {}),
        }


def passed_over(reading: Reading, rendering: Rendering) -> Iterator[Object]:
    """The rules of policies that select the template and that none of its clusters is a target of."""
    results = [item.overridden for item in rendering.manifests if item.overridden is not None]
    known = {rule.key for result in results for rule in applied(result)}
    for rule in _selected(reading, rendering) if results else ():
        if rule.key not in known:
            yield rule_facts(reading, rule)


def _selected(reading: Reading, rendering: Rendering) -> Iterator[EffectiveRule]:
    """The rules of all policies that select the template, in the order in which they would apply."""
    index = reading.rule_index
    rules = index.rules
    identity, labels = rendering.template.identity, labels_of(rendering.template.body)
    for selection in (index.cluster_rules(identity, labels), index.namespaced_rules(identity, labels)):
        for position in selection.positions:
            yield rules[position]


def applied(result: Overridden) -> Sequence[EffectiveRule]:
    """The rules that were applied, with the one that failed."""
    return (*result.rules, result.failure.rule) if result.failure else result.rules


def rule_facts(reading: Reading, rule: EffectiveRule) -> Object:
    """A rule and where it stands."""
    return {"rule": str(rule), "source": reading.place(rule.policy.document, rule.rule.pointer)}


def step_facts(reading: Reading, step: Step, *, hide: bool, undone_by: str | None = None) -> Object:
    """One step; `hide` keeps what a Secret holds out of it."""
    facts: dict[str, Value] = {
        "overrider": step.overrider,
        "operator": operator(step),
        "component": step.component or None,
        "path": step.path,
        "subPath": step.sub_path,
        "source": step_place(reading, step),
        "changed": step.changed,
        "undoneBy": undone_by,
        "notes": [{"note": remark.note.value, "details": list(remark.details)} for remark in step.remarks]
        or None,
    }
    facts = {key: value for key, value in facts.items() if value is not None}
    for name, value in (("before", step.before), ("after", step.after)):
        shown = redacted(value, step.path, secret=hide)
        if shown is not ABSENT:
            facts[name] = shown
    return facts


def step_place(reading: Reading, step: Step) -> str:
    """Where the entry of the overrider stands that made a step."""
    return reading.place(step.rule.policy.document, f"{step.rule.rule.pointer}/{step.overrider}/{step.index}")


def is_hidden(rendering: Rendering, manifest: Manifest) -> bool:
    """Whether the object is a Secret, before or after the overrides."""
    return is_secret(rendering.template.identity) or is_secret(manifest.identity)


def operator(step: Step) -> str:
    """The operator as the policy states it: a word that is added to a list is a replacement of the list."""
    entries = _entries(step.rule.overriders).get(step.overrider, ())
    return entries[step.index] if step.index < len(entries) else step.operator


def _entries(overriders: Overriders) -> dict[str, Sequence[str]]:
    """The operators of the overriders whose entries have one of their own."""
    return {
        "imageOverrider": [entry.operator for entry in overriders.image_overrider],
        "commandOverrider": [entry.operator for entry in overriders.command_overrider],
        "argsOverrider": [entry.operator for entry in overriders.args_overrider],
    }
