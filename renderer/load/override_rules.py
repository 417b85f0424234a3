"""What Karmada's validating webhooks have against an OverridePolicy or ClusterOverridePolicy.

Source: Karmada pkg/util/validation/validation.go, ValidateOverrideSpec.
"""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.expression.overriders import holds_expression
from renderer.load.field import ROOT, FieldError, Path, invalid, required
from renderer.load.objectmeta import check_annotations, check_labels
from renderer.load.placement_rules import check_affinity
from renderer.load.propagation_rules import check_selector_namespaces

SPEC = ROOT.child("spec")
_NOT_A_POINTER = 'JSON pointer must be empty or start with a "/"\nJSON pointer error'
# A fieldOverrider in the legacy place is not counted as something.
_COUNTED = (
    "plaintext",
    "imageOverrider",
    "commandOverrider",
    "argsOverrider",
    "labelsOverrider",
    "annotationsOverrider",
)


def check_override(spec: Object, namespace: str, *, templated: bool = False) -> Iterator[FieldError]:
    """Everything wrong with a spec, in Karmada's order.

    `namespace` is the policy's, empty for a ClusterOverridePolicy. The legacy targetCluster/overriders
    pair gets none of the checks of a rule. In a templated policy (ours, not Karmada's) the value of a label
    may be an expression: it is checked when a cluster gives it a value.
    """
    target, overriders = spec.get("targetCluster"), mapping(spec.get("overriders"))
    yield from check_affinity(mapping(target), SPEC.child("targetCluster"))
    if spec.get("overrideRules") is not None:
        if target is not None:
            detail = "overrideRules and targetCluster can't co-exist"
            yield invalid(SPEC.child("targetCluster"), target, detail)
        if any(overriders.get(name) for name in _COUNTED):
            yield invalid(SPEC.child("overriders"), overriders, "overrideRules and overriders can't co-exist")
    for index, rule in enumerate(sequence(spec.get("overrideRules"))):
        path = SPEC.child("overrideRules").index(index)
        yield from _overriders(mapping(dig(rule, "overriders")), path.child("overriders"), templated)
        yield from check_affinity(mapping(dig(rule, "targetCluster")), path.child("targetCluster"))
    yield from check_selector_namespaces(spec, namespace)


def _overriders(overriders: Object, path: Path, templated: bool) -> Iterator[FieldError]:
    for item, where in _items(overriders, path, "annotationsOverrider"):
        yield from check_annotations(mapping(item.get("value")), where.child("value"))
    for item, where in _items(overriders, path, "labelsOverrider"):
        labels = mapping(item.get("value"))
        checked = {
            key: "" if templated and holds_expression(text(value)) else value for key, value in labels.items()
        }
        yield from check_labels(checked, where.child("value"))
    for item, where in _items(overriders, path, "imageOverrider"):
        if item.get("predicate") is not None:
            yield from _pointer(dig(item, "predicate", "path"), where.child("predicate", "path"))
    for item, where in _items(overriders, path, "fieldOverrider"):
        yield from _field_overrider(item, where)


def _items(value: Object, path: Path, name: str) -> Iterator[tuple[Object, Path]]:
    for index, item in enumerate(sequence(value.get(name))):
        yield mapping(item), path.child(name).index(index)


def _field_overrider(item: Object, path: Path) -> Iterator[FieldError]:
    if item.get("json") and item.get("yaml"):
        yield invalid(path, item, "FieldOverrider has both YAML and JSON set. Only one is allowed")
    if not item.get("json") and not item.get("yaml"):
        yield required(path, "FieldOverrider must have either JSON or YAML set")
    yield from _pointer(item.get("fieldPath"), path.child("fieldPath"))
    for name in ("json", "yaml"):
        for operation, where in _items(item, path, name):
            yield from _pointer(operation.get("subPath"), where.child("subPath"))
            yield from _operation_value(operation, where.child("value"))


def _pointer(value: Value, path: Path) -> Iterator[FieldError]:
    pointer = text(value)
    if pointer and not pointer.startswith("/"):
        yield invalid(path, pointer, _NOT_A_POINTER)


def _operation_value(operation: Object, path: Path) -> Iterator[FieldError]:
    value = operation.get("value")
    match operation.get("operator"):
        case "add" | "replace" if value is None:
            yield invalid(path, value, "value is required for add or replace operation")
        case "remove" if value is not None:
            yield invalid(path, value, "value is not allowed for remove operation")
