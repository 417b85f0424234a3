"""A Secret would be published as everybody can read it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from renderer.document.values import EMPTY, Object, Value, mapping
from renderer.model.guards import PLAINTEXT_SECRETS
from renderer.model.identity import annotations_of
from renderer.model.sops import is_encrypted, is_sops
from renderer.publish.guards.situation import Situation
from renderer.publish.guards.stop import Stop, plural

_DATA = ("data", "stringData")
_COPY = "kubectl.kubernetes.io/last-applied-configuration"


def plaintext_secrets(situation: Situation) -> Iterator[Stop]:
    """Look at every Secret that is new or changed; what was published is known to the world already."""
    found: dict[str, list[str]] = {}
    for item in situation.secrets:
        keys = _plain(situation.body(item.after)) if item.after else ()
        named = situation.named(item)
        clusters = situation.unwaived(PLAINTEXT_SECRETS, named, item.clusters) if keys else ()
        if clusters:
            found.setdefault(f"{named} ({', '.join(keys)})", []).extend(clusters)
    if found:
        yield Stop(
            guard=PLAINTEXT_SECRETS,
            what=f"{plural(len(found), 'Secret')} would be published in plain text",
            why="base64 hides nothing, and Git forgets nothing",
            objects=tuple(situation.on(named, sorted(found[named])) for named in sorted(found)),
            fix="encrypt it with SOPS, or keep a SealedSecret or an ExternalSecret instead",
        )


def _plain(body: Object) -> tuple[str, ...]:
    """The keys whose values can be read."""
    if (body.get("apiVersion"), body.get("kind")) != ("v1", "Secret"):
        return ()
    found = _readable(body, sops=is_sops(body))
    copy = annotations_of(body).get(_COPY, "")
    return (*found, _COPY) if copy and _readable(_parsed(copy), sops=is_sops(body)) else found


def _readable(body: Object, *, sops: bool) -> tuple[str, ...]:
    return tuple(
        key
        for field in _DATA
        for key, value in mapping(body.get(field)).items()
        if not _is_hidden(value, sops=sops)
    )


def _parsed(copy: str) -> Object:
    """What kubectl keeps of the object it applied: all of it, values included, which nobody encrypts."""
    try:
        return mapping(json.loads(copy))
    except (ValueError, RecursionError):
        return EMPTY


def _is_hidden(value: Value, *, sops: bool) -> bool:
    return value in (None, "") or (sops and is_encrypted(value))
