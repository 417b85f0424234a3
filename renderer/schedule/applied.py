"""The placement a binding was last scheduled for, as Karmada reads it back from the annotation.

Karmada compares two Go structs. So JSON is brought into the form that such a struct has: zero values and
empty lists are absent, unknown fields are dropped, and what does not fit the types makes all unreadable.
Source: Karmada pkg/scheduler/helper.go, placementChanged; Go's encoding/json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from renderer.document.go_json import escape_html
from renderer.document.values import Object, Value
from renderer.model.placement import Placement


class UnreadableError(Exception):
    """JSON that does not fit the Go type."""


@dataclass(frozen=True, slots=True)
class _Scalar:
    kind: type
    zero: Value


@dataclass(frozen=True, slots=True)
class _List:
    element: _Type


@dataclass(frozen=True, slots=True)
class _Struct:
    fields: Mapping[str, _Type]


@dataclass(frozen=True, slots=True)
class _Pointer:
    """Tells an absent value from a zero one: `{}` and 0 behind a pointer stay."""

    target: _Type


@dataclass(frozen=True, slots=True)
class _TextMap:
    pass


_Type: TypeAlias = "_Scalar | _List | _Struct | _Pointer | _TextMap"

_TEXT: Final = _Scalar(str, "")
_INT: Final = _Scalar(int, 0)
_EXPRESSIONS: Final = _List(_Struct({"key": _TEXT, "operator": _TEXT, "values": _List(_TEXT)}))
_AFFINITY: Final[dict[str, _Type]] = {
    "labelSelector": _Pointer(_Struct({"matchLabels": _TextMap(), "matchExpressions": _EXPRESSIONS})),
    "fieldSelector": _Pointer(_Struct({"matchExpressions": _EXPRESSIONS})),
    "clusterNames": _List(_TEXT),
    "exclude": _List(_TEXT),
}
_TERM: Final[dict[str, _Type]] = {"affinityName": _TEXT, **_AFFINITY}
_GROUP: Final = _Pointer(_Struct({"groupByLabelKey": _TEXT}))
_WEIGHTS: Final = _List(_Struct({"targetCluster": _Struct(_AFFINITY), "weight": _INT}))
_PLACEMENT: Final = _Struct(
    {
        "clusterAffinity": _Pointer(_Struct(_AFFINITY)),
        "clusterAffinities": _List(_Struct(_TERM | {"overflowAffinities": _List(_Struct(_TERM))})),
        "clusterTolerations": _List(
            _Struct(
                {
                    "key": _TEXT,
                    "operator": _TEXT,
                    "value": _TEXT,
                    "effect": _TEXT,
                    "tolerationSeconds": _Pointer(_INT),
                }
            )
        ),
        "spreadConstraints": _List(
            _Struct({"spreadByField": _TEXT, "spreadByLabel": _TEXT, "maxGroups": _INT, "minGroups": _INT})
        ),
        "replicaScheduling": _Pointer(
            _Struct(
                {
                    "replicaSchedulingType": _TEXT,
                    "replicaDivisionPreference": _TEXT,
                    "weightPreference": _Pointer(
                        _Struct({"staticWeightList": _WEIGHTS, "dynamicWeight": _TEXT})
                    ),
                }
            )
        ),
        "workloadAffinity": _Pointer(_Struct({"affinity": _GROUP, "antiAffinity": _GROUP})),
    }
)


@lru_cache(maxsize=1024)
def applied_placement(text: str) -> Object | None:
    """The placement in an annotation's text, in normal form; None where Karmada could not read it."""
    try:
        return normal_placement(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError, UnreadableError):
        return None


def applied_text(placement: Placement) -> str:
    """The annotation's text for a placement, as Karmada writes it."""
    return escape_html(json.dumps(placement.raw, separators=(",", ":"), ensure_ascii=False))


def normal_placement(value: Value) -> Object:
    """A placement in normal form. Raises UnreadableError where it does not fit the types."""
    normal = _normal(_PLACEMENT, value)
    return normal if isinstance(normal, dict) else {}


def _normal(kind: _Type, value: Value) -> Value:
    """The value as its Go type holds it; None where that is the type's zero value, {} for a struct."""
    if isinstance(kind, _Pointer):
        return None if value is None else _pointed(kind.target, value)
    if isinstance(kind, _Struct):
        return _struct(kind, value)
    if value is None:
        return None
    if isinstance(kind, _List) and isinstance(value, list):
        return [_element(kind.element, item) for item in value] or None
    if isinstance(kind, _TextMap) and isinstance(value, dict):
        return {key: _element(_TEXT, item) for key, item in value.items()} or None
    if isinstance(kind, _Scalar) and _fits(kind, value):
        return None if value == kind.zero else value
    raise UnreadableError


def _pointed(target: _Type, value: Value) -> Value:
    normal = _normal(target, value)
    return target.zero if normal is None and isinstance(target, _Scalar) else normal


def _element(kind: _Type, value: Value) -> Value:
    """An element stays where it is, zero or not."""
    normal = _normal(kind, value)
    return kind.zero if normal is None and isinstance(kind, _Scalar) else normal


def _struct(kind: _Struct, value: Value) -> Value:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnreadableError
    names = {name.lower(): name for name in kind.fields}
    result: dict[str, Value] = {}
    for key, item in value.items():
        # Go finds a field by its exact name, else by one that differs in case alone.
        name = key if key in kind.fields else names.get(key.lower(), "")
        if not name:
            continue
        field = kind.fields[name]
        normal = _normal(field, item)
        if normal is None or (normal == {} and isinstance(field, _Struct)):
            if item is not None:
                result.pop(name, None)
        else:
            result[name] = normal
    return result


def _fits(kind: _Scalar, value: Value) -> bool:
    if kind.kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, str)


def _refuse(constant: str) -> Value:
    raise UnreadableError(constant)
