"""What a publish did, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from renderer.model.delivery import Unit
from renderer.view.stopped import Stopping, stopped_facts
from renderer.view.unchanged import not_committed
from renderer.view.units import unit_facts, units_text


class Counted(Protocol):
    """Changes of a tree."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Files added, changed and removed."""


class OfCluster(Protocol):
    """Changes of a cluster's directory."""

    @property
    def cluster(self) -> str:
        """Its name there."""

    @property
    def files(self) -> Counted:
        """What changes in it."""


class OfClusters(Counted, Protocol):
    """Changes of a tree, with those of clusters apart."""

    @property
    def clusters(self) -> Sequence[OfCluster]:
        """Each cluster that changes."""


class Proposed(Protocol):
    """The commit that was, or would be, made."""

    @property
    def changes(self) -> OfClusters:
        """What it changes."""

    @property
    def message(self) -> str:
        """Its message."""

    @property
    def foreign(self) -> tuple[str, ...]:
        """Files on the branch that are not krender's."""

    @property
    def is_change(self) -> bool:
        """Whether there is anything to commit."""


def published_text(
    branch: str, proposal: Proposed, commit: str | None, *, dry_run: bool = False, units: Sequence[Unit] = ()
) -> str:
    """A line or two for a person; a dry run shows the whole message, and `units` as a table."""
    table = [f"\n{units_text(units)}"] if units else []
    if not proposal.is_change:
        return "\n".join([not_committed(branch), *table])
    subject = proposal.message.split("\n", 1)[0]
    lines = [f"{branch}: {commit[:12] if commit else 'would commit'} {subject}"]
    if dry_run:
        lines = [f"{branch}: would commit (dry run: nothing was written)", "", proposal.message.rstrip("\n")]
    if proposal.foreign:
        lines.append(f"{len(proposal.foreign)} files on the branch are not krender's and were kept")
    return "\n".join([*lines, *table])


def published_json(
    branch: str,
    proposal: Proposed,
    commit: str | None,
    *,
    dry_run: bool = False,
    units: Sequence[Unit] | None = None,
    stops: Sequence[Stopping] = (),
) -> str:
    """The same for a program; `commit` is null where nothing was committed."""
    return json.dumps(
        {
            "branch": branch,
            "commit": commit,
            "dryRun": dry_run,
            "changed": proposal.is_change,
            "counts": _counts(proposal.changes),
            "clusters": {one.cluster: _counts(one.files) for one in proposal.changes.clusters},
            "message": proposal.message,
            "foreign": list(proposal.foreign),
            **({} if units is None else {"units": [unit_facts(unit) for unit in units]}),
            **({"stopped": stopped_facts(stops)} if stops else {}),
        },
        indent=2,
        ensure_ascii=False,
    )


def _counts(changes: Counted) -> dict[str, int]:
    return dict(zip(("added", "changed", "removed"), changes.counts, strict=True))
