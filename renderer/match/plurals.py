"""The names under which an API server serves kinds: `ingresses` for Ingress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from renderer.document.values import Object, dig, text
from renderer.match.scope import Scope, scope_of
from renderer.model.identity import group_of

Plurals: TypeAlias = Mapping[tuple[str, str], str]  # by group and kind

CRD: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")
_SAME: Final = frozenset({"Endpoints"})  # their own plural


def resource_name(kind: str) -> str:
    """The plural of a kind of Kubernetes."""
    name = kind.lower()
    if kind in _SAME:
        return name
    if name.endswith(("s", "x", "ch", "sh")):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"


def plural_of(group: str, kind: str, known: Plurals) -> str | None:
    """The name of a kind that is known, or one of Kubernetes' or Karmada's own; None of any other."""
    stated = known.get((group, kind))
    built_in = scope_of(f"{group}/v1" if group else "v1", kind) is not Scope.UNKNOWN
    return stated or (resource_name(kind) if built_in else None)


def crd_plurals(bodies: Iterable[Object]) -> Plurals:
    """What the CustomResourceDefinitions among objects say."""
    found: dict[tuple[str, str], str] = {}
    for body in bodies:
        if body.get("kind") == CRD[1] and group_of(text(body.get("apiVersion"))) == CRD[0]:
            plural = text(dig(body, "spec", "names", "plural"))
            if plural:
                found[text(dig(body, "spec", "group")), text(dig(body, "spec", "names", "kind"))] = plural
    return found
