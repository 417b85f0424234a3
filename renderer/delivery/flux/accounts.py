"""ServiceAccounts for what Flux applies, and the roles that fit them, cluster by cluster.

delivery/flux/rbac/<cluster>/accounts/<account>.yaml   who applies, and what it may outside of namespaces
delivery/flux/rbac/<cluster>/roles/<account>.yaml      what it may in each namespace

Flux applies both with its own rights: no account can change what it may. The roles come after the namespaces
that they are in, which one of the accounts may have to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from renderer.delivery.flux.documents import documents, read_documents
from renderer.delivery.flux.rights import API, NONE, Rights, read_rules, rules
from renderer.delivery.kustomization import listing
from renderer.document.values import Object, Value, dig, text
from renderer.match.plurals import Plurals, plural_of
from renderer.model.config import ReleasedFiles, WorkspaceConfig
from renderer.model.delivery import Contents, ServiceAccounts, Unit
from renderer.model.engine_keys import PRUNE
from renderer.model.places import KUSTOMIZATION
from renderer.model.tree import EMPTY_TREE, Blob, Tree

ACCOUNTS: Final = "accounts"
ROLES: Final = "roles"

_Spaces: TypeAlias = Mapping[str, Rights]  # by namespace; empty for what lives in none
_Uses: TypeAlias = Sequence[tuple[str, Unit]]  # accounts, and what is applied by them


class Accounts:
    """Gives each cluster its accounts; clusters that get the same share the files."""

    def __init__(self, config: WorkspaceConfig, plurals: Plurals) -> None:
        """Take the settings, and what the workspace says of plurals."""
        self.unknown: dict[tuple[str, str], Unit] = {}  # kinds without a plural, with a unit that has one
        self._config = config
        self._flux = config.delivery.flux
        self._plurals = {**plurals, **dict(map(_kind_named, self._flux.resources))}
        self._needs: dict[int, tuple[Contents, _Spaces]] = {}
        self._trees: dict[object, tuple[object, Tree]] = {}  # what a key is made of is kept with it

    def of(self, unit: Unit) -> str:
        """The account by which a unit is applied; empty for Flux's own rights."""
        mode, prefix = self._flux.service_accounts, self._config.delivery.prefix
        if mode is ServiceAccounts.NONE or (mode is ServiceAccounts.TENANTS and not unit.tenant):
            return ""
        return f"{prefix}krender-{unit.tenant}" if unit.tenant else f"{prefix}krender"

    def on(self, units: Sequence[Unit], published: Tree, *, home: bool, waits: bool) -> Tree:
        """The two directories for the units of one cluster; empty where Flux applies all of it itself.

        `published` is what was there. With `home`, the namespace of the accounts is made if nothing else
        makes it; `waits` is to see when workloads are ready.
        """
        uses = [(name, unit) for unit in units if (name := self.of(unit))]
        if not uses:
            return EMPTY_TREE
        makes_home = home and not any(_has_namespace(unit.contents, self._flux.namespace) for unit in units)
        before = EMPTY_TREE if self._config.released is ReleasedFiles.PRUNE else published
        key = (*((name, id(unit.contents)) for name, unit in uses), before.token, makes_home, waits)
        if key not in self._trees:
            self._trees[key] = (uses, before), self._made(uses, before, home=makes_home, waits=waits)
        return self._trees[key][1]

    def _made(self, uses: _Uses, before: Tree, *, home: bool, waits: bool) -> Tree:
        namespace = self._flux.namespace
        accounts = {"namespace.yaml": documents([_namespace(namespace)])} if home else {}
        roles: dict[str, Blob] = {}
        for name in sorted({name for name, _ in uses}):
            own = [unit for used, unit in uses if used == name]
            needed, was = self._needed(own), _rights(before, name)
            outside: list[Object] = [_account(name, namespace)]
            inside: list[Object] = []
            for space in sorted({*needed, *was}):
                rights = needed.get(space, NONE).after(was.get(space, NONE))
                allowed = rules(rights, waits=waits, grants=not own[0].tenant)
                if allowed:
                    (inside if space else outside).extend(_role(name, space, namespace, allowed))
            accounts[f"{name}.yaml"] = documents(outside)
            if inside:
                roles[f"{name}.yaml"] = documents(inside)
        return Tree({ACCOUNTS: _listed(accounts), ROLES: _listed(roles)})

    def _needed(self, units: Iterable[Unit]) -> _Spaces:
        """What applying some units takes, all together."""
        found: dict[str, Rights] = {}
        for unit in units:
            for space, rights in self._of_contents(unit).items():
                known = found.get(space, NONE)
                found[space] = Rights(written=known.written | rights.written)
        return found

    def _of_contents(self, unit: Unit) -> _Spaces:
        contents = unit.contents
        if id(contents) not in self._needs:
            found: dict[str, set[tuple[str, str]]] = {}
            for _, identity in contents.objects:
                plural = plural_of(identity.group, identity.kind, self._plurals)
                if plural:
                    found.setdefault(identity.namespace, set()).add((identity.group, plural))
                else:
                    self.unknown.setdefault((identity.group, identity.kind), unit)
            spaces = {space: Rights(written=frozenset(resources)) for space, resources in found.items()}
            self._needs[id(contents)] = contents, spaces
        return self._needs[id(contents)][1]


def _listed(files: Mapping[str, Blob]) -> Tree:
    return Tree({**files, KUSTOMIZATION: listing(files)}) if files else EMPTY_TREE


def _rights(published: Tree, name: str) -> _Spaces:
    """What an account was allowed, by namespace."""
    found: dict[str, Rights] = {}
    for folder in (ACCOUNTS, ROLES):
        for body in read_documents(published.at(f"{folder}/{name}.yaml")):
            if body.get("kind") in ("ClusterRole", "Role"):
                found[text(dig(body, "metadata", "namespace"))] = read_rules(body.get("rules"))
    return found


def _account(name: str, home: str) -> Object:
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": home}}


def _namespace(name: str) -> Object:
    """The namespace that accounts live in, where no Flux does; what else is there must not go with it."""
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": name, "annotations": {PRUNE: "disabled"}},
    }


def _role(name: str, space: str, home: str, allowed: list[Value]) -> tuple[Object, Object]:
    """A role and its binding, in a namespace or in none."""
    kind = "Role" if space else "ClusterRole"
    metadata: Object = {"name": name, **({"namespace": space} if space else {})}
    return (
        {"apiVersion": f"{API}/v1", "kind": kind, "metadata": metadata, "rules": allowed},
        {
            "apiVersion": f"{API}/v1",
            "kind": f"{kind}Binding",
            "metadata": metadata,
            "roleRef": {"apiGroup": API, "kind": kind, "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": home}],
        },
    )


def _has_namespace(contents: Contents, name: str) -> bool:
    return any(
        identity.kind == "Namespace" and identity.name == name and not identity.group
        for _, identity in contents.objects
    )


def _kind_named(stated: tuple[str, str]) -> tuple[tuple[str, str], str]:
    """`Kind.group` and a plural, as plurals are known."""
    kind, _, group = stated[0].partition(".")
    return (group, kind), stated[1]
