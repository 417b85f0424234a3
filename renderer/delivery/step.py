"""The step: the tree with what the delivery engines need, and the units they apply.

clusters/<cluster>/kustomization.yaml       where the engine of the cluster wants one
delivery/<engine>/…                         what the engine is given
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from renderer.delivery.adapt.step import Adapted
from renderer.delivery.engine import Asked, Given
from renderer.delivery.kustomization import kustomized
from renderer.delivery.units import units_of, with_emptied
from renderer.document.problem import Problem
from renderer.match.plurals import Plurals
from renderer.model.cluster import Cluster
from renderer.model.config import WorkspaceConfig
from renderer.model.delivery import Unit
from renderer.model.delivery_engine import Engine
from renderer.model.identity import Identity
from renderer.model.places import CLUSTERS, DELIVERY
from renderer.model.tree import EMPTY_TREE, Blob, Node, Tree, placed, tree_of


def _argocd(asked: Asked) -> Given:
    from renderer.delivery.argocd.files import argocd_files  # where nobody delivers, nothing is imported

    return argocd_files(asked)


def _flux(asked: Asked) -> Given:
    from renderer.delivery.flux.files import flux_files

    return flux_files(asked)


ENGINES: Final[tuple[tuple[Engine, Callable[[Asked], Given]], ...]] = (
    (Engine.ARGOCD, _argocd),
    (Engine.FLUX, _flux),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The tree with all that the engines are given, and the units they apply, by name."""

    tree: Tree
    units: tuple[Unit, ...] = ()
    problems: tuple[Problem, ...] = ()


def deliver(
    tree: Tree,
    identities: Mapping[str, Identity],
    clusters: Sequence[Cluster],
    published: Tree,
    config: WorkspaceConfig,
    adapted: Adapted,
    plurals: Plurals,
) -> Delivered:
    """Add what the engines need to a tree that has all manifests.

    `identities` tells what lies at a path below a cluster's directory; what it does not tell is read from the
    file. `published` is the tree as it was last: a unit that was there stays, even if it has become empty,
    so that its engine prunes it. A frozen cluster's directory is not touched. `adapted` tells what engines
    leave alone, `plurals` what the workspace says of kinds.
    """
    delivery = config.delivery
    served = [cluster for cluster in clusters if delivery.engine_of(cluster) is not Engine.NONE]
    given_before = _below(published, DELIVERY)
    if not served and not given_before:
        return Delivered(tree=tree)
    directories = dict(_below(tree, CLUSTERS).entries())
    before = _below(published, CLUSTERS)
    free = [cluster for cluster in served if not (cluster.frozen and cluster.slug in before)]
    with_emptied(directories, before, free, delivery)
    units = units_of(directories, served, identities, config, adapted.ignored)
    kustomized(directories, units, {cluster.slug for cluster in free}, delivery)
    files: dict[str, bytes | Node] = {}
    problems: list[Problem] = []
    for engine, make in ENGINES:
        own = [unit for unit in units if unit.engine is engine]
        if own or engine.value in given_before:
            asked = Asked(
                units=own,
                config=config,
                directories=directories,
                published=published,
                plurals=plurals,
            )
            given = make(asked)
            files.update(given.files)
            problems += given.problems
    for path, data in adapted.record.items():
        tree = placed(tree, path, Blob(data))
    entries = {**tree.entries(), CLUSTERS: Tree(directories), **tree_of(files).entries()}
    return Delivered(tree=Tree(entries), units=units, problems=tuple(problems))


def _below(tree: Tree, name: str) -> Tree:
    node = tree.child(name)
    return node if isinstance(node, Tree) else EMPTY_TREE
