"""What each question was answered last: a list that has lost too much since is not given.

Whoever asks deletes what is not in the answer. A branch that was reset, or another repository under the same
address, looks like a fleet that shrank, and so does a setting that gives all units new names; the guards of
`krender publish` see none of that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from renderer.document.kept_json import kept_json
from renderer.document.values import mapping
from renderer.model.guards import Budget
from renderer.view.serve.question import KEYS, Question, select
from renderer.view.serve.refused import EMPTY, SHRUNK, TOO_MANY, RefusedError
from renderer.view.serve.snapshot import ServedUnit, Snapshot

DEFAULT_BUDGET: Final = Budget(free=1, percent=20, most=100)
MOST_NAMES: Final = 1_000_000  # that are remembered, in all lists together
_FORMAT: Final = "krender.io/served/v1"
_NAMED: Final = 5


@dataclass(slots=True, kw_only=True)
class Ledger:
    """The names in the last answer to each question.

    `allowed` are commits, or their beginnings, of which any list may be given. `before` is compared with
    where a question was not asked yet.
    """

    budget: Budget = DEFAULT_BUDGET
    allowed: Sequence[str] = ()
    before: Snapshot | None = None
    names: dict[Question, tuple[str, ...]] = field(default_factory=dict)
    changed: bool = False
    _total: int = 0

    def units(self, asked: Question, snapshot: Snapshot) -> tuple[ServedUnit, ...]:
        """The units that are asked for. Raises RefusedError where they must not be given."""
        units = select(snapshot, asked)
        names = tuple(unit.name for unit in units)
        known = self.names.get(asked)
        if known != names and not any(snapshot.commit.startswith(commit) for commit in self.allowed):
            self._judge(asked, snapshot, known, names)
        return units

    def remember(self, asked: Question, names: tuple[str, ...]) -> None:
        """Remember that these were given. Raises RefusedError where that is too much."""
        known = self.names.get(asked)
        if known == names:
            return
        total = self._total + len(names) - len(known or ())
        if total > MOST_NAMES:
            raise RefusedError(
                503, "too many different lists are asked for to remember them all", reason=TOO_MANY
            )
        self._total = total
        self.names[asked] = names
        self.changed = True

    def _judge(
        self, asked: Question, snapshot: Snapshot, known: tuple[str, ...] | None, names: tuple[str, ...]
    ) -> None:
        before = known
        if before is None:
            before = tuple(unit.name for unit in select(self.before, asked)) if self.before else ()
        now = dict.fromkeys(names)
        gone = [name for name in before if name not in now]
        if before and (not names or not self.budget.allows(len(gone), len(before))):
            raise RefusedError(503, _told(asked, snapshot, gone, len(before)), reason=SHRUNK)
        if not names:
            raise RefusedError(
                404,
                f"no unit matches {asked}, and an empty list would have everything deleted that was made "
                f"from it; if it is right, run krender serve with --allow {snapshot.commit[:12]}",
                reason=EMPTY,
            )


def _told(asked: Question, snapshot: Snapshot, gone: Sequence[str], before: int) -> str:
    named = ", ".join(gone[:_NAMED]) + (f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else "")
    commit = snapshot.commit[:12]
    return (
        f"{len(gone)} of {before} units that {asked} had are not in the commit {commit}: {named}; what was "
        f"made from them would be deleted; if it is right, run krender serve with --allow {commit}, else "
        "mend the branch"
    )


def encoded(ledger: Ledger) -> bytes:
    """The ledger as it is kept in a file."""
    served = [{"question": dict(asked.pairs), "names": names} for asked, names in [*ledger.names.items()]]
    return json.dumps({"format": _FORMAT, "served": served}, indent=1).encode() + b"\n"


def recall(ledger: Ledger, data: bytes) -> None:
    """Take over what a file keeps. Raises ValueError where it is none of these."""
    served = kept_json(data, _FORMAT).get("served")
    if not isinstance(served, list):
        raise ValueError("it lists no answers")
    for item in map(mapping, served):
        pairs, names = item.get("question"), item.get("names")
        if not isinstance(pairs, dict) or not isinstance(names, list):
            raise ValueError("it lists something that is no answer")
        asked = Question(tuple((key, str(pairs[key])) for key in KEYS if key in pairs))
        ledger.remember(asked, tuple(str(name) for name in names))
    ledger.changed = False
