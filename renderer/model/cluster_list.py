"""The list of clusters that many bindings share: one name a line, under a name made from what it lists."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def listed(names: Iterable[str]) -> bytes:
    """The content of the list's file."""
    return "".join(sorted(f"{name}\n" for name in names)).encode()


def list_name(names: Iterable[str]) -> str:
    """What the list is called."""
    return hashlib.sha256(listed(names)).hexdigest()[:16]
