"""What is known of the branch now: the last good snapshot, how old that knowledge is, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from renderer.view.serve.refused import NOT_READY, STALE, RefusedError
from renderer.view.serve.snapshot import Snapshot

STARTING: Final = "the branch was not read yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The state of a server between two looks at the branch.

    Times are in seconds. `age` is how long ago the branch was last seen to be as the snapshot is, `idle` how
    long ago a look ended, whatever came of it. `failure` is what went wrong in the last one. `changed` tells
    when the directory of each cluster last changed, as far as that is known.
    """

    snapshot: Snapshot | None = None
    age: float = 0
    idle: float = 0
    failure: str = STARTING
    changed: Mapping[str, int] = field(default_factory=dict)
    most: float = 600  # seconds that a snapshot may be served while the branch cannot be read

    @property
    def is_stale(self) -> bool:
        """Whether the snapshot is too old to be served."""
        return bool(self.failure) and self.age > self.most

    @property
    def is_ready(self) -> bool:
        """Whether there is something to serve."""
        return self.snapshot is not None and not self.is_stale

    @property
    def is_alive(self) -> bool:
        """Whether looks at the branch come to an end; where they do not, only a new start helps."""
        return self.idle <= max(self.most, 60)

    @property
    def state(self) -> str:
        """In one word or two."""
        if not self.is_ready:
            return "not ready"
        return "degraded" if self.failure else "ready"

    def served(self) -> Snapshot:
        """What is served. Raises RefusedError where nothing is."""
        if self.snapshot is None:
            raise RefusedError(503, f"not ready: {_line(self.failure)}", reason=NOT_READY)
        if self.is_stale:
            raise RefusedError(
                503,
                f"the branch could not be read for {self.age:.0f} seconds, which is more than "
                f"{self.most:.0f}: {_line(self.failure)}",
                reason=STALE,
            )
        return self.snapshot


def _line(text: str) -> str:
    return text.split("\n", 1)[0]
