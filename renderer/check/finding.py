"""What findings have in common: their rules, and how they name some of many."""

from __future__ import annotations

from collections.abc import Sequence

from renderer.document.rule import Rule

__all__ = ["Rule", "some"]


def some(names: Sequence[object], most: int = 3) -> str:
    """The first few of many, and how many more there are."""
    shown = ", ".join(str(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
