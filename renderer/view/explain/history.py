"""Where one value of a manifest comes from: its pointer, followed back through the overrides' steps.

Steps insert and remove elements of lists, which moves what stands behind them. So the object is taken back
step by step to what it was, and the pointer with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import PointerError, escape, look_up, patch_parts, replace_at
from renderer.document.values import Object, Value
from renderer.model.override_result import Step, same


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A step that changed the value: from `before` to `after`.

    `inside` tells that it changed something below the place, or in the text there; then the values are
    those of the step.
    """

    step: Step
    before: Maybe
    after: Maybe
    inside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What happened to the value at a pointer, oldest first.

    `origin` is where the value stood before the first step, None where a step made it. `start` is what
    stood there; of a text that a fieldOverrider patched it is not known.
    """

    events: tuple[Event, ...]
    origin: str | None
    start: Maybe = ABSENT

    @property
    def text_was_patched(self) -> bool:
        """Whether the start is what the text became, not what it was."""
        return any(event.inside and event.step.sub_path is not None for event in self.events)


def history(body: Value, steps: Sequence[Step], pointer: str) -> History:
    """Follow a pointer of the object that the steps came to back to where it began."""
    events: list[Event] = []
    place: str | None = pointer
    for step in reversed(steps):
        if place is None:
            break
        if not step.changed:
            continue
        before, earlier = undone(body, step), _earlier(body, step, place)
        event = _event(step, body, place, before, earlier)
        if event is not None:
            events.append(event)
        body, place = before, earlier
    start = ABSENT if place is None else value_at(body, place)
    return History(events=tuple(reversed(events)), origin=place, start=start)


def value_at(body: Value, pointer: str) -> Maybe:
    """What a pointer leads to, ABSENT where it leads nowhere."""
    try:
        return look_up(body, pointer)
    except PointerError:
        return ABSENT


def undone(body: Value, step: Step) -> Value:
    """The object as it was before a step; a text that was patched stays as it became."""
    if step.sub_path is not None:
        return body
    if not step.path:
        return None if step.before is ABSENT else step.before
    parent, _, token = step.path.rpartition("/")
    container = value_at(body, parent)
    if isinstance(container, list):
        return replace_at(body, parent, _listed(container, int(token), step))
    there = container if isinstance(container, dict) else {}
    return replace_at(body, parent, _mapped(there, patch_parts(step.path)[-1], step))


def _listed(items: Sequence[Value], index: int, step: Step) -> Value:
    """The list before the step: what it added is out, what it removed is in again."""
    rest = items[index:] if step.after is ABSENT else items[index + 1 :]
    return [*items[:index], *([] if step.before is ABSENT else [step.before]), *rest]


def _mapped(items: Object, key: str, step: Step) -> Value:
    others = {name: value for name, value in items.items() if name != key}
    return others if step.before is ABSENT else {**items, key: step.before}


def _earlier(body: Value, step: Step, place: str) -> str | None:
    """Where the value at a place stood before the step; None where the step brought it as a new element."""
    parent, _, token = step.path.rpartition("/")
    moves = step.sub_path is None and (step.before is ABSENT) != (step.after is ABSENT)
    if not moves or not step.path or not isinstance(value_at(body, parent), list):
        return place
    if not place.startswith(f"{parent}/") or value_at(body, place) is ABSENT:
        return place
    here, *below = place[len(parent) + 1 :].split("/")
    index, number = int(token), int(here)
    if step.before is ABSENT and number == index:
        return None
    if number < index:
        return place
    return "/".join((parent, str(number - 1 if step.before is ABSENT else number + 1), *below))


def _event(step: Step, after: Value, place: str, before: Value, earlier: str | None) -> Event | None:
    """What the step did to the place, None where it did nothing to it."""
    if step.sub_path is not None:
        if step.path == place or step.path.startswith(f"{place}/"):
            return Event(step=step, before=step.before, after=step.after, inside=True)
        return None
    was = ABSENT if earlier is None else value_at(before, earlier)
    now = value_at(after, place)
    if same(was, now):
        return None
    if step.path != place and step.path.startswith(f"{place}/") and ABSENT not in (was, now):
        return Event(step=step, before=step.before, after=step.after, inside=True)
    return Event(step=step, before=was, after=now)


def leaves(value: Value, pointer: str = "") -> Iterator[str]:
    """The pointers of all that has nothing below it: scalars, empty maps and empty lists, in order."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, f"{pointer}/{escape(key)}")
    elif isinstance(value, list) and value:
        for place, item in enumerate(value):
            yield from leaves(item, f"{pointer}/{place}")
    else:
        yield pointer
