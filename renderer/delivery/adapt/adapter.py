"""What an adaptation is: it looks at the world once, and then at each manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from renderer.delivery.adapt.world import World
from renderer.document.values import Object
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.identity import Identity
from renderer.model.plan import Rendering


@dataclass(frozen=True, slots=True)
class Piece:
    """What some clusters get of a template, as it is so far."""

    rendering: Rendering
    identity: Identity
    body: Object
    mask: Mask


# Parts of the piece's clusters with what is to be done there; parts have no cluster in common.
Parts: TypeAlias = Iterable[tuple[Mask, tuple[Adaptation, ...]]]
Adapter: TypeAlias = Callable[[Piece], Parts]
# None where there is nothing for it to do in this world.
Adapting: TypeAlias = Callable[[World], Adapter | None]
