"""Resource models of a cluster: Karmada's defaults, its normal form, and what it has against them.

Source: Karmada pkg/apis/cluster/mutation/mutation.go, pkg/apis/cluster/validation/validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.load.cluster_faults import Fault
from renderer.model.quantity import Quantity, parse_quantity

_LARGEST: Final = "9223372036854775807"
_CPU: Final = ("0", "1", "2", "4", "8", "16", "32", "64", "128", _LARGEST)
_MEMORY: Final = ("0", "4Gi", "16Gi", "32Gi", "64Gi", "128Gi", "256Gi", "512Gi", "1Ti", _LARGEST)

DEFAULT_MODELS: Final[list[Value]] = [
    {
        "grade": grade,
        "ranges": [
            {"name": "cpu", "min": _CPU[grade], "max": _CPU[grade + 1]},
            {"name": "memory", "min": _MEMORY[grade], "max": _MEMORY[grade + 1]},
        ],
    }
    for grade in range(9)
]


def standard_models(models: Value) -> Sequence[Value]:
    """Models by grade, the lowest starting at nothing and the highest open; the defaults for none."""
    stated = [mapping(model) for model in sequence(models)]
    if not stated:
        return DEFAULT_MODELS
    ordered = sorted(stated, key=_grade)
    ordered[0] = _with_bound(ordered[0], "min", "0")
    ordered[-1] = _with_bound(ordered[-1], "max", _LARGEST)
    return ordered


def model_faults(models: Sequence[Value]) -> Iterator[Fault]:
    """The first thing wrong with models in normal form."""
    ordered = [mapping(model) for model in models]
    for model in ordered:
        for entry in _ranges(model):
            low, high = parse_quantity(entry.get("min")), parse_quantity(entry.get("max"))
            name = f"{text(entry.get('name'))} of grade {model.get('grade')}"
            if low is None or high is None:
                yield _fault(
                    f"the range of {name} has a bound that is no amount", "write amounts such as 16Gi"
                )
                return
            if high.amount <= low.amount:
                yield _fault(f"the range of {name} is empty", "write a max above the min")
                return
    yield from _pair_faults(ordered)


def _pair_faults(models: list[Object]) -> Iterator[Fault]:
    for lower, upper in pairwise(models):
        if lower.get("grade") == upper.get("grade"):
            yield _fault(f"grade {lower.get('grade')} is there twice", "give each model its own grade")
            return
        below, above = _ranges(lower), _ranges(upper)
        if [entry.get("name") for entry in below] != [entry.get("name") for entry in above]:
            yield _fault(
                "its models are not about the same resources", "name the same ones in each, in one order"
            )
            return
        for under, over in zip(below, above, strict=True):
            if not _meet(parse_quantity(under.get("max")), parse_quantity(over.get("min"))):
                yield _fault(
                    f"the ranges of {text(over.get('name'))} do not meet at grade {upper.get('grade')}",
                    f"write its min exactly as the max below it: {text(under.get('max'))}",
                )
                return


def _meet(below: Quantity | None, above: Quantity | None) -> bool:
    """Whether two bounds are one. Karmada compares how they are held, so 4Gi and 4096Mi are two."""
    if below is None or above is None or below.scale is None:
        return False
    return (below.amount, below.format, below.written, below.scale) == (
        above.amount,
        above.format,
        above.written,
        above.scale,
    )


def _fault(what: str, fix: str) -> Fault:
    return Fault(pointer="", what=what, fix=fix)


def _grade(model: Object) -> int:
    grade = model.get("grade")
    return grade if isinstance(grade, int) else 0


def _ranges(model: Object) -> list[Object]:
    return [mapping(entry) for entry in sequence(model.get("ranges"))]


def _with_bound(model: Object, bound: str, amount: str) -> Object:
    return {**model, "ranges": [{**entry, bound: amount} for entry in _ranges(model)]}
