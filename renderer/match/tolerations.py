"""Taints and tolerations: does one tolerate the other, and if not, what is different.

Source: k8s.io/api core/v1 toleration.go, ToleratesTaint, comparison operators disabled as in Karmada.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from renderer.model.cluster import Taint
from renderer.model.placement import Toleration

REJECTING: Final = ("NoSchedule", "NoExecute")  # effects that keep new work away


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether the toleration covers the taint; an operator that is not known covers nothing."""
    return not differences(toleration, taint)


def differences(toleration: Toleration, taint: Taint) -> tuple[str, ...]:
    """What keeps the toleration from covering the taint; empty where it does."""
    found = []
    if toleration.effect not in ("", taint.effect):
        found.append(f"its effect is {toleration.effect}")
    if toleration.key not in ("", taint.key):
        found.append(f"its key is {toleration.key}")
    if toleration.operator not in ("", "Equal", "Exists"):
        found.append(f"its operator {toleration.operator} tolerates nothing")
    elif toleration.operator != "Exists" and toleration.value != taint.value:
        found.append(f'its value is "{toleration.value}"')
    return tuple(found)


def untolerated(taints: Sequence[Taint], tolerations: Sequence[Toleration]) -> tuple[Taint, ...]:
    """The taints that keep new work away and that no toleration covers, in the order written."""
    return tuple(
        taint
        for taint in taints
        if taint.effect in REJECTING and not any(tolerates(toleration, taint) for toleration in tolerations)
    )


def nearest(taint: Taint, tolerations: Sequence[Toleration]) -> tuple[int, tuple[str, ...]] | None:
    """The toleration that comes closest to covering the taint: its index and what is different.

    None where none is near: one that is about another key altogether is not.
    """
    found = [(differences(toleration, taint), index) for index, toleration in enumerate(tolerations)]
    near = [
        (missing, index)
        for missing, index in found
        if tolerations[index].key in ("", taint.key) and len(missing) <= 2
    ]
    if not near:
        return None
    missing, index = min(near, key=lambda entry: (len(entry[0]), entry[1]))
    return index, missing
