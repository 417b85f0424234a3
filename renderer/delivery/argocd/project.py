"""The AppProject that permits what is granted and nothing else, and what a published one grants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from renderer.delivery.argocd.globs import names, pattern
from renderer.delivery.argocd.grants import Grants, Kinds, alike
from renderer.document.values import Object, Value, mapping, sequence, text
from renderer.model.engine_keys import SYNC_OPTIONS

API: Final = "argoproj.io/v1alpha1"

# Otherwise the whole object stands in one of its annotations, too, which has room for 256 KiB.
SERVER_SIDE: Final[Object] = {SYNC_OPTIONS: "ServerSideApply=true"}
# Before the Applications that need it, and pruned after them.
_FIRST: Final[Object] = {**SERVER_SIDE, "argocd.argoproj.io/sync-wave": "-1"}

# Argo CD keeps 10,000 patterns compiled and goes through all of a project for each object; etcd takes 1.5 MB.
# So a fleet is told as a few patterns of many names, and what people can read is told name by name.
_PLAIN: Final = 1000
_TOGETHER: Final = 100


def project(name: str, namespace: str, repo_url: str, by: str, granted: Grants, description: str) -> Object:
    """The project; `by` is how it names clusters: `name` or `server`."""
    return {
        "apiVersion": API,
        "kind": "AppProject",
        "metadata": {"name": name, "namespace": namespace, "annotations": _FIRST},
        "spec": {
            "description": description,
            "sourceRepos": [repo_url],
            "destinations": list(_destinations(granted, by)),
            **({"clusterResourceWhitelist": _listed(granted.cluster_kinds)} if granted.cluster_kinds else {}),
            **(
                {"namespaceResourceWhitelist": _listed(granted.kinds)}
                if granted.kinds
                # An empty list would be dropped on the way, and none permits everything.
                else {"namespaceResourceBlacklist": [{"group": "*", "kind": "*"}]}
            ),
        },
    }


def granted_by(body: Object, by: str) -> Grants:
    """What a project of ours grants to clusters that it names in this way."""
    spec = mapping(body.get("spec"))
    destinations: dict[str, frozenset[str]] = {}
    for item in map(mapping, sequence(spec.get("destinations"))):
        namespaces = frozenset(names(text(item.get("namespace"))))
        for name in names(text(item.get(by))) if by in item else ():
            destinations[name] = destinations.get(name, frozenset()) | namespaces
    return Grants(
        destinations=destinations,
        cluster_kinds=_kinds(spec.get("clusterResourceWhitelist")),
        kinds=_kinds(spec.get("namespaceResourceWhitelist")),
    )


def _destinations(granted: Grants, by: str) -> Iterator[Object]:
    if sum(map(len, granted.destinations.values())) <= _PLAIN:
        for name in sorted(granted.destinations):
            for namespace in sorted(granted.destinations[name]):
                yield {by: pattern([name]), "namespace": pattern([namespace])}
        return
    for members, namespaces in alike(granted.destinations):
        for start in range(0, len(members), _TOGETHER):
            some = pattern(members[start : start + _TOGETHER])
            if "" in namespaces:  # which is no alternative of a pattern
                yield {by: some, "namespace": ""}
            if named := [namespace for namespace in namespaces if namespace]:
                yield {by: some, "namespace": pattern(named)}


def _listed(kinds: Kinds) -> Value:
    return [{"group": group, "kind": kind} for group, kind in sorted(kinds)]


def _kinds(value: Value) -> Kinds:
    return frozenset(
        (text(item.get("group")), text(item.get("kind"))) for item in map(mapping, sequence(value))
    )
