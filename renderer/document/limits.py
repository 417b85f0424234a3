"""How much input a reader takes before it says no."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds that no honest manifest comes near, and that keep time and memory in proportion to the input.

    `max_bytes` of one file; `depth` of maps and lists inside each other; `documents` in one file;
    `expanded_nodes` of one document once its aliases are followed (the share of aliases is bounded too, by
    go-yaml's own rule).
    """

    max_bytes: int = 20 * 1024 * 1024
    depth: int = 200
    documents: int = 10_000
    expanded_nodes: int = 2_000_000


DEFAULT_LIMITS = Limits()
