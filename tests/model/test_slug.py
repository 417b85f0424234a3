"""Tests of portable names for clusters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.slug import is_portable, slug


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("eu-1", "eu-1", id="a-dns-label"),
        pytest.param("prod.eu", "prod.eu", id="a-dns-name"),
        pytest.param("Prod.EU", "prod.eu", id="capitals"),
        pytest.param("gke_proj-1_region-a_c1", "gke-proj-1-region-a-c1", id="gke"),
        pytest.param("arn:xx:eks:reg:123:cluster/prod", "arn-xx-eks-reg-123-cluster-prod", id="eks"),
        pytest.param("default/api-x:6443/kube:admin", "default-api-x-6443-kube-admin", id="openshift"),
        pytest.param("../../etc", "etc", id="a-way-out"),
        pytest.param("/abs", "abs", id="an-absolute-path"),
        pytest.param(".hidden", "hidden", id="a-leading-dot"),
        pytest.param("a..b", "a.b", id="two-dots"),
        pytest.param("a.-b-.c", "a.b.c", id="dashes-beside-dots"),
        pytest.param("con", "cluster-con", id="a-device"),
        pytest.param("Nul.eu", "cluster-nul.eu", id="a-device-with-an-ending"),
        pytest.param("com10", "com10", id="no-device"),
        pytest.param("é", "cluster-", id="nothing-left"),
        pytest.param("x" * 253, "x" * 52 + "-", id="too-long"),
    ],
)
def test_slug(name: str, expected: str) -> None:
    given_slug = slug(name)
    assert given_slug == expected if not expected.endswith("-") else given_slug.startswith(expected)


def test_long_names_that_differ_at_the_end_have_different_slugs() -> None:
    assert slug("x" * 100 + "a") != slug("x" * 100 + "b")
    assert slug("é") != slug("è")


@given(st.text(max_size=300))
def test_a_slug_is_portable_and_its_own_slug(name: str) -> None:
    assert is_portable(slug(name))
    assert slug(slug(name)) == slug(name)
