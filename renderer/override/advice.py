"""What a user can type when a path of an override does not lead anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from renderer.document.pointer import PointerError, escape, join, list_index, look_up, patch_parts
from renderer.document.values import Value
from renderer.interpret.misfits import Misfit, misfits

_OVERRIDER_OF: Final = {"labels": "labelsOverrider", "annotations": "annotationsOverrider"}
_METADATA: Final = "/metadata"
READ: Final = "read"  # instead of an operator, where a value is looked up to be changed


def advice(document: Value, operator: str, path: str, deepest: str, missing: str) -> str:
    """How to mend a path that ends at `missing` below the pointer `deepest` of a document."""
    if path and not path.startswith("/"):
        return f'write "{_slashed(path)}"'
    try:
        container = look_up(document, deepest)
    except PointerError:  # it exists in the copy only that paths with "//" are about
        return ""
    depth = len(patch_parts(deepest))
    rest = patch_parts(path)[depth + 1 :]
    if isinstance(container, list):
        return _in_list(container, operator, missing)
    if not isinstance(container, dict):
        return ""
    below = container.get(missing)
    if isinstance(below, str) and rest:
        return (
            f'use fieldOverrider with fieldPath "{deepest}/{escape(missing)}" to change what is in the text'
        )
    foreign = _foreign(document, deepest, missing)
    return _in_map(container, operator, deepest, missing, rest, foreign)


def _slashed(path: str) -> str:
    """A path without a leading slash as a pointer, also where it is written as kubectl's JSONPath is."""
    if "/" in path:
        return f"/{path}"
    return "/" + path.strip("{}").removeprefix("$").strip(".").replace("[", ".").replace("]", "").replace(
        ".", "/"
    )


def _in_list(elements: Sequence[Value], operator: str, missing: str) -> str:
    last = len(elements) - 1
    named = next((i for i, item in enumerate(elements) if _name(item) == missing), None)
    if named is not None:
        return f'write {named} instead of "{missing}": elements of a list go by index'
    append = ', or "-" to append' if operator == "add" else ""
    if last < 0:
        return 'write "-" to append' if operator == "add" else "leave the entry out: the list is empty"
    places = "the index 0" if last == 0 else f"an index from 0 to {last}"
    if missing == "-" or list_index(missing) is None or operator != "add":
        return f"write {places}{append}"
    return f"write an index from 0 to {last + 1}{append}"


def _name(item: Value) -> Value:
    return item.get("name") if isinstance(item, dict) else None


def _foreign(document: Value, deepest: str, missing: str) -> Misfit | None:
    """The field at which a path leaves the kind of the object, as a misfit of an object that has it."""
    if not isinstance(document, dict):
        return None
    tokens = (*patch_parts(deepest), missing)
    value: Value = {}
    for token in reversed(tokens):
        value = {token: value} if list_index(token) is None else [value]
    skeleton = {**(value if isinstance(value, dict) else {}), **_kind(document)}
    return next(
        (item for item in misfits(skeleton) if not item.wanted and len(item.tokens) == len(tokens)), None
    )


def _kind(document: Mapping[str, Value]) -> dict[str, Value]:
    return {"apiVersion": document.get("apiVersion"), "kind": document.get("kind")}


def _in_map(
    container: Mapping[str, Value],
    operator: str,
    deepest: str,
    missing: str,
    rest: tuple[str, ...],
    foreign: Misfit | None,
) -> str:
    slashed = _slashed_key(container, missing, rest)
    if slashed:
        return f'write "{deepest}/{escape(slashed)}": a slash in a key is written ~1'
    near = get_close_matches(missing, container, n=1, cutoff=0.7)
    if near:
        mended = join((*patch_parts(deepest), near[0], *rest))
        return f'write "{mended}"'
    if foreign is not None:
        return _elsewhere(foreign, deepest, rest)
    parent = f"{deepest}/{escape(missing)}"
    if operator == READ:
        return f'correct the path, or write "{parent}" into the template: there is nothing to change'
    if rest:
        empty = "[]" if rest[0] == "-" or list_index(rest[0]) is not None else "{}"
        adding = f'first add "{parent}" with value {empty}'
        overrider = _OVERRIDER_OF.get(missing) if deepest == _METADATA else None
        return f"use {overrider}, which needs no map to be there, or {adding}" if overrider else adding
    if operator == "remove":
        return "leave the entry out: there is nothing to remove"
    return f'use operator "add", which needs no "{missing}" to be there'


def _elsewhere(foreign: Misfit, deepest: str, rest: tuple[str, ...]) -> str:
    """How to mend a path where nothing can be added, because the kind has no such field."""
    missing = foreign.tokens[-1]
    near = get_close_matches(missing, foreign.known, n=1, cutoff=0.7)
    if near:
        mended = join((*patch_parts(deepest), near[0], *rest))
        return f'write "{mended}"'
    if foreign.home:
        return f"write the path of {foreign.home}: there is no such field here"
    if not deepest:
        return f'select the kind that has a field "{missing}": this one has none'
    return f'correct the path: the kind has no field "{missing}" there'


def _slashed_key(container: Mapping[str, Value], missing: str, rest: tuple[str, ...]) -> str:
    """The key a path was meant to have where its slash was not escaped, or where it was quoted."""
    if not rest:
        return ""
    joined = "/".join((missing, *rest))
    unquoted = joined.strip("\"'")
    if unquoted != joined or unquoted in container:
        return unquoted
    flat = all(isinstance(item, str) for item in container.values())
    return joined if flat and "." in missing and len(rest) == 1 else ""
