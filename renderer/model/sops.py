"""Objects encrypted with SOPS: their values are unreadable, and a seal over all of them must stay intact."""

from __future__ import annotations

from renderer.document.values import Object, Value

_KEY = "sops"


def is_sops(body: Object) -> bool:
    """Whether an object carries the block in which SOPS keeps its keys and its seal."""
    block = body.get(_KEY)
    return isinstance(block, dict) and "mac" in block


def is_encrypted(value: Value) -> bool:
    """Whether SOPS has encrypted a value."""
    return isinstance(value, str) and value.startswith("ENC[") and value.endswith("]")
