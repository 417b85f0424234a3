"""What must not be shown: the contents of Secrets, and what SOPS has encrypted.

Keys are shown, so that people see what is there; values are not, wherever they come from.
"""

from __future__ import annotations

import re
from typing import Final

from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import escape
from renderer.document.values import Value
from renderer.model.identity import Identity

REDACTED: Final = "(redacted)"

_CONTENTS: Final = ("/data", "/stringData")
# kubectl keeps a copy of the whole object in an annotation.
_COPY: Final = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"
_SOPS: Final = "/sops"
_CIPHERTEXT: Final = re.compile(r"ENC\[[A-Z0-9_]+,")


def is_secret(identity: Identity) -> bool:
    """Whether the values of an object are not for logs and terminals."""
    return identity.kind == "Secret" and identity.group == ""


def redacted(value: Maybe, pointer: str = "", *, secret: bool) -> Maybe:
    """The value as it may be shown; `pointer` is its place in the object, `secret` tells of a Secret.

    A map or list around something secret is shown without that.
    """
    if value is ABSENT:
        return ABSENT
    # A patch path with two slashes in front means the same place, in a copy that nobody sees.
    place = f"/{pointer.lstrip('/')}" if pointer else ""
    return _shown(value, place, secret=secret)


def _shown(value: Value, pointer: str, *, secret: bool) -> Value:
    if isinstance(value, dict) and not _whole(pointer, secret=secret):
        return {key: _shown(item, f"{pointer}/{escape(key)}", secret=secret) for key, item in value.items()}
    if isinstance(value, list) and not _whole(pointer, secret=secret):
        return [_shown(item, f"{pointer}/{place}", secret=secret) for place, item in enumerate(value)]
    if value is None or (isinstance(value, dict | list) and not value):
        return value
    return REDACTED if _hidden(value, pointer, secret=secret) else value


def _whole(pointer: str, *, secret: bool) -> bool:
    """Whether nothing at or below the pointer is shown."""
    if pointer == _SOPS or pointer.startswith(f"{_SOPS}/"):
        return True
    return secret and (pointer == _COPY or pointer.startswith(tuple(f"{place}/" for place in _CONTENTS)))


def _hidden(value: Value, pointer: str, *, secret: bool) -> bool:
    if _whole(pointer, secret=secret) or (secret and pointer in _CONTENTS):
        return True
    return isinstance(value, str) and _CIPHERTEXT.search(value) is not None
