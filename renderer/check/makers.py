"""Findings about objects that a controller makes, and that are rendered beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.model.carried import clusters_of, written
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering

MADE: Final = Rule(
    id="KR803",
    title="A controller makes what is rendered",
)

RULES: Final = (MADE,)

_Key: TypeAlias = tuple[str, str, str, str]  # as Identity.key


def maker_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    makers: dict[_Key, list[Rendering]] = {}
    for rendering in written(plan):
        made = _made(rendering.template.identity, rendering.template.body)
        if made:
            makers.setdefault(made, []).append(rendering)
    for rendering in written(plan):
        yield from _owned(rendering)
        for maker in makers.get(rendering.template.identity.key, ()):
            yield from _made_by(rendering, maker)


def _owned(rendering: Rendering) -> Iterator[Problem]:
    for index, item in enumerate(sequence(dig(rendering.template.body, "metadata", "ownerReferences"))):
        owner = mapping(item)
        if owner.get("controller") is True:
            yield MADE.at(
                rendering.template.document,
                f"/metadata/ownerReferences/{index}",
                what=f"{rendering.template.identity} is made by {text(owner.get('kind'))} "
                f"{text(owner.get('name'))}, whose controller owns it",
                why="the reference is left out, so a second one is applied beside what the owner makes",
                fix="take it out of the workspace, and keep its owner",
            )
            return


def _made_by(rendering: Rendering, maker: Rendering) -> Iterator[Problem]:
    there = clusters_of(maker)
    common = [name for name in clusters_of(rendering) if name in there]
    if common:
        yield MADE.at(
            rendering.template.document,
            what=f"{rendering.template.identity} is rendered, and {maker.template.identity} "
            f"has it made, on {some(common)}",
            why="the object has two writers there, and each undoes what the other writes",
            fix=f"take one of the two out: {rendering.template.identity}, or {maker.template.identity}",
        )


def _made(identity: Identity, body: Object) -> _Key | None:
    """What a controller makes of an object, where that is certain."""
    match identity.group, identity.kind:
        case "bitnami.com", "SealedSecret":
            return "", "Secret", identity.namespace, _name(body, identity, "template", "metadata", "name")
        case "external-secrets.io", "ExternalSecret":
            # With these policies it adds to a Secret that somebody else makes, or makes none.
            if text(dig(body, "spec", "target", "creationPolicy")) in ("Merge", "None"):
                return None
            return "", "Secret", identity.namespace, _name(body, identity, "target", "name")
        case "cert-manager.io", "Certificate":
            name = text(dig(body, "spec", "secretName"))
            return ("", "Secret", identity.namespace, name) if name else None
        case "", "Service" if mapping(dig(body, "spec", "selector")):
            return "", "Endpoints", identity.namespace, identity.name
    return None


def _name(body: Object, identity: Identity, *path: str) -> str:
    return text(dig(body, "spec", *path)) or identity.name
