"""What docs/metrics.md and docs/monitoring/ say, taken apart: rows of tables, expressions, what they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "metrics.md"
FOLDER = ROOT / "docs" / "monitoring"

_METRIC = re.compile(r"\b(?P<name>(?:krender|node)_[a-z_]+)(?P<labels>\{[^}]*\})?")
_LABELS = re.compile(r"([a-z_]+)\s*(?:=~|!~|!=|=)\s*\"")
_GROUPED = re.compile(r"\b(?:by|on) \(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Named:
    """A metric in an expression, with the labels that are asked of it."""

    metric: str
    labels: frozenset[str]


def rows(title: str) -> list[list[str]]:
    """The rows of the first table below a heading of the page, each as its cells."""
    text = PAGE.read_text(encoding="utf-8")
    below = re.split(rf"^#+ {re.escape(title)}$", text, maxsplit=1, flags=re.MULTILINE)[1]
    table = re.search(r"(?:^\|.*\n)+", below, flags=re.MULTILINE)
    assert table
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def code(cell: str) -> list[str]:
    """What stands in backquotes."""
    return re.findall(r"`([^`]+)`", cell)


def alerts() -> list[Mapping[str, object]]:
    """Every alert."""
    groups = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, object]]:
    """Every panel of the dashboard."""
    found = dashboard()["panels"]
    assert isinstance(found, list)
    return found


def dashboard() -> dict[str, object]:
    """The dashboard."""
    found = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def queries() -> list[str]:
    """Every expression of the dashboard."""
    found = []
    for panel in panels():
        targets = panel["targets"]
        assert isinstance(targets, list)
        found += [target["expr"] for target in targets]
    return found


def named(expression: str) -> Iterator[Named]:
    """The metrics that an expression reads, each with its own labels and those that it is grouped by."""
    grouped = {label.strip() for found in _GROUPED.findall(expression) for label in found.split(",")}
    for found in _METRIC.finditer(_GROUPED.sub("", expression)):
        own = set(_LABELS.findall(found["labels"] or ""))
        yield Named(found["name"], frozenset(own | grouped))


def annotated(alert: Mapping[str, object]) -> set[str]:
    """The labels that an alert's texts name."""
    return set(re.findall(r"\$labels\.([a-z_]+)", json.dumps(alert["annotations"])))
