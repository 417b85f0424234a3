"""What a user means by KIND/NAME."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from renderer.document.problem import InputError, Position, Problem
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering

# The short names that kubectl knows for built-in kinds.
_SHORT: Final = {
    "cj": "cronjob",
    "cm": "configmap",
    "crd": "customresourcedefinition",
    "deploy": "deployment",
    "ds": "daemonset",
    "hpa": "horizontalpodautoscaler",
    "ing": "ingress",
    "netpol": "networkpolicy",
    "ns": "namespace",
    "pc": "priorityclass",
    "pdb": "poddisruptionbudget",
    "po": "pod",
    "pv": "persistentvolume",
    "pvc": "persistentvolumeclaim",
    "quota": "resourcequota",
    "rs": "replicaset",
    "sa": "serviceaccount",
    "sc": "storageclass",
    "sts": "statefulset",
    "svc": "service",
}


def find(plan: Plan, subject: str, namespace: str = "") -> tuple[Rendering, ...]:
    """The templates that `kind/name` means, in every namespace unless one is given.

    The kind may be written as kubectl takes it: any case, plural, short, or with its group
    (`deployment.apps`). Raises InputError where there is none, naming the nearest.
    """
    kind, _, name = subject.partition("/")
    kind, _, group = kind.lower().partition(".")
    kind = _SHORT.get(kind, kind)
    found = tuple(
        rendering
        for rendering in plan.renderings
        if _is_kind(rendering.template.identity, kind, group)
        and rendering.template.identity.name == name
        and namespace in ("", rendering.template.identity.namespace)
    )
    if not found:
        raise InputError(_unknown(subject, namespace, [item.template.identity for item in plan.renderings]))
    return found


def spelled(identity: Identity) -> str:
    """How to ask for an object: `deployment/web -n shop`."""
    namespace = f" -n {identity.namespace}" if identity.namespace else ""
    return f"{identity.kind.lower()}/{identity.name}{namespace}"


def _is_kind(identity: Identity, kind: str, group: str) -> bool:
    known = identity.kind.lower()
    plural = (
        f"{known[:-1]}ies" if known.endswith("y") else f"{known}es" if known.endswith("s") else f"{known}s"
    )
    return kind in (known, plural) and (
        not group or identity.group == group or identity.group.startswith(group + ".")
    )


def _unknown(subject: str, namespace: str, identities: Sequence[Identity]) -> Problem:
    place = f" in namespace {namespace}" if namespace else ""
    wanted = f"{subject.lower()} -n {namespace}" if namespace else subject.lower()
    near = get_close_matches(wanted, list(_spellings(identities)), n=3, cutoff=0.5)
    return Problem(
        where=Position("explain"),
        what=f"the workspace has no template {subject}{place}",
        why="only objects of the workspace are explained",
        fix=f"ask for {' or '.join(near)}" if near else "krender explain KIND/NAME -n NAMESPACE",
    )


def _spellings(identities: Iterable[Identity]) -> Iterable[str]:
    return dict.fromkeys(spelled(identity) for identity in identities)
