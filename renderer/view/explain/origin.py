"""Every step by which one value of a manifest came about, from the template to the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.document.edit import removed
from renderer.document.patch import ABSENT, Maybe
from renderer.document.values import Object, Value
from renderer.model.adaptation import Adaptation, adapted
from renderer.model.override_result import same
from renderer.model.plan import Manifest, Rendering
from renderer.view.explain.adapting import reason_place
from renderer.view.explain.history import Event, History, history, value_at
from renderer.view.explain.overriding import is_hidden, operator, step_place
from renderer.view.explain.reading import Reading
from renderer.view.explain.revision import replica_fields
from renderer.view.redaction import redacted

_COMPLETIONS: Final = "/spec/completions"
_NAMESPACE: Final = "/metadata/namespace"
_MAPS: Final = ("/metadata/labels", "/metadata/annotations")
_UNWRITTEN: Final = "a map that is empty, or holds what is no text, is not written"
_PRUNED: Final = "it is what a server writes, and is left out so that another server takes the manifest"


@dataclass(frozen=True, slots=True)
class _Told:
    """A step of the chain: its kind, the value after it, and what else there is to say."""

    kind: str
    value: Maybe
    facts: Object


class Origins:
    """The chains of one template's values."""

    def __init__(self, reading: Reading, rendering: Rendering) -> None:
        """Take the template."""
        self._reading: Final = reading
        self._rendering: Final = rendering
        template = rendering.template
        self._stated: Final[Value] = template.document.value if template.document else template.body
        binding = rendering.binding
        runs = binding is not None and binding.is_workload
        self._replicas: Final = replica_fields(template.body, reading.interpreter) if runs else ()
        self._divided: Final = binding is not None and binding.is_divided

    def chain(self, manifest: Manifest, pointer: str) -> list[Object]:
        """What happened to the value at a pointer, oldest first; the last step made it what it is.

        Empty where there never was such a value.
        """
        body, result = self._rendering.plain_body(manifest), manifest.overridden
        if body is None or result is None or result.body is None:
            return []
        place = _before_pruning(result.body, body, pointer)
        followed = history(result.body, result.steps, place)
        told = [*self._beginning(manifest, followed), *self._overrides(manifest, followed)]
        final = value_at(body, pointer)
        if told or final is not ABSENT:
            told += _end(value_at(result.body, place), final, pointer)
        told += self._adapted(manifest, body, pointer)
        hide = is_hidden(self._rendering, manifest)
        return [_facts(item, pointer, hide=hide) for item in told]

    def _beginning(self, manifest: Manifest, followed: History) -> Iterator[_Told]:
        """The template, and what was done to it before the overrides."""
        place = followed.origin
        if place is None:
            return
        stated = value_at(self._stated, place)
        if stated is not ABSENT:
            document = self._rendering.template.document
            yield _Told("template", stated, {"source": self._reading.place(document, place)})
        start = stated if followed.text_was_patched and not _is_tree(stated) else followed.start
        for kind, field, detail in self._written(manifest):
            yield from self._settled(kind, field, detail, place, stated, start)

    def _written(self, manifest: Manifest) -> Iterator[tuple[str, str, str]]:
        """The fields that something else than an override writes: what, where, why."""
        name = self._rendering.template.identity.namespace
        default = f"the template states none, and {name} is the default namespace"
        yield "namespace", _NAMESPACE, default if name else "a cluster-scoped kind has none"
        for field in _MAPS:
            yield "claim", field, "labels and annotations count only where all of them are text"
        for field in self._replicas:
            yield "replicas", field, ""
        if manifest.completions is not None:
            yield "completions", _COMPLETIONS, ""

    def _settled(
        self, kind: str, field: str, detail: str, place: str, stated: Maybe, start: Maybe
    ) -> Iterator[_Told]:
        """What was written to a field that is the place, above it, or below it."""
        facts: dict[str, Value] = {"detail": detail} if detail else {}
        at = place == field or place.startswith(f"{field}/")
        if not at and not field.startswith(f"{place}/"):
            return
        if not at:
            stated, start = _within(stated, field[len(place) :]), _within(start, field[len(place) :])
            facts |= {"inside": True, "path": field}
        divided = kind in ("replicas", "completions") and self._divided and start is not ABSENT
        made_empty = stated is ABSENT and start == {}
        if divided or not (same(stated, start) or made_empty):
            yield _Told(kind, start, facts)

    def _overrides(self, manifest: Manifest, followed: History) -> Iterator[_Told]:
        hide = is_hidden(self._rendering, manifest)
        for event in followed.events:
            yield _Told("override", event.after, self._override(event, hide=hide))

    def _adapted(self, manifest: Manifest, body: Object, pointer: str) -> Iterator[_Told]:
        """What was done to the value, or inside it, because of who applies it."""
        done: list[Adaptation] = []
        for item in manifest.adapted:
            done.append(item)
            inside = item.path.startswith(f"{pointer}/")
            if item.withheld or not (inside or item.path == pointer):
                continue
            facts: dict[str, Value] = {"detail": item.reason}
            facts |= {"inside": True, "path": item.path} if inside else {}
            source = reason_place(self._reading, item)
            facts |= {"source": source} if source else {}
            value = item.after if inside else value_at(adapted(body, done), pointer)
            yield _Told("adapted" if item.changed else "ignored", value, facts)

    def _override(self, event: Event, *, hide: bool) -> Object:
        step = event.step
        facts: dict[str, Value] = {
            "rule": str(step.rule),
            "source": step_place(self._reading, step),
            "overrider": step.overrider,
            "operator": operator(step),
            "component": step.component or None,
            "path": step.path,
            "subPath": step.sub_path,
            "inside": event.inside or None,
        }
        facts = {key: value for key, value in facts.items() if value is not None}
        before = redacted(event.before, step.path, secret=hide)
        return facts if before is ABSENT else {**facts, "before": before}


def _end(overridden: Maybe, final: Maybe, pointer: str) -> Iterator[_Told]:
    """What was done after the overrides: labels of a failover, pruning."""
    for field in _MAPS:
        below = field[len(pointer) :]
        made_empty = field.startswith(f"{pointer}/") and _within(overridden, below) == {}
        if made_empty and _within(final, below) is ABSENT and isinstance(overridden, dict):
            overridden = removed(overridden, *below.split("/")[1:])  # a claim made it, nobody wrote it
    if same(overridden, final):
        return
    if f"{pointer}/".startswith(f"{_MAPS[0]}/") and final is not ABSENT:
        yield _Told("failover", final, {"detail": "labels that the workload takes along as it fails over"})
    elif pointer in _MAPS and final is ABSENT:
        yield _Told("pruned", final, {"detail": _UNWRITTEN})
    else:
        inside: Object = {"inside": True} if _is_tree(final) else {}
        yield _Told("pruned", final, {"detail": _PRUNED, **inside})


def _facts(item: _Told, pointer: str, *, hide: bool) -> Object:
    place = item.facts.get("path", pointer) if item.facts.get("inside") else pointer
    value = redacted(item.value, str(place), secret=hide)
    facts: dict[str, Value] = {"kind": item.kind, **item.facts}
    return facts if value is ABSENT else {**facts, "value": value}


def _within(value: Maybe, pointer: str) -> Maybe:
    return ABSENT if value is ABSENT else value_at(value, pointer)


def _is_tree(value: Maybe) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _before_pruning(overridden: Value, body: Value, pointer: str) -> str:
    """The pointer in the object before it was pruned: lists may have lost elements."""
    place, now = "", body
    for token in pointer.split("/")[1:]:
        was = value_at(overridden, place)
        if isinstance(was, list) and isinstance(now, list) and len(was) != len(now) and token.isdecimal():
            place += f"/{_counterpart(was, now, int(token))}"
        else:
            place += f"/{token}"
        below = value_at(now, f"/{token}") if isinstance(now, dict | list) else ABSENT
        if below is ABSENT:
            return pointer
        now = below
    return place


def _counterpart(was: Sequence[Value], now: Sequence[Value], index: int) -> int:
    """Where the element at an index stood in the list before some were left out."""
    place = -1
    for item in now[: index + 1]:
        place = next((at for at in range(place + 1, len(was)) if same(was[at], item)), place)
    return place
