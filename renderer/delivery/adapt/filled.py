"""What the cluster fills in: a file that has something there, or null, would empty or undo it.

| field | who fills it in |
|---|---|
| null `data` of a Secret or ConfigMap | the token controller, a reflector |
| `rules` of a ClusterRole with an `aggregationRule` | the control plane, from the roles that it selects |
| `caBundle` where an annotation asks for one | the CA injector of cert-manager or OpenShift |

Karmada writes null for the token of a ServiceAccount and never applies it: it keeps what the member has. An
engine keeps nothing, and client-side apply deletes a field that is null. Sources: Karmada
pkg/resourceinterpreter/default/native/retain.go; k8s.io/apimachinery pkg/util/strategicpatch/patch.go;
k8s.io/api rbac/v1 types.go; cert-manager docs/concepts/ca-injector.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from renderer.delivery.adapt.adapter import Adapter, Piece
from renderer.delivery.adapt.world import World
from renderer.document.edit import removed
from renderer.document.patch import ABSENT, Maybe
from renderer.document.pointer import join
from renderer.document.values import Object, Value, dig
from renderer.match.fleet import Mask
from renderer.model.adaptation import Adaptation
from renderer.model.identity import annotations_of

NAME: Final = "filled"

_NULL: Final = "null would empty what is filled in on the cluster"
_AGGREGATED: Final = "the control plane fills in the rules of an aggregated ClusterRole"
_INJECTED: Final = "its annotation {key} has caBundle filled in on the cluster"

_DATA: Final = ("data", "stringData", "binaryData")
_BUNDLE: Final = ("clientConfig", "caBundle")
_INJECTORS: Final = (
    "cert-manager.io/inject-ca-from",
    "cert-manager.io/inject-ca-from-secret",
    "cert-manager.io/inject-apiserver-ca",
    "service.beta.openshift.io/inject-cabundle",
)
_BUNDLES: Final = {
    "APIService": ("spec", "caBundle"),
    "CustomResourceDefinition": ("spec", "conversion", "webhook", *_BUNDLE),
}
_HOOKS: Final = frozenset({"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})


def filled(world: World) -> Adapter | None:
    """On all clusters that have an engine."""
    mask = reduce(or_, (mask for _, mask in world.engines), 0)

    def adapter(piece: Piece) -> Iterator[tuple[Mask, tuple[Adaptation, ...]]]:
        done = tuple(_filled_in(piece)) if piece.mask & mask else ()
        if done:
            yield piece.mask & mask, done

    return adapter if mask else None


def _filled_in(piece: Piece) -> Iterator[Adaptation]:
    body, kind = piece.body, piece.identity.kind
    match piece.identity.group, kind:
        case "", "ConfigMap" | "Secret":
            for field in _DATA:
                if body.get(field, ABSENT) is None:
                    yield _of((field,), None, ABSENT, _NULL)
        case "rbac.authorization.k8s.io", "ClusterRole":
            if body.get("aggregationRule") and "rules" in body:
                yield _of(("rules",), body["rules"], ABSENT, _AGGREGATED)
        case _ if kind in _HOOKS or kind in _BUNDLES:
            yield from _bundles(body, kind)


def _bundles(body: Object, kind: str) -> Iterator[Adaptation]:
    key = next((key for key in _INJECTORS if key in annotations_of(body)), "")
    if not key:
        return
    if kind in _BUNDLES:
        if removed(body, *_BUNDLES[kind]) is not body:
            yield _of(_BUNDLES[kind], dig(body, *_BUNDLES[kind]), ABSENT, _INJECTED.format(key=key))
        return
    hooks = body.get("webhooks")
    rest: Value = [_without_bundle(hook) for hook in hooks] if isinstance(hooks, list) else hooks
    if rest != hooks:
        yield _of(("webhooks",), hooks, rest, _INJECTED.format(key=key))


def _without_bundle(hook: Value) -> Value:
    return removed(hook, *_BUNDLE) if isinstance(hook, dict) else hook


def _of(path: tuple[str, ...], before: Maybe, after: Maybe, reason: str) -> Adaptation:
    return Adaptation(by=NAME, path=join(path), before=before, after=after, reason=reason)
