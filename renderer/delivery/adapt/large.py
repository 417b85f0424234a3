"""Objects too large for client-side apply, which keeps a copy of them in an annotation.

All annotations of an object together have 262,144 bytes. Source: Kubernetes apimachinery
pkg/api/validation/objectmeta.go, TotalAnnotationSizeLimitB; Argo CD docs/user-guide/sync-options.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.annotations import with_option
from renderer.delivery.adapt.world import World
from renderer.document.values import Object
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.delivery_engine import Engine
from renderer.model.engine_keys import SYNC_OPTIONS
from renderer.model.identity import annotations_of

NAME: Final = "large"
LIMIT: Final = 262_144
_SPARE: Final = 8_192  # for what Argo CD and others annotate
_HARMLESS: Final = LIMIT // 4  # bytes of source text that no override makes so large


def large(world: World) -> Adapter | None:
    """For Argo CD only: Flux always applies on the server's side."""
    mask = world.served_by(Engine.ARGOCD)
    return _Large(mask) if mask else None


_REASON: Final = "client-side apply would annotate it with a copy: {size:,} bytes, and {limit:,} are allowed"


class _Large:
    """The adapter; what shares a template is measured once, unless it may be near the limit."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask
        self._small: dict[int, bool] = {}  # templates, which live as long as the render

    def __call__(self, piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        mask = piece.mask & self._mask
        if not mask or self._is_small(piece.rendering.template.body):
            return
        size = copy_size(piece.body) + sum(map(_length, annotations_of(piece.body).items()))
        if size > LIMIT - _SPARE:
            yield (
                mask,
                with_option(
                    piece.body,
                    SYNC_OPTIONS,
                    "ServerSideApply=true",
                    by=NAME,
                    reason=_REASON.format(size=size, limit=LIMIT),
                    unless=("Replace",),
                ),
            )

    def _is_small(self, body: Object) -> bool:
        known = self._small.get(id(body))
        if known is None:
            known = self._small[id(body)] = copy_size(body) < _HARMLESS
        return known


def copy_size(body: Object) -> int:
    """The bytes of the copy that client-side apply keeps."""
    return len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _length(entry: tuple[str, str]) -> int:
    return sum(len(part.encode("utf-8", "surrogatepass")) for part in entry)
