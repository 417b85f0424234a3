"""The clusters of a workspace, from both forms of inventory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from renderer.document.problem import Problem, Severity
from renderer.document.source import Document
from renderer.document.values import Value
from renderer.load.cluster_admission import admit_cluster
from renderer.load.clusters import CLUSTER_API, CLUSTER_KIND, cluster_of
from renderer.load.config import KRENDER_API
from renderer.load.short_inventory import short_clusters
from renderer.load.wording import told
from renderer.model.cluster import Cluster

INVENTORY_KIND = "ClusterInventory"
INVENTORY_KINDS = ((CLUSTER_API, CLUSTER_KIND), (KRENDER_API, INVENTORY_KIND))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """The clusters by name, what is wrong with them, and the documents of those that Karmada refuses."""

    clusters: tuple[Cluster, ...] = ()
    problems: tuple[Problem, ...] = ()
    refused: tuple[Document, ...] = ()


def read_inventory(documents: Iterable[Document], *, models: bool = True) -> Inventory:
    """The clusters in Cluster and ClusterInventory documents.

    `models` is the gate CustomizedClusterResourceModeling. A cluster with an error is left out; of two with
    one name, or one directory, the first stays.
    """
    clusters: list[Cluster] = []
    problems: list[Problem] = []
    refused: list[Document] = []
    for document in documents:
        if _kind(document.value) == INVENTORY_KIND:
            short, wrong = short_clusters(document)
            clusters += [
                cluster_of(entry.body, entry.document, apis_known=entry.apis_known) for entry in short
            ]
            problems += wrong
            continue
        outcome = admit_cluster(document, models=models)
        problems += outcome.problems
        if outcome.admitted:
            clusters.append(cluster_of(outcome.body, document))
        else:
            refused.append(document)
    unique = _unique(clusters, problems)
    problems += _renames(unique)
    return Inventory(
        clusters=tuple(sorted(unique, key=lambda cluster: cluster.name)),
        problems=_gathered(problems),
        refused=tuple(refused),
    )


def _kind(value: Value) -> Value:
    return value.get("kind") if isinstance(value, dict) else None


def _unique(clusters: Sequence[Cluster], problems: list[Problem]) -> list[Cluster]:
    """The clusters without those whose name or directory another has; each of these is a problem."""
    by_name: dict[str, Cluster] = {}
    by_slug: dict[str, Cluster] = {}
    for cluster in clusters:
        first = by_name.get(cluster.name)
        other = by_slug.get(cluster.slug)
        if first is not None:
            what = f"there are two clusters called {cluster.name}: the other is at {_place(first)}"
            why = "which of their facts holds would be a matter of chance"
            problems.append(_told(cluster, what, why, "remove one of them, or rename it"))
        elif other is not None:
            what = f"Cluster {cluster.name} would share a directory ({cluster.slug}) with {other.name}"
            what += f" at {_place(other)}"
            why = "the manifests of two clusters would be mixed"
            problems.append(
                _told(cluster, what, why, f'give it a directory of its own: "slug: {cluster.slug}-2"')
            )
        else:
            by_name[cluster.name] = by_slug[cluster.slug] = cluster
    return list(by_name.values())


def _renames(clusters: Sequence[Cluster]) -> Iterator[Problem]:
    """What is wrong with the names that clusters say they had."""
    names = {cluster.name: cluster for cluster in clusters}
    taken: dict[str, Cluster] = {}
    for cluster in clusters:
        old = cluster.previous_name
        if not old:
            continue
        other = names.get(old) or taken.setdefault(old, cluster)
        if other is not cluster or old == cluster.name:
            has = "has" if old in names else "had"
            what = f"Cluster {cluster.name} says it was called {old}, which {other.name} {has} for a name"
            why = "its published directory would move to one of two, or to nobody"
            yield _told(cluster, what, why, "take previousName out where the cluster was not renamed")


def _place(cluster: Cluster) -> str:
    return str(cluster.document.where()) if cluster.document else "another place"


def _told(cluster: Cluster, what: str, why: str, fix: str) -> Problem:
    return told(cluster.document or Document(value=cluster.body), "", what, why=why, fix=fix)


def _gathered(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Warnings that many clusters share, told once: a fleet has thousands."""
    first: dict[tuple[str, str], int] = {}
    more: dict[int, int] = {}
    kept: list[Problem] = []
    for problem in problems:
        words = (problem.what.partition(": ")[2], problem.fix)
        if problem.severity is not Severity.ERROR and words in first:
            more[first[words]] = more.get(first[words], 0) + 1
            continue
        first.setdefault(words, len(kept))
        kept.append(problem)
    return tuple(
        replace(problem, what=f"{problem.what} (and the same of {more[index]} more)")
        if index in more
        else problem
        for index, problem in enumerate(kept)
    )
