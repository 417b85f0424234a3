"""An object while it is being overridden, and the record of what happens to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderer.document.patch import ABSENT, Change, Maybe, PatchError, apply_patch
from renderer.document.values import Object, Value
from renderer.model.override_result import EffectiveRule, Note, Remark, Step, lost_entries, lost_keys
from renderer.model.overrides import PatchOperation
from renderer.override.advice import advice

Remarks = tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideError(Exception):
    """An entry of an overrider that cannot be applied: where, why, and what would mend it."""

    index: int
    operator: str = ""
    path: str = ""
    sub_path: str | None = None
    deepest: str = ""
    missing: str = ""
    reason: str
    fix: str = ""


class Draft:
    """The object as it stands, and the steps that led there. The bodies themselves are never changed.

    `patched` tells that Karmada has written the object out and read it again, which turns 1.0 into 1.
    """

    __slots__ = ("body", "overrider", "patched", "rule", "steps")

    def __init__(self, body: Object, *, patched: bool = False) -> None:
        """Begin with a body that nobody has touched yet, or that rules have `patched` before."""
        self.body = body
        self.steps: list[Step] = []
        self.patched = patched
        self.rule: EffectiveRule
        self.overrider = ""

    def begin(self, rule: EffectiveRule, overrider: str) -> None:
        """What is done from now on is done by this overrider of this rule."""
        self.rule, self.overrider = rule, overrider

    def patch(
        self,
        index: int,
        operations: Sequence[PatchOperation],
        remarks: Sequence[Remarks] = (),
        component: str = "",
    ) -> None:
        """Apply a JSON patch for the entry `index`, with remarks per operation. Raises OverrideError."""
        self.apply((index,) * len(operations), operations, remarks, component)

    def apply(
        self,
        indexes: Sequence[int],
        operations: Sequence[PatchOperation],
        remarks: Sequence[Remarks] = (),
        component: str = "",
    ) -> None:
        """Apply one JSON patch made of several entries. Raises OverrideError."""
        try:
            patched = apply_patch(self.body, operations)
        except PatchError as error:
            raise _refusal(self.body, operations, indexes, error) from None
        self._keep(patched.document, operations, indexes, patched.changes)
        for place, (operation, change) in enumerate(zip(operations, patched.changes, strict=True)):
            noted = remarks[place] if remarks else ()
            self.step(
                indexes[place],
                operation.operator,
                change.path,
                before=change.before,
                after=change.after,
                remarks=(*noted, *_remarks(operation, change)),
                component=component,
            )

    def step(
        self,
        index: int,
        operator: str,
        path: str,
        *,
        sub_path: str | None = None,
        component: str = "",
        before: Maybe = ABSENT,
        after: Maybe = ABSENT,
        remarks: Remarks = (),
    ) -> None:
        """Record one touched field, or one that would have been."""
        self.steps.append(
            Step(
                rule=self.rule,
                overrider=self.overrider,
                index=index,
                operator=operator,
                path=path,
                sub_path=sub_path,
                component=component,
                before=before,
                after=after,
                remarks=remarks,
            )
        )

    def _keep(
        self,
        document: Value,
        operations: Sequence[PatchOperation],
        indexes: Sequence[int],
        changes: Sequence[Change],
    ) -> None:
        """Take the patched document, if it still is an object. Source: apimachinery unstructured, Decode."""
        fault = _no_object(document)
        if fault or not isinstance(document, dict):
            place = next(
                (i for i, change in enumerate(changes) if change.path in _IDENTITY), len(changes) - 1
            )
            blamed = operations[place] if operations else PatchOperation(path="", operator="")
            raise OverrideError(
                index=indexes[place] if indexes else 0,
                operator=blamed.operator,
                path=blamed.path,
                reason=f"{fault} after it",
                fix="leave apiVersion and kind as they are",
            )
        self.body = document
        self.patched = True


_IDENTITY = ("", "/kind", "/apiVersion")


def _no_object(document: Value) -> str:
    if not isinstance(document, dict):
        return "there is no object"
    kind, api_version = document.get("kind"), document.get("apiVersion")
    if not isinstance(kind, str) or not kind:
        return "the object has no kind"
    if isinstance(api_version, str) and api_version.count("/") > 1:
        return f'the object\'s apiVersion is "{api_version}"'
    return ""


def _refusal(
    body: Object, operations: Sequence[PatchOperation], indexes: Sequence[int], error: PatchError
) -> OverrideError:
    """The error of a patch, with advice about the object as it was when the operation came."""
    before = apply_patch(body, operations[: error.index]).document
    return OverrideError(
        index=indexes[error.index],
        operator=error.operator,
        path=error.path,
        deepest=error.deepest,
        missing=error.missing,
        reason=error.reason,
        fix=advice(before, error.operator, error.path, error.deepest, error.missing),
    )


def _remarks(operation: PatchOperation, change: Change) -> Remarks:
    remarks: list[Remark] = []
    if change.lost:
        remarks.append(Remark(Note.NO_EFFECT))
    if operation.path and not operation.path.startswith("/"):
        remarks.append(Remark(Note.PATH_CUT, (operation.path.partition("/")[0],)))
    lost = lost_keys(change.before, change.after)
    if lost and not change.lost:
        remarks.append(Remark(Note.KEYS_LOST, lost))
    entries = lost_entries(change.before, change.after)
    if entries and not change.lost:
        remarks.append(Remark(Note.ENTRIES_LOST, entries))
    return tuple(remarks)
