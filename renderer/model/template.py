"""A resource template: an object to be propagated, before anything is done to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderer.document.source import Document
from renderer.document.values import Object
from renderer.model.identity import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """An object of the workspace with its identity (namespace already defaulted) and its origin."""

    identity: Identity
    body: Object = field(repr=False)
    labels: tuple[tuple[str, str], ...] = ()
    document: Document | None = field(default=None, repr=False, compare=False)
