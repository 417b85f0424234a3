"""The fleet answers for all clusters at once what is asked of one."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from renderer.match.clusters import admits
from renderer.match.fleet import Fleet, union
from renderer.model.cluster import Cluster
from renderer.model.placement import ClusterAffinity
from renderer.model.selectors import FieldSelector, LabelSelector, Requirement

NAMES = tuple(f"m{number}" for number in range(8))
names = st.sampled_from(NAMES)
label_values = st.sampled_from(("", "a", "b", "1"))
operators = st.sampled_from(("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Sideways"))
requirements = st.builds(
    Requirement,
    key=st.sampled_from(("env", "tier", "not/a/key")),
    operator=operators,
    values=st.lists(label_values, max_size=2).map(tuple),
)
field_requirements = st.builds(
    Requirement,
    key=st.sampled_from(("provider", "region", "zone", "height")),
    operator=operators,
    values=st.lists(st.sampled_from(("", "p1", "r1", "z1", "z2", "-")), max_size=2).map(tuple),
)
affinities = st.builds(
    ClusterAffinity,
    label_selector=st.none()
    | st.builds(
        LabelSelector,
        match_labels=st.dictionaries(st.sampled_from(("env", "tier")), label_values, max_size=1).map(
            lambda labels: tuple(labels.items())
        ),
        match_expressions=st.lists(requirements, max_size=2).map(tuple),
    ),
    field_selector=st.none()
    | st.builds(FieldSelector, match_expressions=st.lists(field_requirements, max_size=2).map(tuple)),
    cluster_names=st.lists(names | st.just("elsewhere"), max_size=3).map(tuple),
    exclude=st.lists(names, max_size=2).map(tuple),
)


DICE = random.Random(4)
POOL = [
    Cluster(
        name=name,
        labels=tuple(
            (key, DICE.choice(("", "a", "b", "1"))) for key in ("env", "tier") if DICE.random() < 0.7
        ),
        provider=DICE.choice(("", "p1", "p2")),
        region=DICE.choice(("", "r1", "r2")),
        zones=tuple(zone for zone in ("z1", "z2") if DICE.random() < 0.5),
    )
    for name in NAMES
    for _ in range(6)
]
fleets = st.lists(st.sampled_from(POOL), unique_by=lambda cluster: cluster.name)


@given(fleets, affinities)
def test_admits_the_clusters_that_the_affinity_admits_one_by_one(
    clusters: list[Cluster], affinity: ClusterAffinity
) -> None:
    fleet = Fleet(clusters)
    expected = tuple(cluster for cluster in fleet.clusters if admits(affinity, cluster))
    assert fleet.members(fleet.admitted(affinity)) == expected
    assert fleet.members(fleet.admitted(affinity)) == expected  # remembered


@given(fleets)
def test_order_of_clusters_does_not_matter(clusters: list[Cluster]) -> None:
    assert Fleet(reversed(clusters)).clusters == Fleet(clusters).clusters


@given(st.integers(0, 200), st.data())
def test_mask_and_positions_are_inverse(size: int, data: st.DataObject) -> None:
    fleet = Fleet(Cluster(name=f"{number:03}") for number in range(size))
    places = sorted(data.draw(st.lists(st.integers(0, max(size - 1, 0)), unique=True)) if size else [])
    assert fleet.positions(fleet.mask(places)) == places
    assert fleet.positions(fleet.everything) == list(range(size)) == list(range(len(fleet)))


def test_large_masks_have_the_right_bits() -> None:
    fleet = Fleet(Cluster(name=f"{number:03}") for number in range(300))
    places = list(range(0, 300, 3))
    assert fleet.mask(places) == union(1 << place for place in places)


def test_names_that_nobody_has_are_nobody() -> None:
    fleet = Fleet([Cluster(name="a"), Cluster(name="b")])
    assert fleet.members(fleet.named(["b", "gone"])) == (Cluster(name="b"),)


def test_a_question_is_asked_once_for_each_view() -> None:
    asked = []

    def provider(cluster: Cluster) -> str:
        return cluster.provider

    def is_p1(cluster: Cluster) -> bool:
        asked.append(cluster.name)
        return cluster.provider == "p1"

    fleet = Fleet(Cluster(name=f"m{number}", provider=f"p{number % 2}") for number in range(10))
    first = fleet.where(provider, "p1?", is_p1)
    assert fleet.where(provider, "p1?", is_p1) == first == fleet.named(["m1", "m3", "m5", "m7", "m9"])
    assert asked == ["m0", "m1"]
    assert fleet.where(provider, "p2?", lambda cluster: cluster.provider == "p2") == 0
