"""Findings about objects that a controller makes, and that are rendered beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from renderer.check.finding import Rule, some
from renderer.document.problem import Problem
from renderer.document.values import Object, Value, dig, mapping, sequence, text
from renderer.model.carried import clusters_of, written
from renderer.model.identity import Identity, annotations_of
from renderer.model.plan import Plan, Rendering

MADE: Final = Rule(
    id="KR803",
    title="A controller makes what is rendered",
)

RULES: Final = (MADE,)

# By one of these, cert-manager makes a Certificate of an Ingress.
_ISSUERS: Final = frozenset({"cert-manager.io/issuer", "cert-manager.io/cluster-issuer"})

_Key: TypeAlias = tuple[str, str, str, str]  # as Identity.key


def maker_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family."""
    makers: dict[_Key, list[Rendering]] = {}
    for rendering in written(plan):
        identity = rendering.template.identity
        for kind, name in _made(identity, rendering.template.body):
            if name:
                makers.setdefault(("", kind, identity.namespace, name), []).append(rendering)
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


def _made(identity: Identity, body: Object) -> Iterator[tuple[str, str]]:
    """Kinds and names of what a controller makes of an object, where that is certain."""
    spec = mapping(body.get("spec"))
    match identity.group, identity.kind:
        case "bitnami.com", "SealedSecret":
            yield "Secret", text(dig(spec, "template", "metadata", "name")) or identity.name
        case "external-secrets.io", "ExternalSecret":
            # With these policies it adds to a Secret that somebody else makes, or makes none.
            if text(dig(spec, "target", "creationPolicy")) not in ("Merge", "None"):
                yield "Secret", text(dig(spec, "target", "name")) or identity.name
        case "cert-manager.io", "Certificate":
            yield "Secret", text(spec.get("secretName"))
        case "isindir.github.com", "SopsSecret":
            yield from (("Secret", text(item.get("name"))) for item in _maps(spec.get("secretTemplates")))
        case "secrets.hashicorp.com", _:
            if dig(spec, "destination", "create") is True:
                yield "Secret", text(dig(spec, "destination", "name"))
        case "networking.k8s.io", "Ingress" if _ISSUERS & annotations_of(body).keys():
            yield from (("Secret", text(item.get("secretName"))) for item in _maps(spec.get("tls")))
        case "", "Service" if mapping(spec.get("selector")):
            yield "Endpoints", identity.name


def _maps(value: Value) -> Iterator[Object]:
    return map(mapping, sequence(value))
