"""The best combination of regions, without trying them all.

Karmada walks the combinations depth first and sorts what it found. Here the same best path comes out of
dynamic programming: a walk's future depends only on where it is, how many regions and how many clusters it
has. Source: Karmada pkg/scheduler/core/spreadconstraint/select_groups.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

_State: TypeAlias = tuple[int, int]  # regions so far, clusters so far (beyond the target they do not matter)
_Total: TypeAlias = tuple[int, int]  # sum of scores, sum of clusters


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A region: its score, and how many clusters it has."""

    name: str
    score: int
    clusters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many regions may be taken, and how many clusters they must have together."""

    least: int
    most: int
    clusters: int

    def met(self, state: _State) -> bool:
        """Whether a walk that came here is a path: it is recorded and goes no further."""
        regions, clusters = state
        return clusters >= self.clusters and self.least <= regions <= self.most


def best_path(groups: Sequence[Group], limits: Limits) -> tuple[Group, ...]:
    """The regions to take, highest score first; empty where no combination will do.

    Largest sum of scores, then most clusters, then first discovered; but a path that is the beginning of
    the best one, in the order of scores, is preferred to it.
    """
    ordered = sorted(groups, key=lambda group: (group.clusters, -group.score, group.name))
    if limits.met((0, 0)):
        return ()
    # With no choice of regions Karmada looks at the full path alone.
    forced = len(ordered) == limits.least
    path = ordered if forced else _Search(ordered, limits).heaviest()
    if not limits.met(_reach(path)):
        return ()
    path = sorted(path, key=lambda group: (-group.score, group.name))
    for length in range(1, 0 if forced else len(path)):
        if _recorded(path[:length], ordered, limits):
            return tuple(path[:length])
    return tuple(path)


class _Search:
    """The best path by dynamic programming over places and states."""

    def __init__(self, ordered: Sequence[Group], limits: Limits) -> None:
        self.ordered = ordered
        self.limits = limits
        # Where all regions may be taken, how many there are beyond the least does not matter.
        self.counted = limits.least if limits.most >= len(ordered) else limits.most
        self.needed = max(limits.clusters, 0)

    def heaviest(self) -> list[Group]:
        """The path with the best total; among equals the one found first, which takes earlier regions."""
        best = self.totals(self.reachable())
        path: list[Group] = []
        state = (0, 0)
        for place, group in enumerate(self.ordered):
            taking = self.taking(place, state, best[place + 1])
            if taking is None or best[place].get(state) != taking:
                continue
            path.append(group)
            state = self.step(state, group)
            if self.limits.met(state):
                break
        return path

    def step(self, state: _State, group: Group) -> _State:
        regions, clusters = state
        return (min(regions + 1, self.counted), min(clusters + group.clusters, self.needed))

    def full(self, state: _State) -> bool:
        """Whether no further region may be taken."""
        return state[0] >= self.limits.most

    def reachable(self) -> list[list[_State]]:
        """The states in which a walk can come to each place, those that are paths left out."""
        layers: list[list[_State]] = [[(0, 0)]]
        for group in self.ordered:
            states = dict.fromkeys(layers[-1])
            for state in layers[-1]:
                taken = self.step(state, group)
                if not self.limits.met(taken) and not self.full(taken):
                    states[taken] = None
            layers.append(list(states))
        return layers

    def totals(self, layers: Sequence[Sequence[_State]]) -> list[dict[_State, _Total]]:
        """For each place and state, the best total still to be had; a state without a path is absent."""
        best: list[dict[_State, _Total]] = [{} for _ in range(len(self.ordered) + 1)]
        for place in reversed(range(len(self.ordered))):
            later, here = best[place + 1], best[place]
            for state in layers[place]:
                taking = None if self.full(state) else self.taking(place, state, later)
                totals = [total for total in (taking, later.get(state)) if total is not None]
                if totals:
                    here[state] = max(totals)
        return best

    def taking(self, place: int, state: _State, later: dict[_State, _Total]) -> _Total | None:
        """The total of taking a region and going on as well as can be; None where that leads nowhere."""
        group = self.ordered[place]
        taken = self.step(state, group)
        rest = (0, 0) if self.limits.met(taken) else later.get(taken)
        return None if rest is None else (group.score + rest[0], group.clusters + rest[1])


def _reach(path: Sequence[Group]) -> _State:
    return (len(path), sum(group.clusters for group in path))


def _recorded(path: Sequence[Group], ordered: Sequence[Group], limits: Limits) -> bool:
    """Whether these regions are a path of their own: enough, and not enough before the last was added."""
    walk = sorted(path, key=ordered.index)
    return limits.met(_reach(walk)) and not limits.met(_reach(walk[:-1]))
