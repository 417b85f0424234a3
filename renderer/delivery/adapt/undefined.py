"""Objects of kinds that another Application of the cluster defines: it may come later.

Argo CD tries everything on the server before it applies anything, which fails while a kind is not there.
Source: Argo CD docs/user-guide/sync-options.md, Skip Dry Run for new custom resources types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.annotations import with_option
from renderer.delivery.adapt.world import World
from renderer.document.values import dig, text
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.delivery import UnitOf
from renderer.model.delivery_engine import Engine
from renderer.model.engine_keys import SYNC_OPTIONS
from renderer.model.identity import Identity

NAME: Final = "undefined"

_Kind = tuple[str, str]  # group and kind
_Definitions = Mapping[_Kind, tuple[tuple[Identity, Mask], ...]]


def undefined(world: World) -> Adapter | None:
    """Nothing to do where an Application has all of a cluster, and where no kind is defined."""
    mask = world.served_by(Engine.ARGOCD)
    if not mask or world.delivery.unit is not UnitOf.NAMESPACE:
        return None
    defined = _defined(world, mask)
    return _Undefined(defined) if defined else None


def _defined(world: World, served: Mask) -> _Definitions:
    """The definitions of each kind, with the clusters that get them from Argo CD."""
    found: dict[_Kind, tuple[tuple[Identity, Mask], ...]] = {}
    for rendering in world.renderings:
        if rendering.template.identity.kind != "CustomResourceDefinition":
            continue
        for manifest in rendering.manifests:
            kind = (
                text(dig(manifest.body, "spec", "group")),
                text(dig(manifest.body, "spec", "names", "kind")),
            )
            mask = world.mask(manifest.clusters) & served
            if all(kind) and mask:
                found[kind] = (*found.get(kind, ()), (manifest.identity, mask))
    return found


class _Undefined:
    """The adapter."""

    def __init__(self, defined: _Definitions) -> None:
        self._defined = defined

    def __call__(self, piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        if not piece.identity.namespace:
            return  # it is applied together with the definition
        left = piece.mask
        for definition, mask in self._defined.get((piece.identity.group, piece.identity.kind), ()):
            here = left & mask
            left &= ~here
            if here:
                yield (
                    here,
                    with_option(
                        piece.body,
                        SYNC_OPTIONS,
                        "SkipDryRunOnMissingResource=true",
                        by=NAME,
                        reason=f"{definition} is applied by another Application, maybe later",
                        because=definition,
                    ),
                )
