"""Replicas that an autoscaler owns: left out, or left in and the engine told to leave them alone.

A field that an engine has applied cannot just be left out: the API server would reset it to its default,
one replica. So what was published with replicas is handed over first: it stays in the file while its engine
is told to leave it alone, and only then may it be left out.

| published file | engine was told before | what becomes of the field |
|---|---|---|
| without it | no  | left out |
| without it | yes | left out; Argo CD still leaves it alone, or the next sync would reset it |
| with it    | no  | stays, and the engine is told |
| with it    | yes | stays; with `handedOver: drop` it is left out, as in the second row |
| with 0     |     | is written as it is, once: at 0 an HPA rests, and would for ever |

Sources: Kubernetes, Server-Side Apply, "Transferring ownership"; github.com/fluxcd/pkg ssa/manager_apply.go,
computeDriftedPaths; Argo CD controller/sync.go, normalizeTargetResources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.autoscalers import Autoscaler, autoscalers, replica_pointers
from renderer.delivery.adapt.published import REPLICAS
from renderer.delivery.adapt.world import World
from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import PointerError, look_up
from renderer.document.values import Value
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.delivery import Autoscaled, HandedOver
from renderer.model.delivery_engine import Engine
from renderer.model.previous import Key

NAME: Final = "replicas"

_LEFT_OUT: Final = "{scaler} scales it"
_HANDED_OVER: Final = "{scaler} scales it, and Argo CD has been told to leave the field alone"
_IGNORED: Final = "{scaler} scales it, and delivery.autoscaled is ignore"
_KEPT: Final = (
    "{scaler} scales it; as {engine} has applied the field, leaving it out now would reset it, "
    "so it stays and {engine} leaves it alone"
)

_TITLES: Final = {Engine.ARGOCD: "Argo CD", Engine.FLUX: "Flux"}


def replicas(world: World) -> Adapter | None:
    """Nothing to do where nothing is scaled, or where it is to stay as it is."""
    if world.delivery.autoscaled is Autoscaled.KEEP:
        return None
    scaled = autoscalers(world)
    return _Replicas(world, scaled) if scaled else None


class _Replicas:
    """The adapter; it knows what is scaled, and where replicas stand."""

    def __init__(self, world: World, scaled: Mapping[Key, Sequence[Autoscaler]]) -> None:
        self._world = world
        self._scaled = scaled
        self._pointers = replica_pointers(world.renderings)
        self._made: dict[tuple[object, ...], tuple[Adaptation, ...]] = {}  # there may be many that are equal

    def __call__(self, piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        left = piece.mask
        for scaler in self._scaled.get(piece.identity.key, ()):
            here = left & scaler.mask
            left &= ~here
            for engine, mask in self._world.engines if here else ():
                if here & mask:
                    yield from self._under(scaler, engine, piece, here & mask)

    def _under(
        self, scaler: Autoscaler, engine: Engine, piece: Piece, mask: Mask
    ) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        """What becomes of the field on clusters with one autoscaler and one engine."""
        pointer = self._pointers.get((piece.identity.api_version, piece.identity.kind), REPLICAS)
        now = value_at(piece.body, pointer)
        if scaler.rests_at_zero and now == 0:
            return  # somebody switched it off
        path = self._world.path_of(piece.identity)
        told, dropping = self._world.left_alone(path), self._world.delivery.handed_over is HandedOver.DROP
        for was, members in self._world.published.values(path, pointer, mask):
            if scaler.rests_at_zero and was == 0:
                continue
            leaving, words = members, _LEFT_OUT
            if self._world.delivery.autoscaled is Autoscaled.IGNORE:
                leaving, words = 0, _IGNORED
            elif was is not ABSENT:
                leaving = members & told & ~self._world.staying(piece.rendering) if dropping else 0
                words = _KEPT
            if members & ~leaving:
                kept = was if now is ABSENT else now
                yield members & ~leaving, self._of(words, scaler, engine, pointer, now, kept)
            if leaving and engine is Engine.ARGOCD and leaving & told:
                yield leaving & told, self._of(_HANDED_OVER, scaler, engine, pointer, now, ABSENT)
                leaving &= ~told
            if leaving:
                yield leaving, self._of(_LEFT_OUT, scaler, engine, pointer, now, ABSENT)

    def _of(
        self, words: str, scaler: Autoscaler, engine: Engine, pointer: str, now: Maybe, after: Maybe
    ) -> tuple[Adaptation, ...]:
        """The one adaptation, with its reason; none for what neither was nor is there, but for its engine."""
        ignored = words is not _LEFT_OUT
        if now is ABSENT and after is ABSENT and words is not _HANDED_OVER:
            return ()
        key = (words, id(scaler), engine, pointer, repr(now), repr(after))
        if key not in self._made:
            reason = words.format(scaler=scaler.identity, engine=_TITLES[engine])
            made = Adaptation(
                by=NAME,
                path=pointer,
                before=now,
                after=after,
                reason=reason,
                because=scaler.identity,
                ignored=ignored,
            )
            self._made[key] = (made,)
        return self._made[key]


def value_at(body: Value, pointer: str) -> Maybe:
    """The value at a pointer, ABSENT where there is none."""
    try:
        return look_up(body, pointer)
    except PointerError:
        return ABSENT
