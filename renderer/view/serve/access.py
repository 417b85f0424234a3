"""Who may ask: bearers of a token, compared in constant time."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Final

from renderer.view.serve.refused import NOT_READY, RefusedError

SHORTEST: Final = 16  # characters of a token
_CHALLENGE: Final = ("WWW-Authenticate", 'Bearer realm="krender", Basic realm="krender"')


def tokens_in(text: str) -> tuple[bytes, ...]:
    """One token a line, so that an old and a new one can be valid at once. Raises ValueError."""
    tokens = [line.strip() for line in text.splitlines() if line.strip()]
    if not tokens:
        raise ValueError("there is no token")
    if any(len(token) < SHORTEST for token in tokens):
        raise ValueError(f"a token is shorter than {SHORTEST} characters")
    if any(not token.isascii() or not token.isprintable() or " " in token for token in tokens):
        raise ValueError("a token has characters that no header can carry")
    return tuple(token.encode() for token in tokens)


def check(authorization: str | None, tokens: Sequence[bytes]) -> None:
    """Raise RefusedError unless the header has one of the tokens.

    With `Basic` it is the password, and the user does not matter.
    """
    if not tokens:
        raise RefusedError(503, "no token can be read, so nobody can be let in", reason=NOT_READY)
    scheme, _, value = (authorization or "").partition(" ")
    match scheme.lower():
        case "bearer":
            given = value.strip().encode("latin-1", "replace")
        case "basic":
            given = _password(value.strip())
        case _:
            raise RefusedError(401, "a bearer token is needed", _CHALLENGE)
    # Every token is compared, so that the time tells nothing either.
    if sum([hmac.compare_digest(given, token) for token in tokens]) == 0:
        raise RefusedError(403, "the token is not valid")


def _password(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""
