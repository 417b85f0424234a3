"""Following a branch for `krender serve`: looks at it now and then, and keeps the last good snapshot."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from renderer.edge.address import shown_address
from renderer.edge.errors import OutsideError, ToldError, telling
from renderer.edge.followed import Followed, FollowedRepository
from renderer.edge.whole import write_whole
from renderer.model.places import CLUSTERS
from renderer.model.published import Tip
from renderer.view.serve.ledger import Ledger, encoded, recall
from renderer.view.serve.snapshot import Snapshot, snapshot_of
from renderer.view.serve.standing import STARTING, Standing

if TYPE_CHECKING:
    from renderer.edge.http.server import Exchange

_LONGEST_PATH = 200  # in the log


@dataclass(slots=True, kw_only=True)
class Follower:
    """What is known of a branch. One thread looks; whoever asks for the standing gets one whole snapshot."""

    followed: Followed
    branch: str
    path: str
    ledger: Ledger
    most_age: float
    state: Path | None = None
    snapshot: Snapshot | None = None
    changed: Mapping[str, int] = field(default_factory=dict)
    failure: str = STARTING
    good: float = field(default_factory=time.monotonic)  # when a look last went well
    ended: float = field(default_factory=time.monotonic)  # when a look last ended

    def standing(self) -> Standing:
        """What there is to serve at this moment."""
        now = time.monotonic()
        return Standing(
            snapshot=self.snapshot,
            age=now - self.good,
            idle=now - self.ended,
            failure=self.failure,
            changed=self.changed,
            most=self.most_age,
        )

    def look(self) -> None:
        """Look at the branch once, and say what has changed. Nothing is raised for the outside world."""
        try:
            with self.followed.open() as repository:
                self._take(repository)
            self._save()
        except (ToldError, OSError) as error:
            told = shown_address(str(error))
            if told != self.failure:
                say(f"the branch {self.branch} cannot be served as it is now: {told}")
            self.failure = told
        self.ended = time.monotonic()

    def again(self, interval: float, stop: threading.Event, *also: Callable[[], None]) -> None:
        """Look now, and then every so many seconds until the event is set."""
        while not stop.is_set():
            self.look()
            for each in also:
                each()
            stop.wait(interval)

    def remember(self) -> None:
        """Take over what was served before the start. Raises OutsideError where that is no good."""
        if self.state is None:
            return
        if not self.state.exists():
            write_whole(self.state, encoded(self.ledger))  # so that it is known now whether that can be done
            return
        with telling(f"read {self.state}"):
            data = self.state.read_bytes()
        try:
            recall(self.ledger, data)
        except ValueError as error:
            raise OutsideError(
                f"{self.state} does not tell what was served: {error}",
                "it is what lists are compared with",
                "remove it if it is right to begin anew",
            ) from error

    def end(self) -> None:
        """Write down what was served, and let go of the repository. Raises OutsideError."""
        self._save()
        self.followed.close()

    def _take(self, repository: FollowedRepository) -> None:
        """Serve what lies on the branch. Raises OutsideError."""
        began, known = time.monotonic(), self.snapshot
        tip = repository.tip()
        if tip is None:
            raise OutsideError(
                f"there is no branch {self.branch} yet",
                "nothing was published to it",
                "run `krender publish`, or name the branch with --branch",
            )
        is_new = known is None or known.commit != tip.commit
        found = self._found(repository, tip) if known is None or is_new else known
        if is_new or self.failure:
            say(f"serving {len(found.units)} units of {found.commit} on {self.branch}")
        # In this order: nobody must be told that a new snapshot is old.
        self.good, self.snapshot, self.failure = began, found, ""
        if is_new:  # when clusters last changed may take a while to find out, and is for the metrics only
            place = f"{self.path}/{CLUSTERS}" if self.path else CLUSTERS
            self.changed = repository.changed_at(tip, place, found.clusters)

    def _found(self, repository: FollowedRepository, tip: Tip) -> Snapshot:
        known, algorithm = self.snapshot, repository.algorithm
        found = snapshot_of(tip, algorithm, self.path, known)
        if known is None:
            before = repository.before(tip)
            known = _readable(lambda: snapshot_of(before, algorithm, self.path)) if before else None
        self.ledger.before = known
        return found

    def _save(self) -> None:
        """Write down what was served. Raises OutsideError."""
        if self.state is not None and self.ledger.changed:
            self.ledger.changed = False
            try:
                write_whole(self.state, encoded(self.ledger))
            except BaseException:
                self.ledger.changed = True
                raise


def _readable(read: Callable[[], Snapshot]) -> Snapshot | None:
    """What an older commit had; None where that cannot be told, since it is not what is served."""
    try:
        return read()
    except OutsideError:
        return None


def say(text: str) -> None:
    """Write a line to the log."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    try:
        print(f"{stamp} {' '.join(text.split())}", file=sys.stderr, flush=True)
    except OSError:
        return  # nobody reads the log; that is no reason to stop


def logged(exchange: Exchange) -> None:
    """One line a request. What was asked for is in it, and nothing of the fields, which hold the token."""
    path = exchange.path[:_LONGEST_PATH]
    say(
        f'{exchange.peer} "{exchange.method} {path}" {exchange.status} {exchange.size}B '
        f"{exchange.seconds * 1000:.0f}ms {exchange.note}"
    )
