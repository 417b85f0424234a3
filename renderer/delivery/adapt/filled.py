"""Data that somebody in the cluster fills in: a file that says null there would empty it.

Karmada writes null for the token of a ServiceAccount and never applies it: it keeps what the member has. An
engine keeps nothing, and client-side apply deletes a field that is null. Sources: Karmada
pkg/resourceinterpreter/default/native/retain.go; k8s.io/apimachinery pkg/util/strategicpatch/patch.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.world import World
from renderer.document.patch import ABSENT
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation

NAME: Final = "filled"
_KINDS: Final = frozenset({"ConfigMap", "Secret"})
_FIELDS: Final = ("data", "stringData", "binaryData")
_REASON: Final = "null would empty what is filled in on the cluster"


def filled(world: World) -> Adapter | None:
    """On all clusters that have an engine."""
    mask = reduce(or_, (mask for _, mask in world.engines), 0)

    def adapter(piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        if piece.identity.group or piece.identity.kind not in _KINDS:
            return
        done = tuple(
            Adaptation(by=NAME, path=f"/{field}", before=None, after=ABSENT, reason=_REASON)
            for field in _FIELDS
            if piece.body.get(field, ABSENT) is None
        )
        if done and piece.mask & mask:
            yield piece.mask & mask, done

    return adapter if mask else None
