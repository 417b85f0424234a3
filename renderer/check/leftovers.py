"""Findings about what a cluster wrote into an object, and what no other cluster can make use of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from renderer.check.finding import Rule
from renderer.document.problem import Problem
from renderer.document.values import Object, dig, mapping, sequence, text
from renderer.model.carried import written
from renderer.model.plan import Plan

LEFT_OVER: Final = Rule(id="KR507", title="A template holds what a cluster wrote into it")

RULES: Final = (LEFT_OVER,)

_Found: TypeAlias = tuple[str, str, str, str]  # the pointer, what stands there, why it matters, what to do

_BOUND: Final = "pv.kubernetes.io/bind-completed"
# A random suffix. Source: k8s.io/apimachinery pkg/util/rand.
_TOKEN: Final = re.compile(r".*-token-[bcdfghjklmnpqrstvwxz2456789]{5}")
_ACCESS: Final = re.compile(r"kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}")


def leftover_findings(plan: Plan) -> Iterator[Problem]:
    """All findings of this family: one a template."""
    for rendering in written(plan):
        identity = rendering.template.identity
        look = _LOOKS.get((identity.api_version, identity.kind))
        found = look(rendering.template.body) if look else None
        if found:
            pointer, what, why, fix = found
            yield LEFT_OVER.at(
                rendering.template.document, pointer, what=f"{identity}: {what}", why=why, fix=fix
            )


def _service_account(body: Object) -> _Found | None:
    """Karmada takes such entries out, and of two in a row the first only."""
    prefix = f"{text(dig(body, 'metadata', 'name'))}-token-"
    for index, entry in enumerate(sequence(body.get("secrets"))):
        name = text(mapping(entry).get("name"))
        if name.startswith(prefix):
            return (
                f"/secrets/{index}",
                f"secrets names {name}, which a cluster made for itself",
                "no other cluster has it; of several such entries Karmada leaves every second one in",
                "take it out of secrets",
            )
    return None


def _claim(body: Object) -> _Found | None:
    volume = text(dig(body, "spec", "volumeName"))
    if volume and _BOUND in mapping(dig(body, "metadata", "annotations")):
        return (
            "/spec/volumeName",
            f"it is bound to the volume {volume} of the cluster that it comes from",
            "on a cluster without that volume the claim is lost, and no pod starts with it",
            f"take out spec.volumeName and the annotation {_BOUND}",
        )
    return None


def _volume(body: Object) -> _Found | None:
    if not text(dig(body, "spec", "claimRef", "uid")):
        return None
    return (
        "/spec/claimRef/uid",
        "it is bound to one claim of the cluster that it comes from",
        "a claim on another cluster has another uid, so the volume is taken for released",
        "take uid and resourceVersion out of spec.claimRef",
    )


def _pod(body: Object) -> _Found | None:
    node = text(dig(body, "spec", "nodeName"))
    if node:
        return (
            "/spec/nodeName",
            f"it is bound to the node {node}",
            "no scheduler looks at it, and on a cluster without that node it never starts",
            "take spec.nodeName out",
        )
    for index, volume in enumerate(sequence(dig(body, "spec", "volumes"))):
        name = text(mapping(volume).get("name"))
        if _ACCESS.fullmatch(name) or _TOKEN.fullmatch(text(dig(volume, "secret", "secretName"))):
            return (
                f"/spec/volumes/{index}",
                f"the volume {name} is what an API server adds to every pod",
                "it holds the credentials of the cluster that it comes from, or names a Secret of that",
                "take the volume out, and the volumeMounts of its name",
            )
    return None


_LOOKS: Final[Mapping[tuple[str, str], Callable[[Object], _Found | None]]] = {
    ("v1", "ServiceAccount"): _service_account,
    ("v1", "PersistentVolumeClaim"): _claim,
    ("v1", "PersistentVolume"): _volume,
    ("v1", "Pod"): _pod,
}
