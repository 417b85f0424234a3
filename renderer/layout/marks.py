"""The marks that keep an object in its cluster when its file goes.

Sources: Argo CD docs/user-guide/sync-options.md; Flux docs for Kustomization, spec.prune.
"""

from __future__ import annotations

from typing import Final

from renderer.document.edit import placed
from renderer.document.emit import emit
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import Object, dig, mapping, text
from renderer.model.tree import Blob

SYNC_OPTIONS: Final = "argocd.argoproj.io/sync-options"
PRUNE: Final = "kustomize.toolkit.fluxcd.io/prune"
_NEVER: Final = "Prune=false"
_SEALED: Final = "sops"  # encrypted with SOPS, whose checksum covers all that is in the file


def marked(published: Blob) -> Blob | None:
    """The published file with both marks: the same if it has them, None where it cannot be marked."""
    body = body_of(published)
    if body is None:
        return None
    annotations = dig(body, "metadata", "annotations")
    if not isinstance(annotations, dict | None):
        return None
    before = mapping(annotations)
    after = {**before, SYNC_OPTIONS: _options(text(before.get(SYNC_OPTIONS))), PRUNE: "disabled"}
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


def _options(stated: str) -> str:
    """Argo CD's list of options, with pruning ruled out and the others as they are."""
    options = [option.strip() for option in stated.split(",") if option.strip()]
    if [option for option in options if option.startswith("Prune=")] == [_NEVER]:
        return stated
    return ",".join([*(option for option in options if not option.startswith("Prune=")), _NEVER])
