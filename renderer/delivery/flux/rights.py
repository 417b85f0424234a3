"""What an account must be allowed for Flux to apply, prune and watch the objects of some units with it.

Nothing else is: a kind or a namespace that is not rendered is denied. What has been rendered and is not any
more stays allowed to go, for Flux prunes it as the same account; nothing of it may be made again. Who prunes
released files (`released: prune`) prunes these rights, too.

Source: fluxcd/pkg/ssa manager_apply.go, manager_delete.go; fluxcd/cli-utils pkg/kstatus/polling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer.document.values import Object, Value, mapping, sequence, text

Resource: TypeAlias = tuple[str, str]  # API group, and plural

API: Final = "rbac.authorization.k8s.io"
_WRITE: Final = ("get", "list", "create", "patch", "delete")
_LEAVE: Final = ("get", "list", "delete")
_READ: Final = ("get", "list")
_GRANT: Final = ("bind", "escalate")
_ROLES: Final = ("clusterroles", "roles")
# Whether one of these is ready is seen from the pods and replica sets that it makes.
_WORKLOADS: Final = frozenset({("apps", "deployments"), ("apps", "replicasets"), ("apps", "statefulsets")})
_MADE: Final[tuple[Resource, ...]] = (("", "pods"), ("apps", "replicasets"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """In one namespace, or where there is none: what may be written, and what may only go."""

    written: frozenset[Resource] = frozenset()
    leaving: frozenset[Resource] = frozenset()

    def after(self, earlier: Rights) -> Rights:
        """These rights where there were others before."""
        gone = (earlier.written | earlier.leaving) - self.written
        return Rights(written=self.written, leaving=self.leaving | gone)


NONE: Final = Rights()


def rules(rights: Rights, *, waits: bool, grants: bool) -> list[Value]:
    """The rules of a role. `waits` is to see when workloads are ready; `grants` is to hand out any right.

    An API server refuses a Role by somebody who has not all that is in it, unless told otherwise.
    """
    found: list[Value] = [*_rules(rights.written, _WRITE), *_rules(rights.leaving, _LEAVE)]
    if waits and rights.written & _WORKLOADS:
        found += _rules(frozenset(_MADE) - rights.written, _READ)
    if grants and any(group == API for group, _ in rights.written):
        found.append({"apiGroups": [API], "resources": [*_ROLES], "verbs": [*_GRANT]})
    return found


def read_rules(stated: Value) -> Rights:
    """The rights that rules as these were written for."""
    by_verbs: dict[tuple[str, ...], set[Resource]] = {_WRITE: set(), _LEAVE: set()}
    for rule in map(mapping, sequence(stated)):
        verbs = tuple(map(text, sequence(rule.get("verbs"))))
        for group in map(text, sequence(rule.get("apiGroups"))):
            by_verbs.setdefault(verbs, set()).update(
                (group, resource) for resource in map(text, sequence(rule.get("resources")))
            )
    return Rights(written=frozenset(by_verbs[_WRITE]), leaving=frozenset(by_verbs[_LEAVE]))


def _rules(resources: Iterable[Resource], verbs: Sequence[str]) -> list[Object]:
    """A rule for each API group."""
    groups: dict[str, list[Value]] = {}
    for group, name in sorted(resources):
        groups.setdefault(group, []).append(name)
    return [{"apiGroups": [group], "resources": names, "verbs": [*verbs]} for group, names in groups.items()]
