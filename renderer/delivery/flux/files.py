"""All files below `delivery/flux`.

hub/                 for the Flux of the hub: the source, and Kustomizations that reach clusters from outside
members/<cluster>/   for a Flux in a cluster that pulls: the same, for itself alone
rbac/<cluster>/      accounts and roles, where something is applied by one
nothing/             what the gates between waves apply
parameters/<unit>/   what others make Kustomizations from

Who applies `hub`, or the directory of a member, once has all of it: a Kustomization in it follows the
directory from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from renderer.delivery.engine import Asked, Given
from renderer.delivery.flux.accounts import Accounts
from renderer.delivery.flux.cluster import parts_of
from renderer.delivery.flux.hub import Clusters, hub_files, most_artifacts
from renderer.delivery.flux.kustomizations import Part, Scene
from renderer.delivery.flux.member import member_files
from renderer.delivery.flux.places import HUB, MEMBERS, PULL, RBAC, TOP, is_remote, on_branch
from renderer.delivery.flux.problems import too_many_artifacts, unknown_plurals
from renderer.delivery.flux.waves import waves_of
from renderer.delivery.names import Names
from renderer.delivery.parameters import encoded, parameters, parameters_path
from renderer.model.delivery import Unit
from renderer.model.tree import EMPTY_TREE, Node, Tree


def flux_files(asked: Asked) -> Given:
    """The files, by path from the top of the published tree."""
    config, published = asked.config, asked.published
    delivery = config.delivery
    by_cluster = _by_cluster(asked.units)
    hub = [unit for units in by_cluster.values() if not _pulls(units) for unit in units]
    waves = waves_of(hub, delivery, Names(unit.name for unit in asked.units))
    scene = Scene(
        delivery=delivery,
        names=waves.names,
        waits=delivery.flux.wait or not waves.is_one,
        gates=waves.gates(unit.cluster.wave for unit in hub),
    )
    alone = Scene(delivery=delivery, names=waves.names, waits=delivery.flux.wait)
    accounts = Accounts(config, asked.plurals)
    files: dict[str, bytes | Node] = {}
    on_hub: dict[str, Sequence[Part]] = {}
    members: dict[str, Sequence[Part]] = dict.fromkeys(_members(asked), ())
    for slug, units in by_cluster.items():
        its = alone if _pulls(units) else scene
        rbac = accounts.on(units, _accounts(asked, slug), home=is_remote(units[0].cluster), waits=its.waits)
        if rbac:
            files[f"{RBAC}/{slug}"] = rbac
        path = on_branch(config, f"{RBAC}/{slug}")
        (members if _pulls(units) else on_hub)[slug] = tuple(parts_of(units, rbac, path, accounts.of, its))
    clusters = Clusters(on_hub, parts=delivery.flux.hub_parts)
    problems = (
        *unknown_plurals(accounts, config),
        *too_many_artifacts(most_artifacts(clusters, delivery), config),
    )
    if problems:
        return Given(files=_as_published(asked), problems=problems)
    for slug, parts in members.items():
        files.update(member_files(slug, parts, alone, config, published))
    if on_hub or published.at(HUB):
        files.update(hub_files(clusters, waves, scene, config, published.at(f"{HUB}/source.yaml")))
    files.update({parameters_path(unit): encoded(parameters(unit, unit.tenant)) for unit in asked.units})
    return Given(files=files)


def _members(asked: Asked) -> Iterable[str]:
    """The clusters that pulled when the tree was last published, and are still there."""
    node = asked.published.at(MEMBERS)
    return [slug for slug in node if slug in asked.directories] if isinstance(node, Tree) else ()


def _by_cluster(units: Iterable[Unit]) -> Mapping[str, Sequence[Unit]]:
    found: dict[str, list[Unit]] = {}
    for unit in units:
        found.setdefault(unit.cluster.slug, []).append(unit)
    return dict(sorted(found.items()))


def _pulls(units: Sequence[Unit]) -> bool:
    return units[0].cluster.sync_mode == PULL


def _accounts(asked: Asked, slug: str) -> Tree:
    """What the accounts of a cluster were."""
    node = asked.published.at(f"{RBAC}/{slug}")
    return node if isinstance(node, Tree) else EMPTY_TREE


def _as_published(asked: Asked) -> Mapping[str, bytes | Node]:
    node = asked.published.at(TOP)
    return {TOP: node} if node is not None else {}
