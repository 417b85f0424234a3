"""Which Applications and Kustomizations come, go and change from one published tree to another.

Their own files tell: the parameter file of each unit, and Applications that are no generator's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from renderer.delivery.parameters import PARAMETERS_FILE
from renderer.document.problem import InputError
from renderer.document.read import read_stream
from renderer.document.values import EMPTY, Object, Value, dig, mapping, text
from renderer.model.delivery_engine import Engine
from renderer.model.differences import Identify, node_differences
from renderer.model.identity import labels_of
from renderer.model.places import DELIVERY
from renderer.model.tree import Blob, Tree

_PLACES: Final = ("parameters", "hub", "members")
_FIELDS: Final = (
    "cluster",
    "server",
    "syncMode",
    "namespace",
    "directory",
    "project",
    "tenant",
    "wave",
    "paused",
    "empty",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChange:
    """One unit that comes (`before` is empty), goes (`after` is empty) or changes.

    `slug` is its cluster's directory. `moved` tells that one is deleted and another of its name made, by
    somebody else: on the hub or in the cluster, by a generator or by hand. Both sides are what a parameter
    file says, as far as it is told here.
    """

    engine: Engine
    name: str
    slug: str
    before: Object
    after: Object
    moved: bool = False

    @property
    def goes(self) -> bool:
        """Whether the one that was is deleted."""
        return bool(self.before) and (self.moved or not self.after)

    @property
    def fields(self) -> Iterator[tuple[str, Value, Value]]:
        """What changes of a unit that stays: the field, and its values."""
        for name in _FIELDS if self.before and self.after else ():
            was, will = self.before.get(name), self.after.get(name)
            if name in self.before and name in self.after and was != will:
                yield name, was, will


def unit_changes(old: Tree, new: Tree, identify: Identify) -> tuple[UnitChange, ...]:
    """Every unit that is not the same, by engine and name. One that goes and comes elsewhere has changed."""
    return tuple(
        change for engine in (Engine.ARGOCD, Engine.FLUX) for change in _of(engine, old, new, identify)
    )


def _of(engine: Engine, old: Tree, new: Tree, identify: Identify) -> Iterator[UnitChange]:
    before: dict[str, Object] = {}
    after: dict[str, Object] = {}
    places: dict[str, set[str]] = {}
    for place in _PLACES:
        top = f"{DELIVERY}/{engine}/{place}"
        for _, was, will in node_differences(old.at(top), new.at(top), identify, _is_unit):
            for blob, found in ((was, before), (will, after)):
                if unit := _unit(blob, place):
                    name = text(unit.get("name"))
                    found[name] = unit
                    places.setdefault(name, set()).add(place)
    for name in sorted(places):
        one, other = before.get(name, EMPTY), after.get(name, EMPTY)
        moved = len(places[name]) > 1 or one.get("syncMode") != other.get("syncMode")
        yield UnitChange(
            engine=engine,
            name=name,
            slug=text((other or one).get("slug")),
            before=one,
            after=other,
            moved=bool(one and other and moved),
        )


def _is_unit(name: str) -> bool:
    return name == PARAMETERS_FILE or name.startswith("application.")


def _unit(blob: Blob | None, place: str) -> Object:
    """What a file says of a unit; empty where it says nothing."""
    if blob is None:
        return EMPTY
    try:
        if blob.data.lstrip().startswith(b"{"):
            return mapping(json.loads(blob.data))
        documents = read_stream(blob.data, "")
    except (InputError, ValueError, RecursionError):
        return EMPTY
    return _of_application(mapping(documents[0].value), place) if len(documents) == 1 else EMPTY


def _of_application(body: Object, place: str) -> Object:
    """The same of an Application, as far as it tells it."""
    labels = labels_of(body)
    return {
        "name": text(dig(body, "metadata", "name")),
        "slug": labels.get("krender.io/cluster", ""),
        "syncMode": "Pull" if place == "members" else "Push",
        "namespace": text(dig(body, "spec", "destination", "namespace")),
        "directory": text(dig(body, "spec", "source", "path")),
        "project": text(dig(body, "spec", "project")),
        "tenant": labels.get("krender.io/tenant", ""),
        "wave": labels.get("krender.io/wave", ""),
        "paused": labels.get("krender.io/paused") == "true",
        "empty": dig(body, "spec", "syncPolicy", "automated", "allowEmpty") is True,
    }
