"""The text of files, before and after, as a unified diff without anything secret in it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from renderer.document.emit import emit
from renderer.document.patch import ABSENT, Maybe
from renderer.document.values import Object, Value, dig
from renderer.model.identity import identity_of
from renderer.model.sops import is_sops
from renderer.model.tree import Blob
from renderer.view.diff.contents import ObjectChange, body_of
from renderer.view.diff.side import Side
from renderer.view.redaction import REDACTED, is_secret, redacted

_SHOWN = 100  # files
_LINES = 400  # of one file
_BEFORE, _AFTER = "(redacted, before)", "(redacted, after)"


def texts(changes: Sequence[ObjectChange], new: Side) -> tuple[list[Value], int]:
    """The diffs of objects, those alike once with all their clusters; and how many are not shown.

    Objects are alike where the same fields go through the same changes: the first stands for all.
    """
    alike: dict[tuple[object, ...], list[ObjectChange]] = {}
    for item in changes:
        alike.setdefault((item.difference.path, _kind_of(item)), []).append(item)
    groups = list(alike.values())
    shown: list[Value] = [_text(group, new) for group in groups[:_SHOWN]]
    return shown, len(groups) - len(shown)


def without_secrets(data: bytes) -> bytes | None:
    """What may be kept of a file's content; None where that is all of it."""
    if b"Secret" not in data:  # reading all YAML would take long
        return None
    body = body_of(Blob(data))
    if not body:
        return b"(not one object, so it is not shown)\n"
    if not _is_secret(body):
        return None
    shown = redacted(body, secret=True)
    return emit(shown).encode() if isinstance(shown, dict) else b""


def _kind_of(item: ObjectChange) -> tuple[object, ...]:
    """What makes two changes of one file alike."""
    if item.fields is None:
        return ("not looked into",)
    if item.difference.before is None:
        return ("added",)
    if item.difference.after is None:
        return ("deleted",)
    return tuple((change.path, repr(change.before), repr(change.after)) for change in item.fields)


def _text(group: Sequence[ObjectChange], new: Side) -> Object:
    """One group as facts."""
    first = group[0].difference
    clusters: list[Value] = [*sorted(new.name(name) for item in group for name in item.difference.clusters)]
    return {
        "path": first.path,
        "clusters": clusters,
        "example": new.name(first.clusters[0]),
        "diff": "\n".join(unified(first.path, first.before, first.after)),
    }


def unified(path: str, before: Blob | None, after: Blob | None) -> Iterator[str]:
    """The lines of a unified diff."""
    one, other = _safe(before, after)
    lines = difflib.unified_diff(
        one,
        other,
        fromfile=f"a/{path}" if before else "/dev/null",
        tofile=f"b/{path}" if after else "/dev/null",
        lineterm="",
    )
    for number, line in enumerate(lines):
        if number == _LINES:
            yield f"… more than {_LINES} lines"
            return
        yield line


def _safe(before: Blob | None, after: Blob | None) -> tuple[list[str], list[str]]:
    """The lines of both, with nothing of a Secret in them; of a value that changes that much is told."""
    one, other = body_of(before), body_of(after)
    if not (_hides(one) or _hides(other)):
        return _lines(before, one), _lines(after, other)
    return (
        _redacted(one, other, _BEFORE) if one else _lines(before, one),
        _redacted(other, one, _AFTER) if other else _lines(after, other),
    )


def _redacted(own: Object, other: Object, mark: str) -> list[str]:
    """The lines of an object without its values; those that the other side has otherwise get a mark."""
    shown = _marked(redacted(own, secret=_is_secret(own)), own, other, mark)
    return emit(shown).splitlines() if isinstance(shown, dict) and shown else []


def _hides(body: Object) -> bool:
    return _is_secret(body) or is_sops(body)


def _is_secret(body: Object) -> bool:
    return is_secret(identity_of(body))


def _marked(shown: Maybe, own: Value, other: Value, mark: str) -> Value:
    """Redacted values that differ from the other side's with a mark, and no more."""
    if isinstance(shown, dict):
        return {key: _marked(item, dig(own, key), dig(other, key), mark) for key, item in shown.items()}
    if isinstance(shown, list) and isinstance(own, list):
        others = other if isinstance(other, list) else []
        return [
            _marked(item, own[place], others[place] if place < len(others) else None, mark)
            for place, item in enumerate(shown)
        ]
    if shown is ABSENT:
        return None
    return mark if shown == REDACTED and own != other else shown


def _lines(blob: Blob | None, body: Object) -> list[str]:
    if blob is None:
        return []
    if not body:  # it may be a Secret that somebody broke
        return ["(not one object, so it is not shown)"]
    return blob.data.decode("utf-8", "replace").splitlines()
