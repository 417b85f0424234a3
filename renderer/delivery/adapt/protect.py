"""Objects that no engine may delete because a file is gone: with them would go what is in no file.

Argo CD is told not to prune them and not to miss them, Flux not to prune them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.annotations import annotated, with_option
from renderer.delivery.adapt.world import World
from renderer.document.values import Object
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.delivery_engine import Engine
from renderer.model.engine_keys import COMPARE_OPTIONS, NO_PRUNE, NOT_MISSED, PRUNE, SYNC_OPTIONS
from renderer.model.identity import Identity

NAME: Final = "protect"
_REASON: Final = "delivery.protect names its kind: it outlives its file"


def protect(world: World) -> Adapter | None:
    """Nothing to do where no kind is to be protected."""
    return _Protect(world) if world.delivery.protect else None


class _Protect:
    """The adapter."""

    def __init__(self, world: World) -> None:
        self._kinds = frozenset(world.delivery.protect)
        self._argocd, self._flux = map(world.served_by, (Engine.ARGOCD, Engine.FLUX))

    def __call__(self, piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        if self._kinds.isdisjoint(_spellings(piece.identity)):
            return
        if piece.mask & self._argocd:
            yield piece.mask & self._argocd, _argocd(piece.body)
        if piece.mask & self._flux:
            mark = annotated(piece.body, PRUNE, "disabled", by=NAME, reason=_REASON)
            yield piece.mask & self._flux, mark


def _spellings(identity: Identity) -> tuple[str, str]:
    return identity.kind, f"{identity.kind}.{identity.group}"


def _argocd(body: Object) -> tuple[Adaptation, ...]:
    kept = with_option(body, SYNC_OPTIONS, NO_PRUNE, by=NAME, reason=_REASON)
    missed = with_option(body, COMPARE_OPTIONS, NOT_MISSED, by=NAME, reason=_REASON)
    return (*kept, *missed) if kept else ()
