"""The marks that keep an object in its cluster when its file goes."""

from __future__ import annotations

from typing import Final

from renderer.document.edit import placed
from renderer.document.emit import emit
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping, text
from renderer.model.engine_keys import COMPARE_OPTIONS, NO_PRUNE, NOT_MISSED, PRUNE, SYNC_OPTIONS, insisted
from renderer.model.tree import Blob

_OPTIONS: Final = ((SYNC_OPTIONS, NO_PRUNE), (COMPARE_OPTIONS, NOT_MISSED))
_SEALED: Final = "sops"  # encrypted with SOPS, whose checksum covers all that is in the file


def marked(published: Blob) -> Blob | None:
    """The published file with the marks for both engines; None if it can have none."""
    body = body_of(published)
    if body is None:
        return None
    annotations = dig(body, "metadata", "annotations")
    if not isinstance(annotations, dict | None):
        return None
    before = mapping(annotations)
    options = {key: insisted(text(before.get(key)), option) for key, option in _OPTIONS}
    after = {**before, **options, PRUNE: "disabled"}
    if after == before:
        return published
    if _SEALED in body:
        return None
    return Blob(emit(placed(body, after, "metadata", "annotations")).encode())


def body_of(published: Blob) -> Object | None:
    """The one object in a published file; None where there is something else."""
    try:
        documents = read_stream(published.data, "")
    except InputError:
        return None
    body = documents[0].value if len(documents) == 1 else None
    return body if isinstance(body, dict) and isinstance(body.get("metadata"), dict) else None
