"""A request that is not answered with a list: with what status, and why, for people and for counting."""

from __future__ import annotations

from typing import Final

from renderer.model.exchange import Response, said

# Why a list that was asked for in the right way is not given.
SHRUNK: Final = "shrunk"
EMPTY: Final = "empty"
TOO_LARGE: Final = "too_large"
TOO_MANY: Final = "too_many_questions"
NOT_READY: Final = "not_ready"
STALE: Final = "stale"
REASONS: Final = (SHRUNK, EMPTY, TOO_LARGE, TOO_MANY, NOT_READY, STALE)


class RefusedError(Exception):
    """Ends the work on a request; `reason` is one of REASONS where a list is withheld."""

    def __init__(self, status: int, message: str, *headers: tuple[str, str], reason: str = "") -> None:
        """Keep what goes back."""
        self.status = status
        self.message = message
        self.headers = headers
        self.reason = reason
        super().__init__(status, message)

    @property
    def response(self) -> Response:
        """What goes back."""
        return said(self.status, self.message, *self.headers)
