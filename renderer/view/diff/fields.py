"""Two versions of an object, field by field.

Elements of lists that have names (containers, ports, environment) are the same where their names are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import escape
from renderer.document.values import Object, Value
from renderer.model.override_result import same


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field that is not the same; ABSENT where there is no value.

    `path` is for people (`spec.containers[web].image`), `pointer` the field's place in the new object, or
    in the old one where it is gone.
    """

    path: str
    pointer: str
    before: Maybe
    after: Maybe


def field_changes(before: Object, after: Object) -> tuple[FieldChange, ...]:
    """Every field that is not the same, in the order of the new object."""
    return tuple(_maps("", "", before, after))


def _differences(path: str, pointer: str, before: Maybe, after: Maybe) -> Iterator[FieldChange]:
    if same(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _maps(path, pointer, before, after)
        return
    if isinstance(before, list) and isinstance(after, list):
        one, other = _by_name(before), _by_name(after)
        if one is not None and other is not None:
            yield from _named(path, pointer, one, other)
            return
        if len(before) == len(after):
            for index, (was, now) in enumerate(zip(before, after, strict=True)):
                yield from _differences(f"{path}[{index}]", f"{pointer}/{index}", was, now)
            return
    yield FieldChange(path=path, pointer=pointer, before=before, after=after)


def _maps(path: str, pointer: str, before: Object, after: Object) -> Iterator[FieldChange]:
    for key in {**after, **before}:
        yield from _differences(
            _below(path, key), f"{pointer}/{escape(key)}", before.get(key, ABSENT), after.get(key, ABSENT)
        )


def _named(
    path: str, pointer: str, before: Mapping[str, tuple[int, Value]], after: Mapping[str, tuple[int, Value]]
) -> Iterator[FieldChange]:
    for name in {**after, **before}:
        index, now = after.get(name, (before.get(name, (0, None))[0], ABSENT))
        was = before[name][1] if name in before else ABSENT
        yield from _differences(f"{path}[{name}]", f"{pointer}/{index}", was, now)


def _by_name(items: list[Value]) -> Mapping[str, tuple[int, Value]] | None:
    """Index and element by name, where every element has a name of its own."""
    found: dict[str, tuple[int, Value]] = {}
    for index, item in enumerate(items):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or name in found:
            return None
        found[name] = (index, item)
    return found


def _below(path: str, key: str) -> str:
    """A key behind a path; in quotes where a dot in it would mislead."""
    if "." in key or "/" in key or not key:
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key
