"""JSON to the overriders of one rule.

Source: Karmada pkg/apis/policy/v1alpha1/override_types.go.
"""

from __future__ import annotations

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.selectors import text_pairs, texts
from renderer.load.typed import normal_object
from renderer.load.typed_policies import OVERRIDERS
from renderer.model.overrides import (
    CommandArgsOverrider,
    FieldOverrider,
    ImageOverrider,
    LabelAnnotationOverrider,
    Overriders,
    PatchOperation,
)


def overriders_of(value: Object) -> Overriders:
    """The overriders; `raw` is their JSON as Karmada records it.

    A null value is the same to Karmada as none. Raises DecodeError where Karmada could not read them.
    """
    raw = normal_object(value, OVERRIDERS)
    return Overriders(
        image_overrider=tuple(_image(mapping(item)) for item in sequence(raw.get("imageOverrider"))),
        command_overrider=_command_args(raw.get("commandOverrider")),
        args_overrider=_command_args(raw.get("argsOverrider")),
        labels_overrider=_labels_annotations(raw.get("labelsOverrider")),
        annotations_overrider=_labels_annotations(raw.get("annotationsOverrider")),
        field_overrider=tuple(_field(mapping(item)) for item in sequence(raw.get("fieldOverrider"))),
        plaintext=_operations(raw.get("plaintext"), "path"),
        raw=_recorded(raw),
    )


def _recorded(raw: Object) -> Object:
    """The overriders with the keys inside their values sorted, as they come back from a server."""
    result = dict(raw)
    if "plaintext" in raw:
        result["plaintext"] = _with_sorted_values(raw["plaintext"])
    if "fieldOverrider" in raw:
        result["fieldOverrider"] = [
            {
                key: _with_sorted_values(part) if key in ("json", "yaml") else part
                for key, part in mapping(item).items()
            }
            for item in sequence(raw["fieldOverrider"])
        ]
    return result


def _with_sorted_values(operations: Value) -> list[Value]:
    return [
        {key: _sorted(part) if key == "value" else part for key, part in mapping(item).items()}
        for item in sequence(operations)
    ]


def _sorted(value: Value) -> Value:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _image(value: Object) -> ImageOverrider:
    return ImageOverrider(
        component=text(value.get("component")),
        operator=text(value.get("operator")),
        value=text(value.get("value")),
        predicate_path=text(dig(value, "predicate", "path")) if value.get("predicate") is not None else None,
    )


def _command_args(value: Value) -> tuple[CommandArgsOverrider, ...]:
    return tuple(
        CommandArgsOverrider(
            container_name=text(item.get("containerName")),
            operator=text(item.get("operator")),
            value=texts(item.get("value")),
        )
        for item in map(mapping, sequence(value))
    )


def _labels_annotations(value: Value) -> tuple[LabelAnnotationOverrider, ...]:
    return tuple(
        LabelAnnotationOverrider(operator=text(item.get("operator")), value=text_pairs(item.get("value")))
        for item in map(mapping, sequence(value))
    )


def _field(value: Object) -> FieldOverrider:
    return FieldOverrider(
        field_path=text(value.get("fieldPath")),
        json=_operations(value.get("json"), "subPath"),
        yaml=_operations(value.get("yaml"), "subPath"),
    )


def _operations(value: Value, path: str) -> tuple[PatchOperation, ...]:
    return tuple(
        PatchOperation(
            path=text(item.get(path)),
            operator=text(item.get("operator")),
            value=item.get("value"),
            has_value=item.get("value") is not None,
        )
        for item in map(mapping, sequence(value))
    )
