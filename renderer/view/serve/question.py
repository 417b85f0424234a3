"""Which units are asked for: exact names and values, so that a typing error never selects less in silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from renderer.document.values import Value
from renderer.view.serve.refused import RefusedError
from renderer.view.serve.snapshot import ENGINES, ServedUnit, Snapshot

ENGINE: Final = "engine"
SYNC_MODE: Final = "syncMode"
CLUSTER: Final = "cluster"
PUSH: Final = "Push"
KEYS: Final = (ENGINE, SYNC_MODE, CLUSTER, "wave", "tenant", "namespace")
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {ENGINE: ENGINES, SYNC_MODE: (PUSH, "Pull")}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: keys with their values, in the order of KEYS; an engine and a mode are in it."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """As the log and messages have it: `engine=argocd syncMode=Push wave=1`."""
        return " ".join(f"{key}={value}" for key, value in self.pairs)


def question(asked: Iterable[tuple[str, Value]], engine: str) -> Question:
    """The question, with what is meant where nothing is said: this engine, and clusters reached from a hub.

    Raises RefusedError where it is none.
    """
    given: dict[str, str] = {}
    for key, value in asked:
        if key not in KEYS:
            raise RefusedError(400, f"there is no parameter {key[:80]!r}; there are {', '.join(KEYS)}")
        if key in given:
            raise RefusedError(400, f"the parameter {key} is given twice")
        given[key] = _text(key, value)
    given = {ENGINE: engine, SYNC_MODE: PUSH, **given}
    return Question(tuple((key, given[key]) for key in KEYS if key in given))


def _text(key: str, value: Value) -> str:
    """A value as parameter files have it."""
    if key == "wave" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise RefusedError(400, f"the parameter {key} is not a string")
    choices = _CHOICES.get(key)
    if choices and value not in choices:
        raise RefusedError(400, f"the parameter {key} is {value[:80]!r}, not {' or '.join(choices)}")
    if key == "wave" and not (value.isascii() and value.removeprefix("-").isdecimal()):
        raise RefusedError(400, f"the parameter wave is {value[:80]!r}, not a number")
    return value


def select(snapshot: Snapshot, asked: Question) -> tuple[ServedUnit, ...]:
    """The units of a snapshot that are asked for, by name."""
    wanted = dict(asked.pairs)
    engine, cluster = wanted.pop(ENGINE), wanted.pop(CLUSTER, None)
    known = snapshot.units if cluster is None else snapshot.of_cluster.get(cluster, ())
    keys, values = tuple(wanted), tuple(wanted.values())
    return tuple(
        unit for unit in known if unit.engine == engine and tuple(map(unit.facts.get, keys)) == values
    )
