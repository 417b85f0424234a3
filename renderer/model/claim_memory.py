"""What sticky claims remember from one render to the next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.document.values import Object
from renderer.model.identity import Identity

PolicyKey: TypeAlias = tuple[str, str]  # namespace ("" for a ClusterPropagationPolicy) and name


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPolicy:
    """A propagation policy as it was: whether its spec has changed is told by the digest."""

    digest: str
    priority: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTemplate:
    """A resource template as it was, and the policy that claimed it."""

    digest: str
    claimed_by: PolicyKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMemory:
    """All policies and templates of a render: what is not among them is new to the next."""

    policies: Mapping[PolicyKey, SeenPolicy] = field(default_factory=dict)
    templates: Mapping[Identity, SeenTemplate] = field(default_factory=dict)


def digest_of(body: Object) -> str:
    """A short text that tells whether an object changed; the order of its keys does not count."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
