"""fieldOverrider: a patch of the JSON or YAML text that a field of the object holds.

Source: Karmada pkg/util/overridemanager/overridemanager.go, applyFieldOverriders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from renderer.document.json_text import JsonTextError, compact, patch_json_text, read_json_text
from renderer.document.number import json_number
from renderer.document.patch import Change, PatchError, apply_patch
from renderer.document.pointer import PointerError, kind_of, look_up, replace_at
from renderer.document.problem import InputError
from renderer.document.read import read_single
from renderer.document.values import Object, Value, mapping
from renderer.model.override_result import Note, Remark, lost_keys
from renderer.model.overrides import FieldOverrider, Overriders, PatchOperation
from renderer.override.advice import READ, advice
from renderer.override.draft import Draft, OverrideError


def apply_field(draft: Draft, overriders: Overriders) -> None:
    """Patch the texts that the entries name, one after the other."""
    for index, overrider in enumerate(overriders.field_overrider):
        text = _text(draft.body, index, overrider.field_path)
        edited = _edit(text, index, overrider)
        draft.body = mapping(replace_at(draft.body, overrider.field_path, edited.text))
        for place, change in enumerate(edited.changes):
            remarks = [Remark(Note.REFORMATTED)] if edited.reformatted and place == 0 else []
            lost = lost_keys(change.before, change.after)
            if lost:
                remarks.append(Remark(Note.KEYS_LOST, lost))
            if change.lost:
                remarks.append(Remark(Note.NO_EFFECT))
            draft.step(
                index,
                edited.operations[place].operator,
                overrider.field_path,
                sub_path=change.path,
                before=change.before,
                after=change.after,
                remarks=tuple(remarks),
            )
        if not edited.operations:
            draft.step(index, "replace", overrider.field_path, before=text, after=edited.text)


@dataclass(frozen=True, slots=True)
class _Edited:
    """A text after its patch. `reformatted`: it would differ even if the patch touched nothing."""

    text: str
    changes: tuple[Change, ...]
    operations: Sequence[PatchOperation]
    reformatted: bool


def _text(body: Object, index: int, path: str) -> str:
    """The text at a field path. Raises OverrideError."""
    try:
        value = look_up(body, path)
    except PointerError as error:
        raise OverrideError(
            index=index,
            path=path,
            deepest=error.deepest,
            missing=error.missing,
            reason=error.reason,
            fix=advice(body, READ, path, error.deepest, error.missing),
        ) from None
    if not isinstance(value, str):
        reason = f"there is {kind_of(value)}, not text, at the field path"
        fix = "use plaintext, which patches the object itself"
        raise OverrideError(index=index, path=path, deepest=path, reason=reason, fix=fix)
    return value


def _edit(text: str, index: int, overrider: FieldOverrider) -> _Edited:
    """The text after the entry's patch; without one (unvalidated policies) the text is emptied."""
    try:
        if overrider.yaml:
            return _edit_yaml(text, overrider.yaml)
        if overrider.json:
            return _edit_json(text, overrider.json)
    except PatchError as error:
        raise OverrideError(
            index=index,
            operator=error.operator,
            path=overrider.field_path,
            sub_path=error.path,
            deepest=error.deepest,
            missing=error.missing,
            reason=f'in the text, {error.reason} at "{error.deepest}"',
            fix=_advice(text, overrider, error),
        ) from None
    except (JsonTextError, InputError) as error:
        reason = str(error) if isinstance(error, JsonTextError) else error.problems[0].what
        form = "YAML" if overrider.yaml else "JSON"
        raise OverrideError(
            index=index,
            path=overrider.field_path,
            deepest=overrider.field_path,
            reason=f"the text cannot be patched as {form}: {reason}",
            fix=f"mend the {form} in the object",
        ) from None
    return _Edited("", (), (), reformatted=False)


def _edit_json(text: str, operations: Sequence[PatchOperation]) -> _Edited:
    patched = patch_json_text(text, operations)
    # An empty text is left alone, whatever the patch says.
    done = operations if text else ()
    return _Edited(patched.text, patched.changes, done, compact(text) != text)


def _edit_yaml(text: str, operations: Sequence[PatchOperation]) -> _Edited:
    document = _document(text)
    patched = apply_patch(document, [replace(item, value=_as_json(item.value)) for item in operations])
    return _Edited(_written(patched.document), patched.changes, operations, _emitted(document) != text)


def _document(text: str) -> Value:
    document = read_single(text)
    if document is None or isinstance(document, dict | list):
        return document
    raise JsonTextError(f"it is {kind_of(document)}, not a map or a list")


def _as_json(value: Value) -> Value:
    """The value as its JSON text has it, where 1e6 is the integer 1000000."""
    match value:
        case float():
            return json_number(value)
        case dict():
            return {key: _as_json(item) for key, item in value.items()}
        case list():
            return [_as_json(item) for item in value]
    return value


def _written(document: Value) -> str:
    """A document as Karmada's YAML library writes it."""
    from renderer.document.emit_go import emit_go  # which few workspaces need, and which takes long

    return emit_go(document)


def _emitted(document: Value) -> str | None:
    """The document as it is written without a patch; None where it cannot be."""
    try:
        return _written(document)
    except InputError:
        return None


def _advice(text: str, overrider: FieldOverrider, error: PatchError) -> str:
    operations = overrider.yaml or overrider.json
    document = read_single(text) if overrider.yaml else read_json_text(text)
    before = apply_patch(document, operations[: error.index]).document
    return advice(before, error.operator, error.path, error.deepest, error.missing)
