"""What guards stopped, for programs; the error itself is the text for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol


class Stopping(Protocol):
    """What one guard stops."""

    @property
    def guard(self) -> str:
        """Its name, as `--allow` takes it."""

    @property
    def what(self) -> str:
        """What would happen."""

    @property
    def why(self) -> str:
        """Why that matters."""

    @property
    def advice(self) -> str:
        """What to type."""

    @property
    def objects(self) -> tuple[str, ...]:
        """The objects concerned."""

    @property
    def more(self) -> int:
        """How many of them are not listed."""


def stopped_facts(stops: Sequence[Stopping]) -> list[dict[str, object]]:
    """Every stop as a JSON object."""
    return [
        {
            "guard": stop.guard,
            "what": stop.what,
            "why": stop.why,
            "fix": stop.advice,
            "objects": list(stop.objects),
            **({"more": stop.more} if stop.more else {}),
        }
        for stop in stops
    ]


def stopped_json(stops: Sequence[Stopping]) -> str:
    """A JSON object with all of them."""
    return json.dumps({"stopped": stopped_facts(stops)}, indent=2, ensure_ascii=False)
