"""The paths of image predicates, which are read otherwise than those of patches.

Source: Karmada pkg/util/overridemanager/imageoverride.go, obtainImageValue.
"""

from __future__ import annotations

from typing import Final

from renderer.document.pointer import kind_of, list_index
from renderer.document.values import Object, Value

_INT32: Final = 2**31


class PredicateError(ValueError):
    """The path leads to no text; `depth` parts of it can be followed."""

    def __init__(self, depth: int, reason: str) -> None:
        """Keep how far the path leads, beside the reason."""
        super().__init__(reason)
        self.depth = depth


def predicate_parts(path: str) -> tuple[str, ...]:
    """The keys and indexes of a path: split at slashes, those at either end dropped, nothing unescaped."""
    return tuple(path.strip("/").split("/"))


def text_at(body: Object, path: str) -> str:
    """The text that the path leads to, which must be under a key of a map. Raises PredicateError."""
    parts = predicate_parts(path)
    node, depth = body, 0
    while depth < len(parts) - 1:
        child = node.get(parts[depth])
        depth += 1
        if isinstance(child, list):
            child = _element(child, parts[depth], depth)
            depth += 1
        if not isinstance(child, dict):
            raise PredicateError(depth - 1, f'"{parts[depth - 1]}" is {_what(child)}, not a map or a list')
        node = child
    text = node.get(parts[-1])
    if not isinstance(text, str):
        raise PredicateError(len(parts) - 1, f'"{parts[-1]}" is {_what(text)}, not text')
    return text


def _element(elements: list[Value], part: str, depth: int) -> Value:
    index = list_index(part)
    if index is None or not -_INT32 <= index < _INT32:
        raise PredicateError(depth, f'"{part}" is no index of a list')
    if not 0 <= index < len(elements):
        raise PredicateError(depth, f"there is no element {part}, the list has {len(elements)}")
    return elements[index]


def _what(value: Value) -> str:
    return "not there" if value is None else kind_of(value)
