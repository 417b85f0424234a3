"""labelsOverrider and annotationsOverrider: entries of metadata maps, by key.

Source: Karmada pkg/util/overridemanager/labelannotationoverrider.go.
"""

from __future__ import annotations

from renderer.document.pointer import join
from renderer.document.values import Object, Value, dig, mapping
from renderer.model.identity import string_map
from renderer.model.override_result import Note, Remark
from renderer.model.overrides import LabelAnnotationOverrider, Overriders, PatchOperation
from renderer.override.draft import Draft, Remarks


def apply_labels(draft: Draft, overriders: Overriders) -> None:
    """Change labels."""
    for index, overrider in enumerate(overriders.labels_overrider):
        _apply(draft, index, overrider, "labels")


def apply_annotations(draft: Draft, overriders: Overriders) -> None:
    """Change annotations."""
    for index, overrider in enumerate(overriders.annotations_overrider):
        _apply(draft, index, overrider, "annotations")


def _apply(draft: Draft, index: int, overrider: LabelAnnotationOverrider, field: str) -> None:
    if overrider.operator == "add":
        _add(draft, index, overrider, field)
    else:
        _edit(draft, index, overrider, field)


def _add(draft: Draft, index: int, overrider: LabelAnnotationOverrider, field: str) -> None:
    """Add keys, to an empty map where there is none that can be read.

    Where metadata itself is no map Karmada skips every key, without an error.
    """
    if not overrider.value:
        return
    remarks: Remarks = ()
    if string_map(dig(draft.body, "metadata", field)) is None:
        metadata = draft.body.get("metadata", {})
        if not isinstance(metadata, dict):
            skipped = Remark(Note.NO_TARGET, ("metadata",))
            draft.step(index, overrider.operator, f"/metadata/{field}", remarks=(skipped,))
            return
        lost = tuple(mapping(metadata.get(field)))
        remarks = (Remark(Note.MAP_RESET, lost),) if lost else ()
        draft.body = _with_empty_map(draft.body, metadata, field)
    operations = [_operation(overrider, field, key, value) for key, value in overrider.value]
    draft.patch(index, operations, [remarks, *((),) * (len(operations) - 1)])


def _with_empty_map(body: Object, metadata: Object, field: str) -> Object:
    empty: Value = {}
    return {**body, "metadata": {**metadata, field: empty}}


def _edit(draft: Draft, index: int, overrider: LabelAnnotationOverrider, field: str) -> None:
    """Replace or remove the keys that are there; the others are skipped."""
    there = string_map(dig(draft.body, "metadata", field)) or {}
    operations = [_operation(overrider, field, key, value) for key, value in overrider.value if key in there]
    if operations:
        draft.patch(index, operations)
    for key, _ in overrider.value:
        if key not in there:
            path = join(("metadata", field, key))
            draft.step(index, overrider.operator, path, remarks=(Remark(Note.KEY_ABSENT, (key,)),))


def _operation(overrider: LabelAnnotationOverrider, field: str, key: str, value: str) -> PatchOperation:
    # Only the slash is escaped, so that an unvalidated key with "~1" in it becomes one with a slash.
    path = f"/metadata/{field}/{key.replace('/', '~1')}"
    return PatchOperation(path=path, operator=overrider.operator, value=value, has_value=True)
