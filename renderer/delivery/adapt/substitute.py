"""Text that Flux would take for variables of its own, where substitution is on.

Source: Flux docs for Kustomization, spec.postBuild; fluxcd/pkg/envsubst, which leaves one of two $.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.annotations import annotated
from renderer.delivery.adapt.world import World
from renderer.document.values import Value
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.delivery_engine import Engine
from renderer.model.engine_keys import FLUX

NAME: Final = "substitute"
_KEY: Final = f"{FLUX}/substitute"
_REASON: Final = "it has ${ or $$ in it, which Flux would replace; write substitute: enabled where it shall"


def substitute(world: World) -> Adapter | None:
    """Nothing to do where Flux substitutes nothing."""
    mask = world.served_by(Engine.FLUX) if world.delivery.flux.substitution else 0
    return _Substitute(mask) if mask else None


class _Substitute:
    """The adapter; manifests share most of what they are made of, and each part is searched once."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask
        self._searched: dict[int, tuple[Value, bool]] = {}  # values are kept, so that ids stay their own

    def __call__(self, piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        mask = piece.mask & self._mask
        if mask and self._has_variable(piece.body):
            yield mask, annotated(piece.body, _KEY, "disabled", by=NAME, reason=_REASON)

    def _has_variable(self, value: Value) -> bool:
        if isinstance(value, str):
            return "${" in value or "$$" in value
        if not isinstance(value, dict | list):
            return False
        if id(value) not in self._searched:
            parts = [*value, *value.values()] if isinstance(value, dict) else value
            self._searched[id(value)] = value, any(map(self._has_variable, parts))
        return self._searched[id(value)][1]
