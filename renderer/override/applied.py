"""The record of applied overrides that Karmada keeps in annotations of a Work.

Source: Karmada pkg/util/overridemanager/shadow.go, pkg/controllers/binding/common.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from renderer.document.go_json import go_json, go_json_string
from renderer.document.values import Value
from renderer.model.override_result import EffectiveRule
from renderer.model.overrides import (
    CommandArgsOverrider,
    FieldOverrider,
    ImageOverrider,
    LabelAnnotationOverrider,
    Overriders,
    PatchOperation,
)

APPLIED_OVERRIDES: Final = "policy.karmada.io/applied-overrides"
APPLIED_CLUSTER_OVERRIDES: Final = "policy.karmada.io/applied-cluster-overrides"

_Fields = tuple[tuple[str, Value], ...]  # of a Go struct, in its order


def applied_annotations(rules: Iterable[EffectiveRule]) -> Mapping[str, str]:
    """Annotation -> JSON text, for the rules that were applied; an annotation without rules is left out.

    A rule counts also if it changed nothing.
    """
    rules = tuple(rules)
    texts = {
        APPLIED_CLUSTER_OVERRIDES: _items(rule for rule in rules if not rule.namespace),
        APPLIED_OVERRIDES: _items(rule for rule in rules if rule.namespace),
    }
    return {annotation: text for annotation, text in texts.items() if text}


def _items(rules: Iterable[EffectiveRule]) -> str:
    """One item a rule, by policy name; rules of one policy stay in order."""
    ordered = sorted(rules, key=lambda rule: rule.name)
    items = (
        f'{{"policyName":{go_json_string(rule.name)},"overriders":{_overriders(rule.overriders)}}}'
        for rule in ordered
    )
    return f"[{','.join(items)}]" if ordered else ""


def _overriders(overriders: Overriders) -> str:
    lists = (
        ("plaintext", [_operation("path", entry) for entry in overriders.plaintext]),
        ("imageOverrider", [_image(entry) for entry in overriders.image_overrider]),
        ("commandOverrider", [_words(entry) for entry in overriders.command_overrider]),
        ("argsOverrider", [_words(entry) for entry in overriders.args_overrider]),
        ("labelsOverrider", [_entries(entry) for entry in overriders.labels_overrider]),
        ("annotationsOverrider", [_entries(entry) for entry in overriders.annotations_overrider]),
        ("fieldOverrider", [_field(entry) for entry in overriders.field_overrider]),
    )
    return "{" + ",".join(f'"{name}":[{",".join(items)}]' for name, items in lists if items) + "}"


def _struct(*fields: tuple[str, Value]) -> str:
    return "{" + ",".join(f'"{name}":{go_json(value)}' for name, value in fields) + "}"


def _operation(path: str, entry: PatchOperation) -> str:
    return _struct((path, entry.path), ("operator", entry.operator), ("value", entry.value))


def _image(entry: ImageOverrider) -> str:
    predicate: _Fields = ()
    if entry.predicate_path is not None:
        predicate = (("predicate", {"path": entry.predicate_path}),)
    value: _Fields = (("value", entry.value),) if entry.value else ()
    return _struct(*predicate, ("component", entry.component), ("operator", entry.operator), *value)


def _words(entry: CommandArgsOverrider) -> str:
    value: _Fields = (("value", list(entry.value)),) if entry.value else ()
    return _struct(("containerName", entry.container_name), ("operator", entry.operator), *value)


def _entries(entry: LabelAnnotationOverrider) -> str:
    return _struct(("operator", entry.operator), ("value", dict(entry.value)))


def _field(entry: FieldOverrider) -> str:
    parts = [f'"fieldPath":{go_json_string(entry.field_path)}']
    for name, operations in (("json", entry.json), ("yaml", entry.yaml)):
        if operations:
            parts.append(f'"{name}":[{",".join(_operation("subPath", item) for item in operations)}]')
    return "{" + ",".join(parts) + "}"
