"""Portable names for clusters: for directories, for objects of a delivery engine, and as label values."""

from __future__ import annotations

import hashlib
import re
from typing import Final

MAX_SLUG: Final = 63

_PORTABLE = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_DEVICES = frozenset(
    ["aux", "con", "nul", "prn", *(f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789")]
)
_HASH_LENGTH = 10


def slug(name: str) -> str:
    """The portable form of a cluster's name, the name itself where that is portable.

    It is a DNS name of at most 63 characters, no device of Windows, and cannot leave its directory. What
    is too long is cut, with a hash of the whole name in place of the rest. Two names may have one slug;
    whoever takes names from a user must look for that.
    """
    if is_portable(name):
        return name
    labels = re.sub(r"[^a-z0-9.]+", "-", name.lower()).split(".")
    kept = ".".join(label.strip("-") for label in labels if label.strip("-"))
    if not kept:
        return f"cluster-{_code(name)}"
    if kept.partition(".")[0] in _DEVICES:
        kept = f"cluster-{kept}"
    if len(kept) <= MAX_SLUG:
        return kept
    return f"{kept[: MAX_SLUG - _HASH_LENGTH - 1].rstrip('-.')}-{_code(name)}"


def is_portable(name: str) -> bool:
    """Whether a name is its own slug."""
    return (
        len(name) <= MAX_SLUG
        and _PORTABLE.fullmatch(name) is not None
        and name.partition(".")[0] not in _DEVICES
    )


def _code(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
