"""Portable, unique file names for objects.

A name is lower case, holds only letters, digits, "." and "-", is no reserved device name, stays below
255 bytes and cannot leave its directory. An identity that fits is written as it is; any other, and any
two that would meet in one name, get a short hash of the identity. The file name is never the identity.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping

from renderer.model.identity import Identity
from renderer.model.places import CLUSTER_SCOPED

_PORTABLE = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_DEVICES = frozenset(
    [
        "con",
        "prn",
        "aux",
        "nul",
        "clock$",
        *(f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789"),
    ]
)
_LONGEST = 240  # bytes; leaves room for a suffix below the 255 of common file systems


def segment(text: str, identity: str) -> str:
    """A directory or file name for `text`; `identity` is hashed into it where `text` itself will not do."""
    portable = (
        bool(_PORTABLE.fullmatch(text))
        and len(text) <= _LONGEST
        and ".." not in text
        and text.partition(".")[0] not in _DEVICES
    )
    return text if portable else with_hash(text, identity)


def with_hash(text: str, identity: str) -> str:
    """What is portable of `text`, made unique by a hash of the identity."""
    kept = re.sub(r"[^a-z0-9-]+", "-", text.lower())[: _LONGEST - 20].strip("-")
    code = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{kept}-{code}" if kept else f"x-{code}"


def manifest_paths(identities: Iterable[Identity]) -> Mapping[Identity, tuple[str, str]]:
    """Directory and file name of each object, as published below a cluster and below the bindings.

    Identities differ in group, kind, namespace or name; the result is one-to-one.
    """
    wanted: dict[tuple[str, str], list[Identity]] = {}
    for identity in identities:
        wanted.setdefault(_path(identity), []).append(identity)
    paths: dict[Identity, tuple[str, str]] = {}
    for (directory, name), sharing in wanted.items():
        for identity in sharing:
            unique = (
                name
                if len(sharing) == 1
                else with_hash(name.removesuffix(".yaml"), _text(identity)) + ".yaml"
            )
            paths[identity] = (directory, unique)
    return paths


def plain_path(identity: Identity) -> str:
    """The path of an object that meets no other in its name."""
    return "/".join(manifest_paths([identity])[identity])


def _path(identity: Identity) -> tuple[str, str]:
    kind = identity.kind.lower() + (f".{identity.group}" if identity.group else "")
    directory = CLUSTER_SCOPED
    if identity.namespace:
        # A namespace has no dot; one that has could meet a file of the cluster's own directory.
        directory = segment(identity.namespace, identity.namespace)
        if "." in directory:
            directory = with_hash(identity.namespace, identity.namespace)
    stem = f"{kind}.{identity.name}"
    if identity.name != identity.name.lower():
        return directory, with_hash(stem, _text(identity)) + ".yaml"  # case must not decide between two files
    return directory, segment(stem, _text(identity)) + ".yaml"


def _text(identity: Identity) -> str:
    return "\0".join(identity.key)
