"""File names: portable, unique, inside the tree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.layout.paths import manifest_paths
from renderer.model.identity import Identity


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        pytest.param(
            Identity("apps/v1", "Deployment", "shop", "web"),
            "shop/deployment.apps.web.yaml",
            id="group-in-name",
        ),
        pytest.param(
            Identity("v1", "ConfigMap", "shop", "web"), "shop/configmap.web.yaml", id="core-group-left-out"
        ),
        pytest.param(
            Identity("rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader"),
            "_cluster/clusterrole.rbac.authorization.k8s.io.reader.yaml",
            id="cluster-scoped-apart",
        ),
        pytest.param(
            Identity("rbac.authorization.k8s.io/v1", "ClusterRole", "", "system:reader"),
            "_cluster/clusterrole-rbac-authorization-k8s-io-system-reader-944cd32e79.yaml",
            id="colon-becomes-hash",
        ),
    ],
)
def test_path(identity: Identity, expected: str) -> None:
    assert "/".join(manifest_paths([identity])[identity]) == expected


def test_names_that_differ_in_case_only_get_different_files() -> None:
    upper, lower = Identity("v1", "X", "a", "Reader"), Identity("v1", "X", "a", "reader")
    paths = manifest_paths([upper, lower])
    assert paths[lower] == ("a", "x.reader.yaml")
    assert paths[upper][1].lower() != paths[lower][1].lower()


def test_two_identities_that_read_the_same_are_kept_apart() -> None:
    grouped, core = Identity("apps/v1", "Foo", "a", "web"), Identity("v1", "Foo", "a", "apps.web")
    paths = manifest_paths([grouped, core])
    assert paths[grouped] != paths[core]


hostile = st.text(alphabet="aA.:/\\-_ \0é☃", max_size=300) | st.sampled_from(
    ["..", ".", "../../etc", "con", "CON", "nul.x", "Chart", "kustomization", "a" * 400, "-", ""]
)


@given(
    st.lists(
        st.builds(Identity, st.just("g/v1"), hostile, hostile, hostile), max_size=6, unique_by=lambda i: i.key
    )
)
def test_no_identity_leaves_the_tree_or_meets_another(identities: list[Identity]) -> None:
    paths = manifest_paths(identities)
    assert len({f"{directory}/{name}".lower() for directory, name in paths.values()}) == len(identities)
    for directory, name in paths.values():
        assert directory == "_cluster" or re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", directory)
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*\.yaml", name)
        assert len(name.encode()) <= 255
        assert not name.endswith("Chart.yaml")
        assert ".." not in name
