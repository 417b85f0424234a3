"""The Kustomizations of one cluster, each after what it needs.

    gate of the wave before > accounts > cluster-scoped > roles > namespaces

What is not there is left out of that order. Roles are in namespaces, which come with what is cluster-scoped.
Where one Kustomization applies all of a cluster as one account, it makes the namespaces and fails on the
rest until the roles are there; Flux tries both again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from renderer.delivery.flux.accounts import ACCOUNTS, ROLES
from renderer.delivery.flux.kustomizations import Part, Scene
from renderer.model.delivery import Unit
from renderer.model.tree import Tree


def parts_of(
    units: Sequence[Unit], rbac: Tree, rbac_path: str, account_of: Callable[[Unit], str], scene: Scene
) -> Iterator[Part]:
    """The Kustomizations of the units of one cluster, in the order in which they can be applied.

    `rbac` has the directories of its accounts and roles, `rbac_path` leads there from the top of the branch.
    """
    cluster = units[0].cluster
    start = scene.gates.get(cluster.wave, "")
    scoped = next((unit.name for unit in units if unit.cluster_scoped), "")
    own = {
        folder: scene.names.free(f"{scene.delivery.prefix}{cluster.slug}.rbac.{folder}")
        for folder in (ACCOUNTS, ROLES)
        if folder in rbac
    }
    accounts, roles = own.get(ACCOUNTS, ""), own.get(ROLES, "")
    before_roles = (accounts, scoped)
    for folder, after in ((ACCOUNTS, (start,)), (ROLES, before_roles)):
        if folder in own:
            yield Part(
                name=own[folder],
                path=f"{rbac_path}/{folder}",
                cluster=cluster,
                serves=True,
                after=_stated(after),
            )
    for unit in sorted(units, key=lambda unit: (not unit.cluster_scoped, unit.name)):
        account = account_of(unit)
        if unit.name == scoped or not unit.namespace:
            needed = (accounts if account else "") or start
        else:
            needed = (roles if account else "") or scoped or start
        yield Part(
            name=unit.name,
            path=unit.path,
            cluster=cluster,
            tenant=unit.tenant,
            account=account,
            after=_stated((needed,)),
            ignored=unit.ignored,
        )


def _stated(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name)
