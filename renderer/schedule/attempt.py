"""One pass over the fleet: filter, rank, select, assign.

Source: Karmada pkg/scheduler/core/generic_scheduler.go and pkg/scheduler/framework/types.go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import overload

from renderer.match.fleet import Fleet
from renderer.model.binding import TargetCluster
from renderer.model.decision import (
    Candidate,
    Division,
    ErrorClass,
    Failure,
    Region,
    Rejection,
    Stages,
    Swap,
)
from renderer.schedule.assign import assign
from renderer.schedule.capacity import demand_of
from renderer.schedule.filters import feasible, rejections, standing
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import Question
from renderer.schedule.rank import Ranking, rank
from renderer.schedule.select import Selection, select
from renderer.schedule.share import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What the stages came to, by position; those after a failure are missing."""

    clusters: tuple[TargetCluster, ...] = ()
    ranking: Ranking | None = None
    selection: Selection = field(default_factory=Selection)
    shares: tuple[Share, ...] = ()
    failure: Failure | None = None


def run(question: Question, inventory: Inventory) -> Pass:
    """Try to schedule with the affinity term of the question."""
    fits = feasible(question, inventory.fleet)
    if not fits:
        message = _nobody_fits(question, inventory)
        return Pass(failure=Failure(error_class=ErrorClass.FIT, message=message))
    ranking = rank(question, inventory, fits)
    selection = select(question, ranking, inventory.regions)
    if selection.error:
        message = f"failed to select clusters: {selection.error}"
        failure = Failure(error_class=ErrorClass.OTHER, message=message)
        return Pass(ranking=ranking, selection=selection, failure=failure)
    shares = assign(question, inventory, ranking, selection.places)
    if isinstance(shares, Failure):
        return Pass(ranking=ranking, selection=selection, failure=shares)
    clusters = _result(question, inventory, selection, shares)
    return Pass(clusters=clusters, ranking=ranking, selection=selection, shares=shares)


def stages(question: Question, inventory: Inventory) -> Stages:
    """The same pass once more, told stage by stage."""
    found = run(question, inventory)
    fleet, selection = inventory.fleet, found.selection
    return Stages(
        rejected=rejected(question, inventory),
        terminating=tuple(
            fleet.names[place] for place in fleet.positions(~standing(fleet) & fleet.everything)
        ),
        ranked=_candidates(question, inventory, found.ranking),
        regions=_regions(inventory, found.ranking, selection),
        swaps=tuple(Swap(out=fleet.names[out], taken=fleet.names[into]) for out, into in selection.swaps),
        constraints_ignored=selection.ignored,
        needed=selection.needed,
        selected=tuple(fleet.names[place] for place in selection.places),
        divisions=tuple(_division(question, inventory, share) for share in found.shares),
    )


class Rejected(Mapping[str, tuple[Rejection, ...]]):
    """Every cluster that is not feasible, with all that speaks against it, by name.

    The reasons are worked out when somebody asks for a cluster: one cluster costs nothing in a large fleet.
    """

    def __init__(self, question: Question, fleet: Fleet) -> None:
        """Find the clusters; those being deleted are not considered at all."""
        self._question = question
        self._fleet = fleet
        self._out = standing(fleet) & ~feasible(question, fleet)

    def __getitem__(self, name: str) -> tuple[Rejection, ...]:
        """The reasons against a cluster. Raises KeyError for one that is feasible."""
        place = self._fleet.position[name]
        if not self._out >> place & 1:
            raise KeyError(name)
        return rejections(self._question, self._fleet, self._fleet.clusters[place])

    def __iter__(self) -> Iterator[str]:
        """Names, in order."""
        return (cluster.name for cluster in self._fleet.members(self._out))

    def __len__(self) -> int:
        """How many clusters are left out."""
        return self._out.bit_count()


def rejected(question: Question, inventory: Inventory) -> Rejected:
    """The clusters that the filters leave out for a question."""
    return Rejected(question, inventory.fleet)


def _result(
    question: Question, inventory: Inventory, selection: Selection, shares: tuple[Share, ...]
) -> tuple[TargetCluster, ...]:
    result = inventory.interned(tuple(chain.from_iterable(share.clusters for share in shares)))
    if not question.options.enable_empty_workload_propagation:
        return result
    present = {target.name: None for target in result}
    names = inventory.fleet.names
    missing = (names[place] for place in selection.places if names[place] not in present)
    return (*result, *(TargetCluster(name=name) for name in missing))


def _nobody_fits(question: Question, inventory: Inventory) -> str:
    """Karmada's diagnosis: how many clusters there are, and how many each reason leaves out.

    One reason counts for a cluster: that of the first filter that rejects it.
    """
    counts = Counter(found[0].told for found in rejected(question, inventory).values())
    reasons = ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items()))
    return f"0/{len(inventory.fleet)} clusters are available: {reasons or 'no cluster exists'}."


class _Candidates(Sequence[Candidate]):
    """The ranked clusters, best first; each is described when somebody looks at it."""

    def __init__(self, question: Question, inventory: Inventory, ranking: Ranking) -> None:
        self._inventory = inventory
        self._ranking = ranking
        self._demand = demand_of(question)

    def __len__(self) -> int:
        return len(self._ranking.order)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Candidate]: ...

    def __getitem__(self, index: int | slice) -> Candidate | Sequence[Candidate]:
        if isinstance(index, slice):
            return tuple(map(self._at, self._ranking.order[index]))
        return self._at(self._ranking.order[index])

    def _at(self, place: int) -> Candidate:
        ranking = self._ranking
        return Candidate(
            cluster=self._inventory.fleet.names[place],
            score=ranking.score(place),
            overflow_order=ranking.overflow.get(place, 0),
            allocatable=ranking.allocatable[place],
            previous=ranking.previous.get(place, 0),
            bounds=partial(self._inventory.estimator.bounds, self._demand, place),
        )


def _candidates(question: Question, inventory: Inventory, ranking: Ranking | None) -> Sequence[Candidate]:
    return () if ranking is None else _Candidates(question, inventory, ranking)


def _regions(inventory: Inventory, ranking: Ranking | None, selection: Selection) -> tuple[Region, ...]:
    """Regions as scored, the chosen ones first in their order."""
    if ranking is None:
        return ()
    rank_of = {name: place for place, name in enumerate(selection.path)}
    ordered = sorted(
        selection.regions,
        key=lambda region: (rank_of.get(region.name, len(rank_of)), -region.score, region.name),
    )
    return tuple(
        Region(
            name=region.name,
            score=region.score,
            available=sum(map(ranking.available, region.places)),
            clusters=tuple(inventory.fleet.names[place] for place in region.places),
            counted=region.counted,
            chosen=region.name in rank_of,
        )
        for region in ordered
    )


def _division(question: Question, inventory: Inventory, share: Share) -> Division:
    names = inventory.fleet.names
    weights = tuple((names[place], vote) for place, vote in zip(share.places, share.votes, strict=True))
    return Division(
        overflow_order=share.order,
        strategy=share.strategy,
        scaling=share.scaling,
        replicas=share.replicas,
        seats=share.seats,
        weights=weights[: share.needed],
        cut=weights[share.needed :],
        kept=share.kept,
        uid=question.binding.uid,
        clusters=tuple(share.clusters),
    )
