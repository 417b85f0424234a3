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
    path = ordered if len(ordered) == limits.least else _heaviest(ordered, limits)
    if not limits.met(_reach(path)):
        return ()
    path = sorted(path, key=lambda group: (-group.score, group.name))
    for length in range(1, len(path) if len(ordered) != limits.least else 0):
        if _recorded(path[:length], ordered, limits):
            return tuple(path[:length])
    return tuple(path)


def _heaviest(ordered: Sequence[Group], limits: Limits) -> list[Group]:
    """The path with the best total; among equals the one found first, which takes earlier regions."""
    layers = _reachable(ordered, limits)
    best = _totals(ordered, limits, layers)
    path: list[Group] = []
    state = (0, 0)
    for place, group in enumerate(ordered):
        taken = _step(state, group, limits)
        with_it = _taking(group, taken, limits, best[place + 1])
        if with_it is None or best[place].get(state) != with_it:
            continue
        path.append(group)
        state = taken
        if limits.met(state):
            break
    return path


def _reachable(ordered: Sequence[Group], limits: Limits) -> list[list[_State]]:
    """The states in which a walk can come to each place, those that are paths left out."""
    layers: list[list[_State]] = [[(0, 0)]]
    for group in ordered:
        states = dict.fromkeys(layers[-1])
        for state in layers[-1]:
            taken = _step(state, group, limits)
            if not limits.met(taken) and taken[0] < limits.most:
                states[taken] = None
        layers.append(list(states))
    return layers


def _totals(
    ordered: Sequence[Group], limits: Limits, layers: Sequence[Sequence[_State]]
) -> list[dict[_State, _Total]]:
    """For each place and state, the best total still to be had; a state without a path is absent."""
    best: list[dict[_State, _Total]] = [{} for _ in range(len(ordered) + 1)]
    for place in reversed(range(len(ordered))):
        later, here = best[place + 1], best[place]
        for state in layers[place]:
            taking = _taking(ordered[place], _step(state, ordered[place], limits), limits, later)
            totals = [total for total in (taking, later.get(state)) if total is not None]
            if totals and state[0] < limits.most:
                here[state] = max(totals)
    return best


def _taking(group: Group, taken: _State, limits: Limits, later: dict[_State, _Total]) -> _Total | None:
    """The total of taking the group and going on as well as can be; None where that leads nowhere."""
    rest = (0, 0) if limits.met(taken) else later.get(taken)
    return None if rest is None else (group.score + rest[0], group.clusters + rest[1])


def _step(state: _State, group: Group, limits: Limits) -> _State:
    return (state[0] + 1, min(state[1] + group.clusters, max(limits.clusters, 0)))


def _reach(path: Sequence[Group]) -> _State:
    return (len(path), sum(group.clusters for group in path))


def _recorded(path: Sequence[Group], ordered: Sequence[Group], limits: Limits) -> bool:
    """Whether these regions are a path of their own: enough, and not enough before the last was added."""
    walk = sorted(path, key=ordered.index)
    return limits.met(_reach(walk)) and not limits.met(_reach(walk[:-1]))
