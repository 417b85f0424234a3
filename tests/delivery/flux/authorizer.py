"""Whether Kubernetes lets an account do something, by the roles and bindings in a cluster.

Source: Kubernetes plugin/pkg/auth/authorizer/rbac/rbac.go, pkg/registry/rbac/validation/rule.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from renderer.document.values import Object, dig, mapping, sequence, text


class Authorizer:
    """The roles and bindings of one cluster."""

    def __init__(self, objects: Iterable[Object]) -> None:
        """Take everything that is applied there; what grants no right is passed over."""
        self._objects = [*objects]

    def allows(self, account: str, verb: str, resource: str, namespace: str = "") -> bool:
        """Whether an account (namespace/name) may; a resource is `plural.group`, or `plural`."""
        plural, _, group = resource.partition(".")
        return any(
            verb in sequence(rule.get("verbs"))
            and group in sequence(rule.get("apiGroups"))
            and plural in sequence(rule.get("resources"))
            for rule in self._rules(account, namespace)
        )

    def _rules(self, account: str, namespace: str) -> Iterator[Object]:
        for binding in self._of("ClusterRoleBinding", ""):
            yield from self._bound(binding, account, "")
        for binding in self._of("RoleBinding", namespace) if namespace else ():
            yield from self._bound(binding, account, namespace)

    def _bound(self, binding: Object, account: str, namespace: str) -> Iterator[Object]:
        home, _, name = account.partition("/")
        wanted = {"kind": "ServiceAccount", "name": name, "namespace": home}
        if wanted not in sequence(binding.get("subjects")):
            return
        role = mapping(binding.get("roleRef"))
        for body in self._of(text(role.get("kind")), namespace if role.get("kind") == "Role" else ""):
            if dig(body, "metadata", "name") == role.get("name"):
                yield from map(mapping, sequence(body.get("rules")))

    def _of(self, kind: str, namespace: str) -> Iterator[Object]:
        for body in self._objects:
            if body.get("kind") == kind and text(dig(body, "metadata", "namespace")) == namespace:
                yield body
