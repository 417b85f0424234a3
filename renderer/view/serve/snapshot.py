"""The units of one published commit, as its parameter files tell them; all of them, or an error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from renderer.delivery.parameters import PARAMETERS_FILE
from renderer.document.values import text
from renderer.model.delivery_engine import Engine
from renderer.model.errors import OutsideError
from renderer.model.owned import OWNED_PATH, Directory, decode
from renderer.model.places import CLUSTERS, DELIVERY
from renderer.model.published import Tip
from renderer.model.tree import Blob, Tree

ENGINES: Final = (Engine.ARGOCD.value, Engine.FLUX.value)
# What every parameter file has, as text; units are selected by these.
TEXTS: Final = ("name", "cluster", "namespace", "tenant", "wave", "syncMode")
# Keys that Argo CD and flux-operator write themselves.
RESERVED: Final = ("generator", "values", "id")
_MODE: Final = "100644"
_NAMED: Final = 3  # faults that are told


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedUnit:
    """A unit: what selects it (`facts`), and all that its file says, as JSON that is written once."""

    engine: str
    facts: Mapping[str, str]
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        """Unique among the units of its engine."""
        return self.facts["name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All units of a commit, by engine and name. `date` is the commit's, in seconds since 1970.

    Ten thousand clusters may each ask for their own units: `of_cluster` has these.
    """

    commit: str
    date: int
    units: tuple[ServedUnit, ...]
    of_cluster: Mapping[str, Sequence[ServedUnit]]
    clusters: tuple[str, ...] = ()  # the names of their directories
    files: Mapping[bytes, ServedUnit] = field(default_factory=dict, repr=False)  # by the ids of their blobs


class FaultyError(Exception):
    """A parameter file is not what krender writes."""


def snapshot_of(tip: Tip, algorithm: str, path: str = "", known: Snapshot | None = None) -> Snapshot:
    """Read what a commit has at a path; what `known` has read already is not read again.

    Which files there must be stands in krender's own record: what others have put there is passed over, and
    what is missing is an error. Raises OutsideError with every fault.
    """
    top = tip.tree.at(path) if path else tip.tree
    record = _record(tip, top if isinstance(top, Tree) else None, path)
    reading = _Reading(algorithm, known.files if known else {})
    assert isinstance(top, Tree)  # it has the record  # noqa: S101
    for engine in ENGINES:
        place = f"{DELIVERY}/{engine}"
        reading.read(engine, _below(record, DELIVERY, engine), top.at(place), place)
    reading.check(tip)
    clusters = top.child(CLUSTERS)
    units = tuple(sorted(reading.units, key=lambda unit: (unit.engine, unit.name)))
    of_cluster: dict[str, list[ServedUnit]] = {}
    for unit in units:
        of_cluster.setdefault(unit.facts["cluster"], []).append(unit)
    return Snapshot(
        commit=tip.commit,
        date=tip.date,
        units=units,
        of_cluster=of_cluster,
        clusters=tuple(clusters) if isinstance(clusters, Tree) else (),
        files=reading.files,
    )


class _Reading:
    """The units that were read, and what is wrong with the others."""

    def __init__(self, algorithm: str, known: Mapping[bytes, ServedUnit]) -> None:
        self.units: list[ServedUnit] = []
        self.files: dict[bytes, ServedUnit] = {}
        self._algorithm = algorithm
        self._known = known
        self._faults: list[str] = []
        self._names: dict[tuple[str, str], str] = {}

    def read(self, engine: str, record: Directory | None, node: Blob | Tree | None, where: str) -> None:
        """Read what the record lists, and everything below."""
        if record is None:
            return
        for name, listed in record.entries.items():
            child = node.child(name) if isinstance(node, Tree) else None
            if isinstance(listed, Directory):
                self.read(engine, listed, child, f"{where}/{name}")
            elif name == PARAMETERS_FILE:
                self._add(engine, child, f"{where}/{name}")

    def check(self, tip: Tip) -> None:
        """Raise OutsideError where anything was wrong."""
        if self._faults:
            more = len(self._faults) - _NAMED
            told = [*self._faults[:_NAMED], *([f"and {more} more"] if more > 0 else [])]
            raise OutsideError(
                f"the commit {tip.commit[:12]} cannot be served: {'; '.join(told)}",
                "a list that lacks a unit has an engine delete what was made from it",
                "publish again: `krender publish` writes the files anew",
            )

    def _add(self, engine: str, node: Blob | Tree | None, where: str) -> None:
        try:
            unit = self._unit(engine, node)
        except FaultyError as error:
            self._faults.append(f"{where} {error}")
            return
        other = self._names.setdefault((engine, unit.name), where)
        if other != where:
            self._faults.append(f"{where} is of the unit {unit.name}, and so is {other}")
        self.units.append(unit)

    def _unit(self, engine: str, node: Blob | Tree | None) -> ServedUnit:
        if not isinstance(node, Blob):
            raise FaultyError("is missing")
        if node.mode != _MODE:
            raise FaultyError("is no plain file")
        name = node.object_id(self._algorithm)
        unit = self._known.get(name)
        if unit is None or unit.engine != engine:
            unit = unit_in(engine, node.data)
        self.files[name] = unit
        return unit


def unit_in(engine: str, data: bytes) -> ServedUnit:
    """The unit that a parameter file tells of. Raises FaultyError where it is none."""
    try:
        body = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise FaultyError("is no JSON") from error
    if not isinstance(body, dict):
        raise FaultyError("is no JSON object")
    wrong = [key for key in TEXTS if not isinstance(body.get(key), str)]
    wrong += [key for key in ("name", "cluster") if body.get(key) == ""]
    if wrong:
        raise FaultyError(f"has no {wrong[0]}")
    reserved = [key for key in RESERVED if key in body]
    if reserved:
        raise FaultyError(f"has the key {reserved[0]}, which the engines write themselves")
    facts = {key: body[key] for key in TEXTS} | {"slug": text(body.get("slug"))}
    return ServedUnit(engine=engine, facts=facts, text=json.dumps(body, separators=(",", ":")))


def _record(tip: Tip, top: Tree | None, path: str) -> Directory:
    """What krender wrote there. Raises OutsideError where it did not."""
    node = top.at(OWNED_PATH) if top is not None else None
    place = f"the directory {path} of the commit" if path else "the commit"
    if not isinstance(node, Blob):
        raise OutsideError(
            f"{place} {tip.commit[:12]} was not written by krender: it has no {OWNED_PATH}",
            "this may be another branch than the one krender publishes to",
            "name the branch with --branch, and the directory of it with --path",
        )
    try:
        return decode(node.data)
    except ValueError as error:
        raise OutsideError(
            f"{OWNED_PATH} of {place} {tip.commit[:12]} cannot be read: {error}",
            "it tells which units there must be",
            "publish again with --adopt, or go back to the commit before",
        ) from error


def _below(record: Directory, *names: str) -> Directory | None:
    found: Directory | None = record
    for name in names:
        entry = found.at(name) if found else None
        found = entry if isinstance(entry, Directory) else None
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def by_engine(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    """How many units each engine has."""
    for engine in ENGINES:
        yield engine, sum(unit.engine == engine for unit in snapshot.units)
