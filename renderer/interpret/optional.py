"""Which references may lead nowhere: those that say `optional`, and secrets for pulling images.

Karmada takes optional references for dependencies like any other; whether something is missing is another
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from renderer.document.values import Object, Value, dig, text
from renderer.model.interpretation import Dependency

Reference: TypeAlias = tuple[str, str]  # kind and name

_REFERENCES: Final = {
    "configMapRef": "ConfigMap",
    "configMapKeyRef": "ConfigMap",
    "configMap": "ConfigMap",
    "secretRef": "Secret",
    "secretKeyRef": "Secret",
    "secret": "Secret",
}


def needed(dependencies: Iterable[Dependency], body: Object) -> tuple[Dependency, ...]:
    """The dependencies without which an object does not work."""
    found = tuple(_references(body))
    needs = {reference for reference, optional in found if not optional}
    spare = {reference for reference, optional in found if optional} - needs
    return tuple(item for item in dependencies if (item.kind, item.name) not in spare)


def _references(value: Value) -> Iterator[tuple[Reference, bool]]:
    """References anywhere in a value, each with whether it may lead nowhere."""
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        kind = _REFERENCES.get(key)
        name = text(dig(item, "name")) or text(dig(item, "secretName"))
        if kind is not None and name:
            yield (kind, name), dig(item, "optional") is True
        elif key == "imagePullSecrets" and isinstance(item, list):
            yield from (((("Secret", text(dig(secret, "name"))), True)) for secret in item)
        else:
            yield from _references(item)
