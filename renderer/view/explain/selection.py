"""Why a cluster that passes the filters is not selected: spread constraints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from renderer.model.decision import Candidate, Region, Stages

NO_MATTER: Final = 2**31 - 1  # the capacity of every cluster where nothing is measured
_SHOWN: Final = 3  # chosen regions that a reason names


class Selection:
    """The selection of one attempt, cluster by cluster."""

    def __init__(self, stages: Stages) -> None:
        """Index the stages."""
        self._stages: Final = stages
        self._chosen: Final = dict.fromkeys(stages.selected)
        self._regions: Final[Mapping[str, Region]] = {
            name: region for region in stages.regions for name in region.clusters
        }
        self._out: Final = {swap.out: swap.taken for swap in stages.swaps}

    def __contains__(self, cluster: str) -> bool:
        """Whether the cluster is selected."""
        return cluster in self._chosen

    def against(self, cluster: str) -> str:
        """Why a cluster that fits is not selected."""
        region = self._regions.get(cluster)
        if region is not None and not region.chosen:
            return f"fits, but its region {named(region)} is not chosen: {self._against_region(region)}"
        candidate = self._candidate(cluster)
        place = f"it ranks {self._ranks[cluster]} of {len(self._ranks)}{_merits(candidate)}"
        if cluster in self._out and self._out[cluster] in self._chosen:
            taken = self._candidate(self._out[cluster])
            return (
                f"fits, but {taken.cluster} took its place for its capacity: "
                f"{taken.available} replicas against {candidate.available}"
            )
        if region is not None:
            return f"fits, and its region is chosen, but others there come first: {place}"
        return f"fits, but the spread constraint by cluster takes {len(self._chosen)}: {place}"

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        """Places in the ranking, from 1; only who is left out needs them."""
        return {candidate.cluster: rank for rank, candidate in enumerate(self._stages.ranked, 1)}

    def _candidate(self, cluster: str) -> Candidate:
        return self._stages.ranked[self._ranks[cluster] - 1]

    def _against_region(self, region: Region) -> str:
        chosen = [other for other in self._stages.regions if other.chosen]
        told = ", ".join(f"{named(other)} ({other.score})" for other in chosen[:_SHOWN])
        more = f" and {len(chosen) - _SHOWN} more" if len(chosen) > _SHOWN else ""
        return f"its score is {region.score}, those chosen are {told}{more}"


def named(region: Region) -> str:
    """A region as text."""
    return region.name or '""'


def _merits(candidate: Candidate) -> str:
    told = [f"score {candidate.score}"]
    if candidate.allocatable < NO_MATTER:
        told.append(f"room for {candidate.available}")
    if candidate.previous:
        told.append(f"{candidate.previous} replicas there before")
    return f" ({', '.join(told)})"
