"""Whose a namespace is, and what its team may have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from renderer.model.delivery import Tenant

ANYTHING = "*"


class Tenants:
    """The teams of a workspace, asked by namespace."""

    def __init__(self, tenants: Sequence[Tenant]) -> None:
        """Take them; no namespace belongs to two."""
        self._tenants = tenants
        self._known: dict[str, Tenant | None] = {}

    def of(self, namespace: str) -> Tenant | None:
        """The team that a namespace belongs to; None for nobody's, and for what is cluster-scoped."""
        if namespace not in self._known:
            owners = (t for t in self._tenants if namespace and admits(t.namespaces, namespace))
            self._known[namespace] = next(owners, None)
        return self._known[namespace]


def admits(patterns: Iterable[str], name: str) -> bool:
    """Whether one of the patterns is the name, or begins it and ends in `*`."""
    return any(
        name.startswith(pattern[:-1]) if pattern.endswith(ANYTHING) else name == pattern
        for pattern in patterns
    )


def meet(one: str, other: str) -> bool:
    """Whether there can be a name that both patterns admit."""
    if one.endswith(ANYTHING) and other.endswith(ANYTHING):
        return one.startswith(other[:-1]) or other.startswith(one[:-1])
    return admits([one], other) or admits([other], one)


def may_be_on(tenant: Tenant, cluster: str) -> bool:
    """Whether a team may have anything on a cluster."""
    return not tenant.clusters or admits(tenant.clusters, cluster)


def may_have(tenant: Tenant, group: str, kind: str) -> bool:
    """Whether a team may have objects of a kind."""
    return not tenant.kinds or admits(tenant.kinds, f"{kind}.{group}" if group else kind)


def is_source_of(tenant: Tenant, file: str) -> bool:
    """Whether a file of the workspace lies where a team keeps its sources."""
    return any(file == path.rstrip("/") or file.startswith(f"{path.rstrip('/')}/") for path in tenant.paths)
