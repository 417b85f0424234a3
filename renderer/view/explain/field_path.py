"""The field that a user means: an RFC 6901 pointer, or names with dots as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from renderer.document.patch import ABSENT
from renderer.document.pointer import join, unescape
from renderer.document.values import Value
from renderer.view.explain.history import value_at

# A name up to a dot or bracket, in which a backslash takes the meaning of the next character; or what
# stands in brackets, quoted or not.
_STEP: Final = re.compile(r"""\.?(?:\[(?:"([^"]*)"|'([^']*)'|([^\]]*))\]|((?:\\.|[^.\[\\])+))""")


def resolve(path: str, bodies: Sequence[Value]) -> str:
    """The pointer that a path means in the first of the bodies that has it; as written, if none has.

    `/spec/replicas` is a pointer already. Of `spec.containers[0].image` each part is a step; parts whose
    dots belong to a key (`metadata.labels.app.kubernetes.io/name`) are put together where that key exists.
    """
    if path in ("", "/", "."):
        return ""
    if path.startswith("/"):
        return join(unescape(token) for token in path.split("/")[1:])
    tokens = _tokens(path)
    for body in bodies:
        found = next(_walks(tokens, body), None)
        if found is not None:
            return join(found)
    return join(tokens)


def nearest(pointer: str, bodies: Sequence[Value], *, dotted: bool, most: int = 3) -> list[str]:
    """The existing fields that look most like a pointer, spelled as the user spells."""
    spelled = {pointer_of: dot(pointer_of) if dotted else pointer_of for pointer_of in _all(bodies)}
    wanted = dot(pointer) if dotted else pointer
    return get_close_matches(wanted, list(dict.fromkeys(spelled.values())), n=most, cutoff=0.6)


def parent(pointer: str, bodies: Sequence[Value]) -> tuple[str, list[str]]:
    """The deepest part of a pointer that exists, and the names below it."""
    while pointer and not any(value_at(body, pointer) is not ABSENT for body in bodies):
        pointer = pointer.rpartition("/")[0]
    below: dict[str, None] = {}
    for body in bodies:
        value = value_at(body, pointer)
        if isinstance(value, dict):
            below.update(dict.fromkeys(value))
        elif isinstance(value, list):
            below.update(dict.fromkeys(str(place) for place in range(len(value))))
    return pointer, list(below)


def dot(pointer: str) -> str:
    """A pointer with dots: `spec.containers[0].image`, `metadata.labels["a.b/c"]`."""
    told = ""
    for token in (unescape(part) for part in pointer.split("/")[1:]):
        if token.isdecimal():
            told += f"[{token}]"
        elif re.fullmatch(r"[^.\[\]\"\\]+", token):
            told += f".{token}" if told else token
        else:
            told += f'["{token}"]'
    return told


def _tokens(path: str) -> list[str]:
    """The steps of a path with dots; a leading `$` or dot says nothing."""
    path = path.removeprefix("$").removeprefix(".")
    tokens: list[str] = []
    for match in _STEP.finditer(path):
        quoted, single, bare, name = match.groups()
        step = next((part for part in (quoted, single, bare) if part is not None), None)
        tokens.append(step if step is not None else re.sub(r"\\(.)", r"\1", name))
    return tokens


def _walks(tokens: Sequence[str], value: Value) -> Iterator[list[str]]:
    """The ways through a value, each as its keys; longer keys first."""
    if not tokens:
        yield []
    for size in range(len(tokens), 0, -1):
        key = ".".join(tokens[:size])
        below = value_at(value, join([key])) if isinstance(value, dict | list) else ABSENT
        if below is not ABSENT:
            yield from ([key, *rest] for rest in _walks(tokens[size:], below))


def _all(bodies: Iterable[Value]) -> Iterator[str]:
    for body in bodies:
        yield from _below(body, "")


def _below(value: Value, pointer: str) -> Iterator[str]:
    if pointer:
        yield pointer
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _below(item, pointer + join([key]))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _below(item, f"{pointer}/{place}")
