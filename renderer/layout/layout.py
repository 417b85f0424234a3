"""The step: what was decided, to one tree of files.

    clusters/<cluster>/<namespace>/<kind>[.<group>].<name>.yaml
    .krender/bindings/<namespace>/<kind>[.<group>].<name>.yaml

Clusters that get the same files share one directory object. What is held back (suspended, orphaned,
failed, frozen, being evicted) stays as it was last published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from renderer.document.problem import Problem
from renderer.layout.bindings import binding_files
from renderer.layout.claims import claim_files
from renderer.layout.paths import manifest_paths
from renderer.layout.pieces import Directory, directories
from renderer.layout.release import Releasing, release_files
from renderer.layout.taints import taint_files
from renderer.model.claim_memory import ClaimMemory
from renderer.model.cluster import Cluster
from renderer.model.failover import GivenTaint
from renderer.model.identity import Identity
from renderer.model.memory_keys import PROTECTED
from renderer.model.places import CLUSTERS
from renderer.model.plan import Rendering
from renderer.model.previous import Previous
from renderer.model.released import Released
from renderer.model.tree import EMPTY_TREE, Tree, tree_of
from renderer.model.variants import alike


@dataclass(frozen=True, slots=True)
class Laid:
    """The tree, what could not be laid out, and what was kept though nothing asks for it."""

    tree: Tree
    identities: Mapping[
        str, Identity
    ]  # by path below a cluster's directory; what is only kept may be missing
    problems: tuple[Problem, ...] = ()
    released: tuple[Released, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the next render must know beside the bindings."""

    claims: ClaimMemory | None = None
    taints: tuple[GivenTaint, ...] = ()


def lay_out(
    renderings: Sequence[Rendering],
    clusters: Sequence[Cluster],
    previous: Previous,
    memory: Memory,
    *,
    prune_released: bool = False,
) -> Laid:
    """The tree of all clusters and bindings, built on what was published where that must stay.

    Two manifests of one identity on one cluster are a problem: the first, by template, is laid out. With
    `prune_released`, files that were kept and marked before are let go.
    """
    paths = _paths(renderings)
    by_cluster, problems = directories(renderings, paths)
    laid: dict[str, Tree] = {}
    nothing = Directory()
    releasing = Releasing(previous, renderings, prune=prune_released)
    published = previous.tree.get(CLUSTERS, EMPTY_TREE)
    for cluster in clusters:
        before = published.get(cluster.slug) if isinstance(published, Tree) else None
        old = before if isinstance(before, Tree) else EMPTY_TREE
        new = by_cluster.get(cluster.name, nothing).on(old)
        if cluster.frozen:
            new = old or nothing.on(old)
        laid[cluster.slug] = releasing.on(cluster, old, new)
    own = tree_of(
        {
            **binding_files(renderings, paths),
            **claim_files(memory.claims),
            **taint_files(memory.taints),
            **release_files(releasing.released),
            **_protected(clusters),
        }
    )
    identities = {"/".join(path): identity for identity, path in paths.items()}
    return Laid(Tree({CLUSTERS: Tree(laid), **own}), identities, problems, releasing.released)


def _protected(clusters: Iterable[Cluster]) -> Mapping[str, bytes]:
    """The record of clusters in which nothing may be deleted: it holds even when the inventory lost one."""
    names = sorted(cluster.slug for cluster in clusters if cluster.protected)
    return {PROTECTED: "".join(f"{name}\n" for name in names).encode()} if names else {}


def _paths(renderings: Iterable[Rendering]) -> Mapping[Identity, tuple[str, str]]:
    """Directory and file name of everything that any cluster gets."""
    return manifest_paths(
        dict.fromkeys(
            manifest.identity
            for rendering in renderings
            for manifest in (*alike(rendering.manifests), *rendering.leaving)
        )
    )
