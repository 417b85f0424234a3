"""What a conformance vector came to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Recorded answer beside ours; `category` groups the report, `note` says why they differ."""

    category: str
    expected: object
    got: object
    passed: bool
    note: str = ""
