"""Cluster affinity: every field that is set must admit the cluster."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.clusters import admits, rejections
from renderer.model.cluster import Cluster
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import FieldSelector, LabelSelector, Requirement

EAST = Cluster(
    name="east", labels=(("env", "prod"),), provider="aws", region="eu-1", zones=("eu-1a", "eu-1b")
)
BARE = Cluster(name="bare")


def fields(*requirements: Requirement) -> ClusterAffinity:
    """An affinity of field expressions."""
    return ClusterAffinity(field_selector=FieldSelector(match_expressions=requirements))


def where(key: str, operator: str, *values: str) -> Requirement:
    """One field expression."""
    return Requirement(key=key, operator=operator, values=values)


@pytest.mark.parametrize(
    ("affinity", "cluster", "expected"),
    [
        pytest.param(ClusterAffinity(), BARE, True, id="an-empty-affinity-admits-all"),
        pytest.param(ClusterAffinity(cluster_names=("east",)), EAST, True, id="named"),
        pytest.param(ClusterAffinity(cluster_names=("west",)), EAST, False, id="not-named"),
        pytest.param(
            ClusterAffinity(cluster_names=("east",), exclude=("east",)), EAST, False, id="exclude-wins"
        ),
        pytest.param(
            ClusterAffinity(label_selector=LabelSelector(match_labels=(("env", "prod"),))),
            EAST,
            True,
            id="labels",
        ),
        pytest.param(ClusterAffinity(label_selector=LabelSelector()), BARE, True, id="empty-label-selector"),
        pytest.param(fields(), BARE, True, id="no-field-expressions"),
        pytest.param(fields(where("zone", "In", "eu-1b", "x")), EAST, True, id="one-common-zone-is-enough"),
        pytest.param(fields(where("zone", "In", "eu-1a")), BARE, False, id="no-zones-are-in-nothing"),
        pytest.param(fields(where("zone", "NotIn", "eu-1a")), BARE, True, id="no-zones-are-not-in-anything"),
        pytest.param(fields(where("zone", "NotIn", "eu-1b")), EAST, False, id="one-excluded-zone-is-enough"),
        pytest.param(fields(where("zone", "Exists")), EAST, True, id="zones-exist"),
        pytest.param(fields(where("zone", "DoesNotExist")), EAST, False, id="zones-do-not-exist"),
        pytest.param(fields(where("zone", "Gt", "1")), EAST, False, id="zones-have-no-gt"),
        pytest.param(fields(where("zone", "NotIn", "not a label")), BARE, True, id="zone-values-are-free"),
        pytest.param(fields(where("provider", "In", "aws")), EAST, True, id="provider"),
        pytest.param(fields(where("region", "NotIn", "eu-1")), BARE, True, id="an-empty-field-is-absent"),
        pytest.param(fields(where("region", "In", "not a label")), EAST, False, id="invalid-matches-nothing"),
        pytest.param(fields(where("region", "NotIn", "a b")), BARE, False, id="also-when-negated"),
        pytest.param(fields(where("region", "Gt", "3")), Cluster(name="r", region="4"), True, id="gt"),
        pytest.param(fields(where("region", "Lt", "3")), Cluster(name="r", region="4"), False, id="lt"),
        pytest.param(fields(where("region", "Gt", "3")), EAST, False, id="gt-of-no-number"),
        pytest.param(fields(where("other", "DoesNotExist")), EAST, True, id="unknown-fields-are-absent"),
    ],
)
def test_admits(affinity: ClusterAffinity, cluster: Cluster, expected: bool) -> None:
    assert admits(affinity, cluster) is expected


def test_every_reason_is_told() -> None:
    affinity = ClusterAffinity(
        label_selector=LabelSelector(match_labels=(("env", "test"),)),
        field_selector=FieldSelector(
            match_expressions=(
                where("region", "In", "us-1"),
                where("zone", "In", "us-1a"),
                where("region", "like", "eu"),
            )
        ),
        cluster_names=("west",),
        exclude=("east",),
    )
    assert rejections(affinity, EAST) == (
        "excluded by name",
        'label env is "prod", not "test"',
        'region is "eu-1", wanted: In us-1',
        'zone is "eu-1a, eu-1b", wanted: In us-1a',
        'field expression: "like" is not an operator',
        "not among clusterNames",
    )


def test_a_field_that_is_absent_is_said_to_be() -> None:
    assert rejections(fields(where("provider", "Exists")), BARE) == ("provider is absent, wanted: Exists",)


EXPRESSIONS = st.builds(
    Requirement,
    key=st.sampled_from(["provider", "region", "zone", "other"]),
    operator=st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "like"]),
    values=st.lists(st.sampled_from(["aws", "eu-1", "eu-1a", "7", "a b"]), max_size=2).map(tuple),
)
NAMES = st.lists(st.sampled_from(["east", "bare"]), max_size=2).map(tuple)
AFFINITIES = st.builds(
    ClusterAffinity,
    label_selector=st.none() | st.just(LabelSelector(match_labels=(("env", "prod"),))),
    field_selector=st.none()
    | st.builds(FieldSelector, match_expressions=st.lists(EXPRESSIONS, max_size=3).map(tuple)),
    cluster_names=NAMES,
    exclude=NAMES,
)


@given(AFFINITIES, st.sampled_from([EAST, BARE]))
def test_a_rejected_cluster_has_a_reason(affinity: ClusterAffinity, cluster: Cluster) -> None:
    assert admits(affinity, cluster) is (rejections(affinity, cluster) == ())
