"""A request and its response, as values: between what reads them from a socket and what decides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A request without its body.

    `path` is as it was sent, without the query. Names of headers are in small letters; each is there once.
    """

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What goes back; `note` is for the log."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    note: str = ""


class Handler(Protocol):
    """Whoever decides what goes back."""

    def admit(self, head: Head) -> Response | None:
        """What to say before a body is read; None where the request may go on."""
        ...

    def answer(self, head: Head, body: bytes) -> Response:
        """What to say to the whole request, once it was admitted."""
        ...


def said(status: int, message: str, *headers: tuple[str, str], note: str = "") -> Response:
    """A response that is a message, as Argo CD shows it to its users."""
    body = json.dumps({"message": message}).encode() + b"\n"
    return Response(status=status, body=body, headers=headers, note=note or message)
