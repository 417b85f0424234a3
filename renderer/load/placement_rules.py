"""What Karmada's validating webhooks have against cluster affinities and placements.

The functions take parts of an object whose types have been checked; absent and null are the same.
Source: Karmada pkg/util/validation/validation.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.load.field import FieldError, Path, invalid, not_supported
from renderer.load.names import label_key

FIELD_KEYS = ("provider", "region", "zone")
FIELD_OPERATORS = ("In", "NotIn")
_REFUSED_TOLERATIONS = ("Lt", "Gt")


def check_placement(placement: Object, path: Path) -> Iterator[FieldError]:
    """Everything wrong with a placement, in Karmada's order."""
    if _given(placement, "clusterAffinity") and _given(placement, "clusterAffinities"):
        yield invalid(path, placement, "clusterAffinities cannot co-exist with clusterAffinity")
    terms = [mapping(term) for term in sequence(placement.get("clusterAffinities"))]
    terms_path = path.child("clusterAffinities")
    if not overflow_allowed(mapping(placement.get("replicaScheduling"))):
        for index, term in enumerate(terms):
            if _given(term, "overflowAffinities"):
                yield invalid(
                    terms_path.index(index).child("overflowAffinities"),
                    term["overflowAffinities"],
                    "overflowAffinities can only be used together with "
                    "dynamic weight or aggregated scheduling",
                )
    yield from check_affinity(mapping(placement.get("clusterAffinity")), path.child("clusterAffinity"))
    yield from _terms(terms, terms_path)
    spread = [mapping(item) for item in sequence(placement.get("spreadConstraints"))]
    yield from _spread(spread, path.child("spreadConstraints"))
    workload_affinity = mapping(placement.get("workloadAffinity"))
    yield from _workload_affinity(workload_affinity, path.child("workloadAffinity"))
    yield from _tolerations(placement, path.child("clusterTolerations"))


def _given(value: Object, key: str) -> bool:
    return value.get(key) is not None


def overflow_allowed(scheduling: Object) -> bool:
    """Whether replicas are divided by what clusters can take, so that some can overflow."""
    if scheduling.get("replicaSchedulingType") != "Divided":
        return False
    preference = scheduling.get("replicaDivisionPreference")
    dynamic = bool(dig(scheduling, "weightPreference", "dynamicWeight"))
    return preference == "Aggregated" or (preference == "Weighted" and dynamic)


def check_affinity(affinity: Object, path: Path) -> Iterator[FieldError]:
    """The first thing wrong with the field selector of a cluster affinity."""
    selector = mapping(affinity.get("fieldSelector"))
    for expression in (mapping(item) for item in sequence(selector.get("matchExpressions"))):
        key, operator = text(expression.get("key")), text(expression.get("operator"))
        fault = ""
        if key not in FIELD_KEYS:
            fault = f"unsupported key {_quoted(key)}, must be provider, region, or zone"
        elif operator not in FIELD_OPERATORS:
            fault = f"unsupported operator {_quoted(operator)}, must be In or NotIn"
        if fault:
            yield invalid(path.child("fieldSelector"), selector, fault)
            return


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _terms(terms: Sequence[Object], path: Path) -> Iterator[FieldError]:
    names: list[str] = []
    for index, term in enumerate(terms):
        name = text(term.get("affinityName"))
        for detail in label_key(name):
            yield invalid(path.index(index), name, detail)
        if name in names:
            yield invalid(path, list(terms), "each affinity term in a policy must have a unique name")
        names.append(name)
        yield from check_affinity(term, path.index(index))
        yield from _overflow(term, path.index(index))


def _overflow(term: Object, path: Path) -> Iterator[FieldError]:
    path = path.child("overflowAffinities")
    if not _given(term, "overflowAffinities"):
        return
    if not _selects(term):
        yield invalid(
            path,
            term["overflowAffinities"],
            "overflowAffinities can only be used together with the inline ClusterAffinity",
        )
    names = [text(term.get("affinityName"))]
    for index, overflow in enumerate(mapping(item) for item in sequence(term["overflowAffinities"])):
        name, name_path = text(overflow.get("affinityName")), path.index(index).child("affinityName")
        for detail in label_key(name):
            yield invalid(name_path, name, detail)
        if name in names:
            yield invalid(
                name_path,
                name,
                "overflow affinity name must be unique "
                "and must not duplicate the primary group's affinityName",
            )
        names.append(name)
        yield from check_affinity(overflow, path.index(index))


def _selects(affinity: Object) -> bool:
    selectors = (affinity.get("labelSelector"), affinity.get("fieldSelector"))
    if any(selector is not None for selector in selectors):
        return True
    return bool(affinity.get("clusterNames") or affinity.get("exclude"))


def _spread(constraints: Sequence[Object], path: Path) -> Iterator[FieldError]:
    marked: dict[str, bool] = {}  # spreadByField -> whether its repetition has been told
    for index, constraint in enumerate(constraints):
        for fault in _spread_faults(constraint):
            yield invalid(path.index(index), constraint, fault)
        field = text(constraint.get("spreadByField"))
        if not field:
            continue
        if marked.get(field) is False:
            detail = f"multiple {field} spread constraints are not allowed"
            yield invalid(path, list(constraints), detail)
            marked[field] = True
        marked.setdefault(field, False)
    if marked and "cluster" not in marked:
        yield invalid(
            path,
            list(constraints),
            "the cluster spread constraint must be enabled in one of the constraints "
            "in case of SpreadByField is enabled",
        )


def _spread_faults(constraint: Object) -> Iterator[str]:
    low, high = _number(constraint.get("minGroups")), _number(constraint.get("maxGroups"))
    if constraint.get("spreadByField") and constraint.get("spreadByLabel"):
        yield "spreadByLabel should not co-exist with spreadByField"
    if low < 0:
        yield "minGroups lower than 0 is not allowed"
    if high < 0:
        yield "maxGroups lower than 0 is not allowed"
    if 0 < high < low:
        yield "maxGroups lower than minGroups is not allowed"


def _number(value: Value) -> int | float:
    return value if isinstance(value, int | float) else 0


def _workload_affinity(affinity: Object, path: Path) -> Iterator[FieldError]:
    keys: list[str] = []
    for name in ("affinity", "antiAffinity"):
        if not _given(affinity, name):
            continue
        key = text(dig(affinity, name, "groupByLabelKey"))
        for detail in label_key(key):
            yield invalid(path.child(name, "groupByLabelKey"), key, detail)
        if key in keys:
            yield invalid(path, affinity, "affinity and antiAffinity must not use the same groupByLabelKey")
        keys.append(key)


def _tolerations(placement: Object, path: Path) -> Iterator[FieldError]:
    for index, toleration in enumerate(sequence(placement.get("clusterTolerations"))):
        operator = dig(toleration, "operator")
        if operator in _REFUSED_TOLERATIONS:
            yield not_supported(path.index(index).child("operator"), operator, ("", "Exists", "Equal"))
