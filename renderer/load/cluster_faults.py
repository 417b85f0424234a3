"""What Karmada's Cluster admission has against the parts of a cluster that both inventory forms share.

Source: Karmada pkg/apis/cluster/validation/validation.go, pkg/util/lifted/validateclustertaints.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from renderer.document.pointer import escape
from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.load.names import label_key, label_value
from renderer.load.wording import show, told
from renderer.model.quantity import parse_quantity

REFUSED = "Karmada refuses such a cluster, so no policy can choose it"
_LABEL_VALUE = "write at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something wrong with a field; `pointer` is relative to what was looked at."""

    pointer: str
    what: str
    fix: str
    why: str = REFUSED
    severity: Severity = Severity.ERROR

    def problem(self, document: Document, subject: str) -> Problem:
        """The fault told to a user."""
        what = f"{subject}: {self.what}"
        return told(document, self.pointer, what, why=self.why, fix=self.fix, severity=self.severity)


def below(prefix: str, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults of a part, as faults of the whole that has it at `prefix`."""
    for fault in faults:
        yield replace(fault, pointer=prefix + fault.pointer)


# A fleet repeats its keys and values.
_wrong_key = lru_cache(maxsize=65536)(label_key)
_wrong_value = lru_cache(maxsize=65536)(label_value)


def label_faults(labels: Object) -> Iterator[Fault]:
    """Labels whose key or value Kubernetes does not take."""
    for key, value in labels.items():
        pointer = f"/{escape(key)}"
        if _wrong_key(key):
            fix = "write a name, or a DNS name, a slash and a name"
            yield Fault(pointer=pointer, what=f"{show(key)} is no label key", fix=fix)
        if _wrong_value(text(value)):
            yield Fault(pointer=pointer, what=f"{show(value)} is no label value", fix=_LABEL_VALUE)


def place_faults(spec: Object) -> Iterator[Fault]:
    """Provider, region and zones, which field selectors treat as label values."""
    for key in ("provider", "region", "zone"):
        yield from _place_fault(f"/{key}", key, spec.get(key))
    for index, zone in enumerate(sequence(spec.get("zones"))):
        yield from _place_fault(f"/zones/{index}", "zone", zone)


def _place_fault(pointer: str, key: str, value: Value) -> Iterator[Fault]:
    if _wrong_value(text(value)):
        yield Fault(pointer=pointer, what=f"{show(value)} cannot be a {key}", fix=_LABEL_VALUE)


def taint_faults(taints: Value) -> Iterator[Fault]:
    """Taints, each by itself and beside the others."""
    seen: dict[tuple[str, str], int] = {}
    for index, taint in enumerate(map(mapping, sequence(taints))):
        key, value, effect = (text(taint.get(name)) for name in ("key", "value", "effect"))
        pointer = f"/{index}"
        if _wrong_key(key):
            fix = "write a name, or a DNS name, a slash and a name"
            yield Fault(pointer=f"{pointer}/key", what=f"{show(key)} cannot be the key of a taint", fix=fix)
        if _wrong_value(value):
            what = f"{show(value)} cannot be the value of a taint"
            yield Fault(pointer=f"{pointer}/value", what=what, fix=_LABEL_VALUE)
        if effect == "PreferNoSchedule":
            yield Fault(
                pointer=f"{pointer}/effect",
                what=f"the taint {key} has the effect PreferNoSchedule",
                why="Karmada's scheduler knows no preference: the taint keeps nothing away",
                fix="write NoSchedule or NoExecute, or remove the taint",
                severity=Severity.WARNING,
            )
        if (key, effect) in seen:
            what = f"the taint {key}:{effect} is there twice"
            yield Fault(pointer=pointer, what=what, fix="remove one of them")
        seen[(key, effect)] = index


def quantity_faults(amounts: Object) -> Iterator[Fault]:
    """Amounts of resources that are no quantities."""
    for name, amount in amounts.items():
        if parse_quantity(amount) is None:
            what = f"{show(amount)} is no amount of {name}"
            yield Fault(
                pointer=f"/{escape(name)}", what=what, fix='write an amount such as "4", 500m or 16Gi'
            )


def capacity_faults(allocatable: Object) -> Iterator[Fault]:
    """A capacity that counts as none."""
    if allocatable and "pods" not in allocatable:
        yield Fault(
            pointer="",
            what="its capacity says nothing of pods",
            why="Karmada counts a cluster without an amount of pods as full: no divided replica goes there",
            fix='add pods: "110" for each node',
            severity=Severity.WARNING,
        )
