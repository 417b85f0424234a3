"""Metrics as values, and as OpenMetrics text.

The text is also read by node_exporter's textfile collector, which knows Prometheus' older format only: so
there are gauges and counters and nothing else, help texts need no escapes, and samples have no timestamps.
Source: OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

CONTENT_TYPE: Final = "application/openmetrics-text; version=1.0.0; charset=utf-8"

Number: TypeAlias = int | float
Labels: TypeAlias = tuple[str, ...]  # values, in the order of the family's names

# What readers of the text stumble over, as Python writes it; a line break has an escape of its own.
_CONTROLS: Final = {code: f"\\x{code:02x}" for code in (*range(0x20), 0x7F) if chr(code) != "\n"}
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Kind(StrEnum):
    """How the numbers of a family behave."""

    GAUGE = "gauge"  # what is so now
    COUNTER = "counter"  # what a process has counted since it started


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A metric: its name, which ends with its unit, what it tells, and the names of its labels.

    A counter's name is without `_total`, which its samples have. `zero` are the labels that are there even
    where nothing was counted, so that a graph shows 0 and no gap.
    """

    name: str
    help: str
    labels: tuple[str, ...] = ()
    unit: str = ""
    kind: Kind = Kind.GAUGE
    zero: tuple[Labels, ...] = ()

    @property
    def sample_name(self) -> str:
        """What its samples are called."""
        return f"{self.name}_total" if self.kind is Kind.COUNTER else self.name

    def of(self, samples: Mapping[Labels, Number]) -> Measured:
        """The family with these samples, and zero where there is none of those that are always there."""
        return Measured(family=self, samples={**dict.fromkeys(self.zero, 0), **samples})

    def at(self, value: Number) -> Measured:
        """The family without labels, with its one sample."""
        return self.of({(): value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A family and all of its samples."""

    family: Family
    samples: Mapping[Labels, Number] = field(default_factory=dict)


def openmetrics(measured: Iterable[Measured], **common: str) -> str:
    """The text, which ends with `# EOF`: families by name, samples by their labels.

    `common` are labels that every sample has; those without a value are left out. Where a family was measured
    twice, the last time counts.
    """
    labels = tuple((name, value) for name, value in sorted(common.items()) if value)
    families = {one.family.name: one for one in measured}
    lines = [line for _, one in sorted(families.items()) for line in _family(one, labels)]
    return "\n".join([*lines, "# EOF", ""])


def _family(measured: Measured, common: tuple[tuple[str, str], ...]) -> Iterator[str]:
    family = measured.family
    yield f"# TYPE {family.name} {family.kind}"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}"
    yield f"# HELP {family.name} {family.help}"
    # Two values that are written alike would be one sample told twice, which spoils the whole text.
    samples = {
        _labels((*common, *zip(family.labels, values, strict=True))): number
        for values, number in sorted(measured.samples.items())
    }
    for labels, number in samples.items():
        yield f"{family.sample_name}{labels} {_number(number)}"


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    text = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{text}}}" if text else ""


def _escaped(value: str) -> str:
    """A label's value; what others take for no text (control characters, lone surrogates) is spelt out."""
    text = value.encode("utf-8", "backslashreplace").decode()
    return text.translate(_CONTROLS).translate(_ESCAPES)


def _number(number: Number) -> str:
    return str(int(number)) if number == int(number) else repr(number)
