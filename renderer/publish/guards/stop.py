"""A guard's word: what it stops, why, and what allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderer.model.errors import StoppedError

_SHOWN = 10  # objects named of a stop; programs get all


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """What one guard stops. `setting` also allows it.

    `objects` are those concerned, each on a line; `more` are not listed, for there are too many.
    """

    guard: str
    what: str
    why: str
    objects: tuple[str, ...] = ()
    more: int = 0
    setting: str = ""  # below spec.guards of krender.yaml
    fix: str = ""  # what to do instead of allowing it

    @property
    def advice(self) -> str:
        """What to type."""
        setting = f"spec.guards.{self.setting} or a waiver" if self.setting else "a waiver in spec.guards"
        allow = f"let it pass with --allow {self.guard}, or for good with {setting} in krender.yaml"
        return f"{self.fix}; or {allow}" if self.fix else allow

    def __str__(self) -> str:
        """Give the stop on a line a part."""
        lines = [f"{self.guard}: {self.what}", *(f"    {name}" for name in self.objects[:_SHOWN])]
        hidden = self.more + max(0, len(self.objects) - _SHOWN)
        if hidden:
            lines.append(f"    and {hidden} more")
        return "\n".join([*lines, f"  why: {self.why}", f"  fix: {self.advice}"])


class GuardError(StoppedError):
    """Guards stopped a run before anything was written."""

    def __init__(self, stops: Sequence[Stop]) -> None:
        """Keep what each of them said."""
        self.stops = tuple(stops)
        objects = tuple(name for stop in stops for name in stop.objects)
        names = ", ".join(dict.fromkeys(stop.guard for stop in stops))
        super().__init__(f"stopped by {names}; nothing was written", objects=objects)

    def __str__(self) -> str:
        """Give every stop, and a last line that sums them up."""
        return "\n".join([*map(str, self.stops), self.what])


def listed(names: Sequence[str], most: int = 3) -> str:
    """The first few names, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def plural(count: int, word: str) -> str:
    """`1 object`, `2 objects`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
