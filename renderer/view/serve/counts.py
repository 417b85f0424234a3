"""What a server counts and knows, as metrics. docs/serve.md explains each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from renderer.view.metrics.families import BUILD, CLUSTERS
from renderer.view.metrics.openmetrics import Family, Kind, Labels, Measured
from renderer.view.metrics.told import published
from renderer.view.serve.refused import REASONS
from renderer.view.serve.snapshot import Snapshot, by_engine
from renderer.view.serve.standing import Standing

REQUESTS: Final = Family(
    name="krender_serve_requests",
    help="Requests that were answered, by path and status.",
    labels=("path", "code"),
    kind=Kind.COUNTER,
)
REFUSALS: Final = Family(
    name="krender_serve_refusals",
    help="Lists that were asked for in the right way and not given, by reason.",
    labels=("reason",),
    kind=Kind.COUNTER,
    zero=tuple((reason,) for reason in REASONS),
)
READY: Final = Family(
    name="krender_serve_ready",
    help="1 while lists are given, 0 while there is nothing to give or it is stale.",
)
REFRESH_OK: Final = Family(
    name="krender_serve_refresh_ok", help="1 if the last look at the branch went well, 0 if it failed."
)
REFRESH_AGE: Final = Family(
    name="krender_serve_refresh_age_seconds",
    help="How long ago a look at the branch last went well.",
    unit="seconds",
)
UNITS: Final = Family(
    name="krender_serve_units", help="Units in the commit that is served, by engine.", labels=("engine",)
)
COMMIT: Final = Family(
    name="krender_serve_commit_info", help="The commit that is served; always 1.", labels=("commit",)
)
SERVE_FAMILIES: Final = (REQUESTS, REFUSALS, READY, REFRESH_OK, REFRESH_AGE, UNITS, COMMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted since the start, by labels."""

    requests: Mapping[Labels, int]
    refusals: Mapping[Labels, int]


def measured(standing: Standing, counts: Counts, version: str) -> tuple[Measured, ...]:
    """All that a server can tell; of a snapshot, where there is one."""
    snapshot = standing.snapshot
    known: tuple[Measured, ...] = ()
    if snapshot is not None:
        known = (
            REFRESH_AGE.at(round(standing.age, 3)),
            UNITS.of({(engine,): number for engine, number in by_engine(snapshot)}),
            COMMIT.of({(snapshot.commit,): 1}),
            CLUSTERS.at(len(snapshot.clusters)),
            *published(snapshot.date, _by_name(snapshot, standing.changed)),
        )
    return (
        BUILD.of({(version,): 1}),
        REQUESTS.of(counts.requests),
        REFUSALS.of(counts.refusals),
        READY.at(int(standing.is_ready)),
        REFRESH_OK.at(int(not standing.failure)),
        *known,
    )


def _by_name(snapshot: Snapshot, changed: Mapping[str, int]) -> Mapping[str, int]:
    """By the names of clusters, where a unit tells them, and not of their directories."""
    names = {unit.facts["slug"]: unit.facts["cluster"] for unit in snapshot.units}
    return {names.get(directory, directory): date for directory, date in changed.items()}
