"""Which kinds live in a namespace."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.match.scope import Scope, crd_scopes, scope_of


def definition(kind: str, scope: str, group: str = "example.io") -> Object:
    """A CustomResourceDefinition."""
    spec: Object = {"group": group, "scope": scope, "names": {"kind": kind}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": spec}


CRDS = crd_scopes(
    [
        definition("Menu", "Namespaced"),
        definition("Region", "Cluster"),
        definition("Odd", "cluster"),
        definition("", "Cluster"),
        {"apiVersion": "v1", "kind": "ConfigMap"},
        definition("Deployment", "Cluster", group="apps"),
    ]
)


@pytest.mark.parametrize(
    ("api_version", "kind", "scope"),
    [
        pytest.param("v1", "ConfigMap", Scope.NAMESPACED, id="core"),
        pytest.param("apps/v1beta1", "Deployment", Scope.NAMESPACED, id="any-version-and-no-crd-overrules"),
        pytest.param("rbac.authorization.k8s.io/v1", "ClusterRole", Scope.CLUSTER, id="rbac"),
        pytest.param("v1", "Namespace", Scope.CLUSTER, id="namespaces-themselves"),
        pytest.param("example.io/v1", "Menu", Scope.NAMESPACED, id="a-crd-of-the-workspace"),
        pytest.param("example.io/v1", "Region", Scope.CLUSTER, id="a-cluster-scoped-crd"),
        pytest.param("example.io/v1", "Odd", Scope.UNKNOWN, id="a-scope-that-is-none"),
        pytest.param("other.io/v1", "Menu", Scope.UNKNOWN, id="another-group"),
    ],
)
def test_scope_of(api_version: str, kind: str, scope: Scope) -> None:
    assert scope_of(api_version, kind, CRDS) is scope


def test_without_crds_only_the_table_is_known() -> None:
    assert scope_of("example.io/v1", "Menu") is Scope.UNKNOWN
