"""What a project must permit: where its units put something, and the kinds of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.model.delivery import Contents, Unit

Kinds: TypeAlias = frozenset[tuple[str, str]]  # groups and kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """Namespaces by destination, and the kinds that live in no namespace and in one.

    A destination is a cluster as the project writes it. A namespace is empty where an Application names none:
    that lets in the Application itself, and no object.
    """

    destinations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    cluster_kinds: Kinds = frozenset()
    kinds: Kinds = frozenset()

    def __or__(self, other: Grants) -> Grants:
        """What either grants."""
        destinations = dict(self.destinations)
        for name, namespaces in other.destinations.items():
            destinations[name] = destinations.get(name, frozenset()) | namespaces
        return Grants(
            destinations=destinations,
            cluster_kinds=self.cluster_kinds | other.cluster_kinds,
            kinds=self.kinds | other.kinds,
        )

    def beyond(self, other: Grants) -> tuple[int, int]:
        """How many namespaces of clusters, and kinds, it grants that the other does not."""
        places = (
            len(namespaces - other.destinations.get(name, frozenset()))
            for name, namespaces in self.destinations.items()
        )
        kinds = len(self.cluster_kinds - other.cluster_kinds) + len(self.kinds - other.kinds)
        return sum(places), kinds


NOTHING = Grants()


class Needs:
    """Tells what units need; what many of them share is looked through once."""

    def __init__(self) -> None:
        """Know nothing yet."""
        # Contents are kept, so that their ids stay their own.
        self._known: dict[int, tuple[Contents, frozenset[str], Kinds, Kinds]] = {}

    def of(self, units: Iterable[Unit], destination: Callable[[Unit], str]) -> Grants:
        """The grants that these units need; `destination` is how the project writes a unit's cluster."""
        places: dict[str, frozenset[str]] = {}
        cluster_kinds: set[tuple[str, str]] = set()
        kinds: set[tuple[str, str]] = set()
        for unit in units:
            _, namespaces, outside, inside = self._of(unit.contents)
            name = destination(unit)
            places[name] = places.get(name, frozenset()) | namespaces | {unit.namespace}
            cluster_kinds |= outside
            kinds |= inside
        return Grants(destinations=places, cluster_kinds=frozenset(cluster_kinds), kinds=frozenset(kinds))

    def _of(self, contents: Contents) -> tuple[Contents, frozenset[str], Kinds, Kinds]:
        known = self._known.get(id(contents))
        if known is None:
            every = contents.kinds
            known = self._known[id(contents)] = (
                contents,
                frozenset(contents.namespaces),
                frozenset((group, kind) for group, kind, namespaced in every if not namespaced),
                frozenset((group, kind) for group, kind, namespaced in every if namespaced),
            )
        return known


def alike(destinations: Mapping[str, frozenset[str]]) -> Sequence[tuple[Sequence[str], Sequence[str]]]:
    """Destinations with the same namespaces, together: names and namespaces, all sorted."""
    groups: dict[frozenset[str], list[str]] = {}
    for name in sorted(destinations):
        groups.setdefault(destinations[name], []).append(name)
    return sorted((members, sorted(namespaces)) for namespaces, members in groups.items())
