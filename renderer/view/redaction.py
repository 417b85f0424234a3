"""What must not be shown: the contents of Secrets."""

from __future__ import annotations

from typing import Final

from renderer.model.identity import Identity

REDACTED: Final = "(redacted)"


def is_secret(identity: Identity) -> bool:
    """Whether the values of an object are not for logs and terminals."""
    return identity.kind == "Secret" and identity.group == ""
