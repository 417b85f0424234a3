"""Tests of the patterns in which teams are described."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.tenants import Tenants, admits, may_have, meet
from renderer.model.delivery import Tenant

texts = st.text("ab-", max_size=4)
patterns = st.builds(lambda text, star: text + ("*" if star else ""), texts, st.booleans())


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("shop", "shop", True),
        ("shop", "shops", False),
        ("shop-*", "shop-eu", True),
        ("shop-*", "shop", False),
        ("*", "", True),
    ],
)
def test_patterns(pattern: str, name: str, *, expected: bool) -> None:
    assert admits([pattern], name) is expected


@given(patterns, patterns, texts)
def test_patterns_that_do_not_meet_admit_no_common_name(one: str, other: str, name: str) -> None:
    assert meet(one, other) is meet(other, one)
    assert meet(one, other) or not (admits([one], name) and admits([other], name))


@given(patterns)
def test_a_pattern_meets_itself(pattern: str) -> None:
    assert meet(pattern, pattern)


def test_what_is_cluster_scoped_belongs_to_nobody() -> None:
    assert Tenants([Tenant(name="all", namespaces=("*",))]).of("") is None


@pytest.mark.parametrize(
    ("kind", "expected"), [("Deployment.apps", True), ("Deployment", False), ("Dep*", True)]
)
def test_kinds_have_groups(kind: str, *, expected: bool) -> None:
    assert may_have(Tenant(name="a", kinds=(kind,)), "apps", "Deployment") is expected
