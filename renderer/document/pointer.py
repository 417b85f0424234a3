"""Paths into JSON documents: JSON pointers, and the looser paths of a Go JSON patch.

Source: RFC 6901; github.com/go-openapi/jsonpointer v0.23 for pointers that read a field, and
github.com/evanphx/json-patch v5.9, findObject, for the paths of patch operations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from renderer.document.number import INT64_MAX, INT64_MIN
from renderer.document.values import Value

_DECIMAL: Final = re.compile(r"[+-]?[0-9]+")
_ESCAPE: Final = re.compile("~[01]")
_ESCAPED: Final = {"~1": "/", "~0": "~"}
_LONGEST_INDEX: Final = 64  # digits; leading zeros are allowed, thousands of them are nobody's index


@dataclass(frozen=True, slots=True)
class PointerError(Exception):
    """A pointer that does not lead to a value.

    `deepest` is the pointer of the last container on the way that exists, `missing` the token it does
    not have, `reason` says so in words.
    """

    deepest: str
    missing: str
    reason: str

    def __str__(self) -> str:
        """Give the reason."""
        return self.reason


def escape(token: str) -> str:
    """The token as it stands in a pointer: `a~1b` for `a/b`."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The token a pointer's part stands for, in one pass: `~01` is `~1`; `~2` and a lone `~` stay."""
    return _ESCAPE.sub(lambda match: _ESCAPED[match[0]], token) if "~" in token else token


def join(tokens: Iterable[str]) -> str:
    """The pointer with these tokens; of none, the pointer of the whole document."""
    return "".join(f"/{escape(token)}" for token in tokens)


@lru_cache(maxsize=16384)
def patch_parts(path: str) -> tuple[str, ...]:
    """The tokens of a patch operation's path; none where the path has no slash.

    What stands before the first slash is thrown away, so `spec/replicas` is a path to the root's `replicas`.
    """
    return tuple(unescape(part) for part in path.split("/")[1:])


@lru_cache(maxsize=4096)
def list_index(token: str) -> int | None:
    """The number a token gives as Go's strconv.Atoi reads it (`01`, `+1`, `-2`), else None."""
    if len(token) > _LONGEST_INDEX or not _DECIMAL.fullmatch(token):
        return None
    index = int(token)
    return index if INT64_MIN <= index <= INT64_MAX else None


def look_up(document: Value, pointer: str) -> Value:
    """The value that a JSON pointer leads to; "" is the document itself.

    List elements go by index, without `-` and without negative ones. Raises PointerError.
    """
    if pointer and not pointer.startswith("/"):
        raise PointerError("", pointer, f'"{pointer}" does not start with "/"')
    node = document
    tokens = patch_parts(pointer)
    for depth, token in enumerate(tokens):
        if isinstance(node, dict) and token in node:
            node = node[token]
            continue
        index = list_index(token) if isinstance(node, list) else None
        if isinstance(node, list) and index is not None and 0 <= index < len(node):
            node = node[index]
            continue
        raise PointerError(join(tokens[:depth]), token, missing_reason(node, token))
    return node


def replace_at(document: Value, pointer: str, value: Value) -> Value:
    """The document with another value at a pointer that leads to one (`look_up`)."""
    return _replaced(document, patch_parts(pointer), value)


def _replaced(node: Value, tokens: tuple[str, ...], value: Value) -> Value:
    if isinstance(node, dict) and tokens:
        return {**node, tokens[0]: _replaced(node[tokens[0]], tokens[1:], value)}
    if isinstance(node, list) and tokens:
        index = int(tokens[0])
        return [*node[:index], _replaced(node[index], tokens[1:], value), *node[index + 1 :]]
    return value


def missing_reason(node: Value, token: str) -> str:
    """Why `node` has nothing at `token`, in words."""
    if isinstance(node, dict):
        return f'there is no "{token}"'
    if isinstance(node, list):
        if list_index(token) is None:
            return f'"{token}" is no index of a list'
        return f"there is no element {token}, the list has {len(node)}"
    return f'{kind_of(node)} has no "{token}"'


def kind_of(value: Value) -> str:
    """What a value is, as messages name it: `a map`, `text`, `null`."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "a map"
