"""What a user means by KIND/NAME: templates, a cluster of the inventory, or policies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeVar

from renderer.document.problem import InputError, Position, Problem, Severity
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.plan import Plan, Rendering
from renderer.model.workspace import Refused
from renderer.view.explain.reading import Policy

Item = TypeVar("Item")

WHERE: Final = Position("explain")

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
    # Karmada's own.
    "pp": "propagationpolicy",
    "cpp": "clusterpropagationpolicy",
    "op": "overridepolicy",
    "cop": "clusteroverridepolicy",
}
_GROUPS: Final = ("cluster.karmada.io", "policy.karmada.io")  # of what is never a template
_CLUSTER: Final = "cluster"
_POLICY: Final = "policy"
_POLICIES: Final = (
    "propagationpolicy",
    "clusterpropagationpolicy",
    "overridepolicy",
    "clusteroverridepolicy",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What was found: one of the four is not empty."""

    templates: tuple[Rendering, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    policies: tuple[Policy, ...] = ()
    refused: tuple[Refused, ...] = ()  # policies that admission refuses


def find(plan: Plan, subject: str, namespace: str = "") -> Subject:
    """What `kind/name` means, in every namespace unless one is given.

    The kind may be written as kubectl takes it: any case, plural, short, or with its group
    (`deployment.apps`). `cluster` is a cluster of the inventory, `policy` any of the four kinds; templates
    of such kinds are meant where there is nothing else, or with their group. Raises InputError where there
    is nothing of that name, with the nearest names.
    """
    kind, _, name = subject.partition("/")
    kind, _, group = kind.lower().partition(".")
    kind = _SHORT.get(kind, kind)
    if group in ("", *_GROUPS):
        found = _own(plan, kind, name, namespace)
        if found is not None:
            return found
    templates = _templates(plan, kind, group, name, namespace)
    if templates:
        return Subject(templates=templates)
    raise InputError(_unknown(plan, subject, namespace, kind))


def named_cluster(plan: Plan, name: str) -> Cluster:
    """The cluster of that name. Raises InputError where the inventory has none, with the nearest names."""
    known = {cluster.name: cluster for cluster in plan.workspace.clusters}
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    raise InputError(
        Problem(
            where=WHERE,
            what=f"the inventory has no cluster {name}",
            why=f"it has {len(known)} clusters" if known else "it has no clusters at all",
            fix=f"ask for {' or '.join(near)}" if near else "name one of the inventory's clusters",
        )
    )


def spelled(identity: Identity) -> str:
    """How to ask for an object: `deployment/web -n shop`."""
    namespace = f" -n {identity.namespace}" if identity.namespace else ""
    return f"{identity.kind.lower()}/{identity.name}{namespace}"


def _own(plan: Plan, kind: str, name: str, namespace: str) -> Subject | None:
    """What is no template: a cluster, or policies, also refused ones."""
    if _singular(kind) == _CLUSTER:
        clusters = tuple(item for item in plan.workspace.clusters if item.name == name)
        return Subject(clusters=clusters) if clusters else None
    wanted = _singular(kind)
    if wanted != _POLICY and wanted not in _POLICIES:
        return None
    kinds = _POLICIES if wanted == _POLICY else (wanted,)
    policies = [policy for policy in _policies(plan) if policy.kind.lower() in kinds and policy.name == name]
    refused = [
        item
        for item in plan.workspace.refused
        if item.identity.kind.lower() in kinds and item.identity.name == name
    ]
    policies = _within(policies, [policy.namespace for policy in policies], namespace)
    refused = _within(refused, [item.identity.namespace for item in refused], namespace)
    return Subject(policies=tuple(policies), refused=tuple(refused)) if policies or refused else None


def _policies(plan: Plan) -> tuple[Policy, ...]:
    return (*plan.workspace.propagation_policies, *plan.workspace.override_policies)


def _templates(plan: Plan, kind: str, group: str, name: str, namespace: str) -> tuple[Rendering, ...]:
    found = [
        rendering
        for rendering in plan.renderings
        if _is_kind(rendering.template.identity, kind, group) and rendering.template.identity.name == name
    ]
    return tuple(_within(found, [item.template.identity.namespace for item in found], namespace))


def _within(items: Sequence[Item], namespaces: Sequence[str], wanted: str) -> list[Item]:
    """The items in a namespace; those in none only where there is no other, as kubectl ignores it there."""
    pairs = list(zip(items, namespaces, strict=True))
    if not wanted:
        return [item for item, _ in pairs]
    return [item for item, place in pairs if place == wanted] or [item for item, place in pairs if not place]


def _singular(kind: str) -> str:
    return f"{kind[:-3]}y" if kind.endswith("policies") else kind.removesuffix("s")


def _is_kind(identity: Identity, kind: str, group: str) -> bool:
    known = identity.kind.lower()
    plural = (
        f"{known[:-1]}ies" if known.endswith("y") else f"{known}es" if known.endswith("s") else f"{known}s"
    )
    return kind in (known, plural) and (
        not group or identity.group == group or identity.group.startswith(group + ".")
    )


def _unknown(plan: Plan, subject: str, namespace: str, kind: str) -> Problem:
    place = f" in namespace {namespace}" if namespace else ""
    wanted = f"{subject.lower()} -n {namespace}" if namespace else subject.lower()
    near = get_close_matches(wanted, list(_spellings(plan, kind)), n=3, cutoff=0.5)
    broken = sum(problem.severity is Severity.ERROR for problem in plan.workspace.problems)
    left_out = f"; {broken} errors keep others out, which krender check tells" if broken else ""
    sort = {_CLUSTER: "cluster", _POLICY: "policy"}.get(_singular(kind), "template")
    return Problem(
        where=WHERE,
        what=f"the workspace has no {sort} {subject}{place}",
        why=f"only what the workspace holds is explained{left_out}",
        fix=f"ask for {' or '.join(near)}" if near else "krender explain KIND/NAME -n NAMESPACE",
    )


def _spellings(plan: Plan, kind: str) -> Iterable[str]:
    """Everything that can be asked for; policies by the word that the user has for them."""
    identities = [rendering.template.identity for rendering in plan.renderings]
    any_kind = _singular(kind) == _POLICY
    identities += [
        Identity("", _POLICY if any_kind else policy.kind, policy.namespace, policy.name)
        for policy in _policies(plan)
    ]
    identities += [Identity("", "Cluster", "", cluster.name) for cluster in plan.workspace.clusters]
    return dict.fromkeys(spelled(identity) for identity in identities)
