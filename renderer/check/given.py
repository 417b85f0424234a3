"""What there is to look up when a reconciler's object is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderer.document.source import Document
from renderer.document.values import Object
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.plan import Plan


class Fleet:
    """Clusters by what a reconciler may call them."""

    def __init__(self, plan: Plan) -> None:
        """Take the names, the servers, and the Secrets with kubeconfigs."""
        self._names: dict[str, str] = {}
        self._all_servers = all(cluster.server for cluster in plan.workspace.clusters)
        secret = plan.workspace.config.delivery.flux.kube_config_secret
        for cluster in plan.workspace.clusters:
            for word in (cluster.name, cluster.slug, *_servers(cluster)):
                self._names.setdefault(word, cluster.name)
            self._names.setdefault(f"secret {secret.replace('{cluster}', cluster.slug)}", cluster.name)

    def named(self, word: str) -> tuple[str, ...] | None:
        """The cluster that is meant, none where it is surely another one; None where that is not known."""
        if word in self._names:
            return (self._names[word],)
        return () if self._all_servers and "://" in word and "{{" not in word else None


def _servers(cluster: Cluster) -> tuple[str, ...]:
    return (cluster.server.rstrip("/"),) if cluster.server else ()


@dataclass(frozen=True, slots=True)
class Given:
    """One reconciler as it reaches some clusters, with what there is to look up."""

    identity: Identity
    document: Document | None
    body: Object
    clusters: tuple[str, ...]
    fleet: Fleet
    sources: Mapping[tuple[str, str], Object]


def followed(revision: str) -> str:
    """What is followed in a repository: the name of a branch, empty for the default."""
    return "" if revision == "HEAD" else revision.removeprefix("refs/heads/")
