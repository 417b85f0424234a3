"""The inventory as one thing: sets of clusters are bit masks, so that selecting costs no loop over clusters.

A cluster's position is its rank by name, and the bit at that position stands for it. What a rule sees of a
cluster is the same for many of them, so it is asked once for each distinct view.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Final

from renderer.match.clusters import admits
from renderer.match.labels import invalid, requirement_test, requirements
from renderer.model.cluster import Cluster
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import LabelSelector, Requirement

Mask = int
View = Callable[[Cluster], Hashable]

_DIGITS: Final = bytes.maketrans(b"01", b"\0\1")
_FEW: Final = 32  # up to this many bits are set, and found, one by one


class Fleet:
    """The clusters by name, with what has been found out about them so far.

    Answers are remembered for as long as the fleet lives: one integer for each distinct question.
    """

    def __init__(self, clusters: Iterable[Cluster]) -> None:
        """Take the inventory, in any order; names are unique."""
        self.clusters: Final = tuple(sorted(clusters, key=lambda cluster: cluster.name))
        self.names: Final = tuple(cluster.name for cluster in self.clusters)
        self.position: Final = {name: place for place, name in enumerate(self.names)}
        self.everything: Final[Mask] = (1 << len(self.clusters)) - 1
        self._groups: dict[View, tuple[tuple[Cluster, Mask], ...]] = {}
        self._labels: dict[str, tuple[tuple[str | None, Mask], ...]] = {}
        self._answers: dict[tuple[View, Hashable], Mask] = {}
        self._admitted: dict[ClusterAffinity, Mask] = {}

    def __len__(self) -> int:
        """The number of clusters."""
        return len(self.clusters)

    def positions(self, mask: Mask) -> list[int]:
        """The positions in a mask, ascending: that is by name."""
        if mask.bit_count() <= _FEW:
            return list(_single(mask))
        return list(compress(range(len(self.clusters)), bin(mask)[:1:-1].encode().translate(_DIGITS)))

    def members(self, mask: Mask) -> tuple[Cluster, ...]:
        """The clusters in a mask, by name."""
        return tuple(self.clusters[place] for place in self.positions(mask))

    def mask(self, positions: Sequence[int]) -> Mask:
        """The mask of some positions."""
        if len(positions) <= _FEW:
            return union(1 << place for place in positions)
        digits = bytearray(b"0") * len(self.clusters)
        for place in positions:
            digits[-1 - place] = 0x31
        return int(digits, 2)

    def named(self, names: Iterable[str]) -> Mask:
        """The mask of the clusters with these names, as far as they exist."""
        return self.mask([self.position[name] for name in names if name in self.position])

    def groups(self, view: View) -> tuple[tuple[Cluster, Mask], ...]:
        """One cluster for each distinct view of the fleet, with the mask of all that look the same."""
        if view not in self._groups:
            places: dict[Hashable, list[int]] = {}
            for place, cluster in enumerate(self.clusters):
                places.setdefault(view(cluster), []).append(place)
            self._groups[view] = tuple(
                (self.clusters[group[0]], self.mask(group)) for group in places.values()
            )
        return self._groups[view]

    def where(self, view: View, question: Hashable, test: Callable[[Cluster], bool]) -> Mask:
        """The clusters that pass a test which depends on nothing but the view and the question."""
        key = (view, question)
        if key not in self._answers:
            self._answers[key] = union(mask for cluster, mask in self.groups(view) if test(cluster))
        return self._answers[key]

    def admitted(self, affinity: ClusterAffinity) -> Mask:
        """The clusters that `admits` admits."""
        if affinity not in self._admitted:
            self._admitted[affinity] = self._admit(affinity)
        return self._admitted[affinity]

    def _admit(self, affinity: ClusterAffinity) -> Mask:
        mask = self.named(affinity.cluster_names) if affinity.cluster_names else self.everything
        mask &= ~self.named(affinity.exclude)
        if affinity.label_selector is not None:
            mask &= self._labelled(affinity.label_selector)
        if affinity.field_selector is not None:
            fields = ClusterAffinity(field_selector=affinity.field_selector)
            mask &= self.where(_fields, fields, lambda cluster: admits(fields, cluster))
        return mask

    def _labelled(self, selector: LabelSelector) -> Mask:
        if invalid(selector):
            return 0
        mask = self.everything
        for requirement in requirements(selector):
            mask &= self._required(requirement)
        return mask

    def _required(self, requirement: Requirement) -> Mask:
        """The clusters that meet one label requirement, which looks at the value of one key only."""
        key, test = requirement.key, requirement_test(requirement)
        return union(mask for value, mask in self._values(key) if test({} if value is None else {key: value}))

    def _values(self, key: str) -> tuple[tuple[str | None, Mask], ...]:
        """Each value of a label, None for its absence, with the clusters that have it."""
        if key not in self._labels:
            places: dict[str | None, list[int]] = {}
            for place, cluster in enumerate(self.clusters):
                places.setdefault(dict(cluster.labels).get(key), []).append(place)
            self._labels[key] = tuple((value, self.mask(group)) for value, group in places.items())
        return self._labels[key]


def union(masks: Iterable[Mask]) -> Mask:
    """The clusters in any of the masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def _single(mask: Mask) -> Iterator[int]:
    """The positions in a mask, one bit after the other."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _fields(cluster: Cluster) -> Hashable:
    return (cluster.provider, cluster.region, cluster.zones)
