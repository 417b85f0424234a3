"""Empty tables that a script returns: maps, lists, or nothing.

A script's empty table says neither, so Karmada looks at the objects that the script was given: what was an
empty map or an empty list at the same path is one again, anything else goes. It finds the places again by
paths in whose syntax `|#@*?` and the backslash mean something, in keys too; what comes of that is followed.
Source: Karmada …/luavm/lua_convert.go; github.com/tidwall/sjson parsePath, github.com/tidwall/gjson Get.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from renderer.document.values import Value, mapping, sequence
from renderer.model.interpretation import InterpretError

Place: TypeAlias = tuple[str, ...]  # map keys and list indexes

_PART: Final = re.compile(r"((?:\\.|[^.\\])*\\?)(?:\.|\Z)", re.DOTALL)
_QUERY_PART: Final = re.compile(r"((?:\\.|[^.|\\])*\\?)(?:[.|]|\Z)", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.?)", re.DOTALL)
_QUERY: Final = re.compile(r"[|#@*?]")
_PIECE: Final = re.compile(r"\\(.)|(\*)|(\?)|(.)", re.DOTALL)


def repaired(value: Value, *references: Value, is_object: bool = True) -> Value:
    """A returned value with empty lists made maps or left out, as the references have it.

    `is_object` tells what the whole is if it is empty. Raises InterpretError where Karmada fails at a key.
    """
    if value == []:
        return {} if is_object else []
    known = [(path, empty) for item in references for _, path, empty in _empty(item)]
    maps = {path for path, empty in known if isinstance(empty, dict)}
    lists = {path for path, empty in known if isinstance(empty, list)}
    found = [(place, path) for place, path, _ in _empty(value)]
    to_map = [place for place, path in found if path in maps]
    gone = [place for place, path in found if path not in maps and path not in lists]
    for place in sorted(filter(_is_odd, to_map)):
        value = _set(value, _dotted(place))
    for place in sorted(filter(_is_odd, gone)):
        value = _deleted(value, _dotted(place))
    return _rebuilt(value, (), frozenset(to_map), frozenset(place for place in gone if not _is_odd(place)))


def _empty(value: Value, place: Place = (), path: Place = ()) -> Iterator[tuple[Place, Place, Value]]:
    """Every empty map and list below a value: its place, its place without indexes, and what it is."""
    entries: list[tuple[str, Place, Value]] = []
    if isinstance(value, dict):
        entries = [(key, (*path, key), item) for key, item in value.items()]
    elif isinstance(value, list):
        entries = [(str(index), path, item) for index, item in enumerate(value)]
    for step, below, item in entries:
        if item == {} or item == []:
            yield (*place, step), below, item
        else:
            yield from _empty(item, (*place, step), below)


def _rebuilt(value: Value, place: Place, to_map: frozenset[Place], gone: frozenset[Place]) -> Value:
    """The value with plain places set to an empty map, and others left out."""
    if value == [] and place in to_map and not _is_odd(place):
        return {}
    if isinstance(value, dict):
        below = {key: (*place, key) for key in value}
        return {
            key: _rebuilt(item, below[key], to_map, gone)
            for key, item in value.items()
            if below[key] not in gone
        }
    if isinstance(value, list):
        places = [(*place, str(index)) for index in range(len(value))]
        return [
            _rebuilt(item, step, to_map, gone)
            for step, item in zip(places, value, strict=True)
            if step not in gone
        ]
    return value


def _is_odd(place: Place) -> bool:
    """Whether a key on the way means something in the syntax of paths."""
    return any("\\" in step or _QUERY.search(step) for step in place)


def _dotted(place: Place) -> str:
    """The path as Karmada writes it, with dots and colons of keys escaped, and nothing else."""
    return ".".join(step.replace(".", "\\.").replace(":", "\\:") for step in place)


def _is_query(path: str) -> bool:
    return _QUERY.search(_ESCAPED.sub("", path)) is not None


def _parts(pattern: re.Pattern[str], path: str) -> list[str]:
    """The parts of a path between its separators; they may be empty."""
    parts: list[str] = pattern.findall(path)
    return parts if path.endswith(".") and not path.endswith("\\.") else parts[:-1]


def _plain_steps(path: str) -> tuple[str, ...]:
    return tuple(_ESCAPED.sub(r"\1", part) for part in _parts(_PART, path))


def _set(value: Value, path: str) -> Value:
    """The value with an empty map at a path; without a change where a query finds nothing."""
    if not _is_query(path):
        return _placed(value, _plain_steps(path))
    found = _at_first(value, _parts(_QUERY_PART, path))
    return value if found is None else found


def _deleted(value: Value, path: str) -> Value:
    if _is_query(path):
        raise InterpretError(f"an empty table at {path} cannot be left out")
    return _removed(value, _plain_steps(path))


def _meant(part: str) -> re.Pattern[str]:
    """The keys that a part of a query means, in which `*` and `?` are wildcards."""
    pieces = (
        ".*" if star else "." if mark else re.escape(escaped or plain)
        for escaped, star, mark, plain in _PIECE.findall(part)
    )
    return re.compile("".join(pieces), re.DOTALL)


def _at_first(value: Value, parts: Sequence[str]) -> Value:
    """The value with an empty map at the first place that is meant, keys in their order; None if none is."""
    if not parts:
        return {}
    part, rest = parts[0], parts[1:]
    if isinstance(value, dict):
        for key in filter(_meant(part).fullmatch, sorted(value)):
            found = _at_first(value[key], rest)
            if found is not None:
                return {**value, key: found}
    elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
        found = _at_first(value[int(part)], rest)
        if found is not None:
            return [*value[: int(part)], found, *value[int(part) + 1 :]]
    return None


def _placed(value: Value, steps: Sequence[str]) -> Value:
    """The value with an empty map at a place; maps, and lists for numbers, are made on the way."""
    if not steps:
        return {}
    step, rest = steps[0], steps[1:]
    if isinstance(value, list) or (value is None and step.isdigit()):
        if not step.isdigit():
            raise InterpretError(f"an empty table cannot be placed at {step} of a list")
        index, items = int(step), list(sequence(value))
        items += [None] * (index + 1 - len(items))
        return [*items[:index], _placed(items[index], rest), *items[index + 1 :]]
    entries = mapping(value)
    return {**entries, step: _placed(entries.get(step), rest)}


def _removed(value: Value, steps: Sequence[str]) -> Value:
    """The value without a place, if it has it."""
    step, *rest = steps
    if isinstance(value, list):
        index = int(step)
        return [*value[:index], *([_removed(value[index], rest)] if rest else []), *value[index + 1 :]]
    if not isinstance(value, dict) or step not in value:
        return value
    below = {step: _removed(value[step], rest)} if rest else {}
    return {key: below.get(key, item) for key, item in value.items() if rest or key != step}
