"""Changing one place of an object: a new object along the path, everything else shared."""

from __future__ import annotations

from collections.abc import Mapping

from renderer.document.values import Object, Value


class PathError(Exception):
    """A value on the way to the place is not a map."""


def found(body: Value, *keys: str) -> tuple[Value, bool]:
    """The value below nested map keys, and whether it is there.

    A null on the way counts as absence; raises PathError where something else is not a map.
    Source: k8s.io/apimachinery unstructured.NestedFieldNoCopy.
    """
    value = body
    for key in keys:
        if value is None:
            return None, False
        if not isinstance(value, dict):
            raise PathError(f"{'.'.join(keys)}: {key} is looked for in something that is not a map")
        if key not in value:
            return None, False
        value = value[key]
    return value, True


def placed(body: Object, value: Value, *keys: str) -> Object:
    """The object with a value at a path; maps that are missing on the way are made.

    Raises PathError where something on the way is not a map.
    """
    key, *rest = keys
    if not rest:
        return {**body, key: value}
    below = body.get(key, {})
    if not isinstance(below, dict):
        raise PathError(f"{'.'.join(keys)}: {key} is not a map")
    return {**body, key: placed(below, value, *rest)}


def removed(body: Object, *keys: str) -> Object:
    """The object without the place; the object itself where there is no such place."""
    key, *rest = keys
    if key not in body:
        return body
    if not rest:
        return {name: value for name, value in body.items() if name != key}
    below = body[key]
    if not isinstance(below, Mapping):
        return body
    rested = removed(below, *rest)
    return body if rested is below else {**body, key: rested}
