"""All guards, and what they stop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from renderer.model import guards as names
from renderer.publish.guards.cascading_units import cascading_units
from renderer.publish.guards.deletions import deletions
from renderer.publish.guards.directory_size import directory_size
from renderer.publish.guards.emptied_clusters import emptied_clusters
from renderer.publish.guards.empty_inventory import empty_inventory
from renderer.publish.guards.frozen_clusters import frozen_clusters
from renderer.publish.guards.live_karmada import live_karmada
from renderer.publish.guards.lost_clusters import lost_clusters
from renderer.publish.guards.moved_replicas import moved_replicas
from renderer.publish.guards.paused_clusters import paused_clusters
from renderer.publish.guards.plaintext_secrets import plaintext_secrets
from renderer.publish.guards.protected_clusters import protected_clusters
from renderer.publish.guards.protected_objects import protected_objects
from renderer.publish.guards.reserved_names import reserved_names
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import GuardError, Stop

Guard = Callable[[Situation], Iterable[Stop]]

GUARDS: Final[tuple[tuple[str, Guard], ...]] = (
    (names.EMPTY_INVENTORY, empty_inventory),
    (names.LOST_CLUSTERS, lost_clusters),
    (names.CASCADING_UNITS, cascading_units),
    (names.PROTECTED_CLUSTERS, protected_clusters),
    (names.FROZEN_CLUSTERS, frozen_clusters),
    (names.PAUSED_CLUSTERS, paused_clusters),
    (names.EMPTIED_CLUSTERS, emptied_clusters),
    (names.PROTECTED_OBJECTS, protected_objects),
    (names.DELETIONS, deletions),
    (names.MOVED_REPLICAS, moved_replicas),
    (names.PLAINTEXT_SECRETS, plaintext_secrets),
    (names.LIVE_KARMADA, live_karmada),
    (names.DIRECTORY_SIZE, directory_size),
    (names.RESERVED_NAMES, reserved_names),
)

# A plain directory is where people look at a result before it goes anywhere.
NOT_FOR_DIRECTORIES: Final = (names.PLAINTEXT_SECRETS, names.LIVE_KARMADA)


def stops(situation: Situation, allowed: Collection[str] = ()) -> tuple[Stop, ...]:
    """What the guards stop, but those that are allowed to be passed."""
    return tuple(stop for name, guard in GUARDS if name not in allowed for stop in guard(situation))


def guarded(situation: Situation, allowed: Collection[str] = ()) -> None:
    """See that nothing stops it. Raises GuardError with all that does."""
    found = stops(situation, allowed)
    if found:
        raise GuardError(found)
