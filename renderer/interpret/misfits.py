"""Everything by which an object misses its Kubernetes type: wrong types, and fields the type does not have.

An API server refuses the first; of the second it warns, or refuses them too where the client is strict.
Kinds that are not known have no misfits. Source: k8s.io/apimachinery pkg/runtime/serializer/json.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from renderer.document.pointer import join
from renderer.document.values import Object, Value, text
from renderer.interpret.api_core import CORE_TYPES, KNOWN_KINDS
from renderer.interpret.typed import PRIMITIVES, WORDS, Struct, read_types, types


@dataclass(frozen=True, slots=True)
class Misfit:
    """One value that is out of place.

    `wanted` says what belongs there, as in "a whole number"; it is empty for a field that the type does
    not have, and then `known` are those it has, and `home` is the place of the object that does have a
    field of that name: `spec.template.spec.containers`, empty where no place has. What `is_missing` is a
    field that the type cannot do without.
    """

    tokens: tuple[str, ...]
    value: Value
    wanted: str = ""
    known: tuple[str, ...] = ()
    home: str = ""
    is_missing: bool = False

    @property
    def pointer(self) -> str:
        """The JSON pointer of the value."""
        return join(self.tokens)

    def __str__(self) -> str:
        """Give the path as people write it: `spec.containers[0].env`."""
        steps = (f"[{token}]" if token.isdecimal() else f".{token}" for token in self.tokens)
        return "".join(steps).removeprefix(".")


def misfits(body: Object) -> Iterator[Misfit]:
    """All misfits of an object, in the order of its fields; none where its kind is not known."""
    struct = struct_of(body)
    if struct is not None:
        for misfit in _of_struct(body, struct, ()):
            yield misfit if misfit.wanted else replace(misfit, home=_home(struct, misfit.tokens[-1]))


def struct_of(body: Object) -> Struct | None:
    """The type of an object, where its kind is known."""
    return _known_kinds().get((text(body.get("apiVersion")), text(body.get("kind"))))


def takes_any_text(body: Object, path: Sequence[str | int]) -> bool:
    """Whether one text at that path of an object is as good as any other."""
    struct = struct_of(body)
    expression = struct.name if struct is not None else ""
    for part in path:
        if expression[:1] in ("[", "{"):
            expression = expression[1:-1]
        else:
            found = all_types().get(expression)
            expression = found.fields.get(str(part), "") if found is not None else ""
    return expression in ("", "string")  # empty: nothing is known of it


def _of(value: Value, expression: str, tokens: tuple[str, ...]) -> Iterator[Misfit]:
    if value is None:
        return
    match expression[0]:
        case "[":
            yield from _of_list(value, expression[1:-1], tokens)
        case "{":
            yield from _of_map(value, expression[1:-1], tokens)
        case _ if expression == "base64":
            if not _is_base64(value):
                yield Misfit(tokens, value, "text in base64")
        case _ if expression in PRIMITIVES:
            if not PRIMITIVES[expression](value):
                yield Misfit(tokens, value, WORDS[expression])
        case _:
            yield from _of_struct(value, all_types()[expression], tokens)


def _of_struct(value: Value, struct: Struct, tokens: tuple[str, ...]) -> Iterator[Misfit]:
    if not isinstance(value, dict):
        yield Misfit(tokens, value, "a map")
        return
    for key, item in value.items():
        expression = struct.fields.get(key)
        if expression is None:
            yield Misfit((*tokens, key), item, known=tuple(struct.fields))
        elif item is not None:
            yield from _of(item, expression, (*tokens, key))


def _of_list(value: Value, expression: str, tokens: tuple[str, ...]) -> Iterator[Misfit]:
    if not isinstance(value, list):
        yield Misfit(tokens, value, "a list")
        return
    for index, item in enumerate(value):
        yield from _of(item, expression, (*tokens, str(index)))


def _of_map(value: Value, expression: str, tokens: tuple[str, ...]) -> Iterator[Misfit]:
    if not isinstance(value, dict):
        yield Misfit(tokens, value, "a map")
        return
    for key, item in value.items():
        yield from _of(item, expression, (*tokens, key))


def _home(root: Struct, name: str) -> str:
    """The shallowest place below a type, outside its status, that has a field of this name."""
    level, seen = [("", root)], {root.name}
    while level:
        below: list[tuple[str, Struct]] = []
        for path, struct in level:
            if name in struct.fields and path:
                return f"{path}.{name}"
            for field, expression in struct.fields.items():
                inner = all_types().get(expression.strip("[]{}"))
                if inner is not None and inner.name not in seen and field not in _NO_HOME:
                    seen.add(inner.name)
                    place = f"{path}.{field}" if path else field
                    below.append((f"{place}[]" if expression[0] == "[" else place, inner))
        level = below
    return ""


# What people mean by a field is not there.
_NO_HOME: Final = ("metadata", "status", "initContainers", "ephemeralContainers")


def _is_base64(value: Value) -> bool:
    """As Go's encoding/json takes it: padded, line breaks allowed."""
    if not isinstance(value, str):
        return False
    try:
        b64decode(value.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


@cache
def all_types() -> Mapping[str, Struct]:
    """All types that known kinds are made of."""
    return {**types(), **read_types(CORE_TYPES)}


@cache
def _known_kinds() -> Mapping[tuple[str, str], Struct]:
    found: Final = all_types()
    return {(version, kind): found[kind] for version, kinds in KNOWN_KINDS.items() for kind in kinds.split()}
