"""What each selected cluster won in the divisions of one attempt, and why that much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from renderer.model.decision import Division, Scaling, Stages, Strategy
from renderer.view.explain.page import count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """A division by cluster."""

    division: Division
    weights: dict[str, int]
    total: int
    cut: dict[str, int]
    kept: dict[str, int]
    result: dict[str, int]


class Shares:
    """The divisions of one attempt, cluster by cluster."""

    def __init__(self, stages: Stages, *, replicas: int, weighted: bool, overflows: bool) -> None:
        """`replicas` is what the template wants.

        `weighted` tells that the policy lists static weights, `overflows` that it has overflow affinities.
        """
        self._replicas: Final = replicas
        self._weighted: Final = weighted
        ranked = stages.ranked if overflows else ()
        self._tiers: Final = {candidate.cluster: candidate.overflow_order for candidate in ranked}
        self._tallies: Final = {division.overflow_order: _tally(division) for division in stages.divisions}

    def of(self, cluster: str) -> str:
        """Why a selected cluster gets what it gets, also where that is nothing."""
        order = self._tiers.get(cluster, 0)
        tally = self._tallies.get(order)
        if tally is None:
            return f"overflow tier {order} is not needed: the tiers before it have room for all replicas"
        told = self._told(tally, cluster)
        return f"overflow tier {order}: {told}" if order else told

    def _told(self, tally: _Tally, cluster: str) -> str:
        division = tally.division
        if division.strategy is None:
            return "fits"
        if not self._replicas:
            return "there are 0 replicas to run"
        if division.strategy is Strategy.DUPLICATED:
            return f"{division.replicas} on each cluster (Duplicated)"
        if division.strategy is Strategy.STATIC_WEIGHT:
            return self._by_static_weight(tally, cluster)
        return _by_capacity(tally, cluster)

    def _by_static_weight(self, tally: _Tally, cluster: str) -> str:
        if cluster not in tally.weights:
            return "fits, but no entry of staticWeightList matches it, and others have a weight"
        won, seats = tally.result.get(cluster, 0), tally.division.seats
        if not self._weighted or (len({*tally.weights.values()}) == 1 and tally.total == len(tally.weights)):
            share = f"an equal share among {len(tally.weights)}"
        else:
            share = f"weight {tally.weights[cluster]} of {tally.total}"
        return share if won else f"fits, but {share} wins none of {seats} replicas"


def _tally(division: Division) -> _Tally:
    weights = dict(division.weights)
    return _Tally(
        division=division,
        weights=weights,
        total=sum(weights.values()),
        cut=dict(division.cut),
        kept={target.name: target.replicas for target in division.kept},
        result={target.name: target.replicas for target in division.clusters},
    )


def _by_capacity(tally: _Tally, cluster: str) -> str:
    """Of a division by free capacity, or on a way down by what runs."""
    division, won = tally.division, tally.result.get(cluster, 0)
    kept = tally.kept.get(cluster, 0)
    if division.scaling is Scaling.UNCHANGED:
        return f"keeps its {kept}: the replicas did not change" if won else _runs_none(division)
    if division.scaling is Scaling.DOWN:
        if cluster not in tally.weights and cluster not in tally.cut:
            return _runs_none(division)
        ran = tally.weights.get(cluster, tally.cut.get(cluster, 0))
        told = f"ran {ran} of {tally.total + sum(tally.cut.values())}, of which {division.replicas} remain"
        return told if won else f"fits, but it {told}: none for it"
    if cluster in tally.cut:
        before = count(len(tally.weights), "cluster")
        needed = f"fits, but {before} before it can take all replicas (Aggregated)"
        return f"keeps {kept}, and wins none" if kept else needed
    weight = f"weight {tally.weights.get(cluster, 0)} of {tally.total}"
    if not won:
        empty = tally.weights.get(cluster, 0) <= 0
        return (
            "fits, but has no free capacity"
            if empty
            else f"fits, but {weight} wins none of {division.seats} replicas"
        )
    if kept:
        return f"keeps {kept}" + (f", wins {won - kept} by {weight}" if won > kept else "")
    return weight


def _runs_none(division: Division) -> str:
    what = "did not change" if division.scaling is Scaling.UNCHANGED else "became fewer"
    return f"fits, but runs none, and the replicas {what}"
