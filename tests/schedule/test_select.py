"""Spread constraints: who of the ranked clusters is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Value
from renderer.model.cluster import Cluster
from renderer.model.decision import Attempt, Stages
from renderer.model.gates import FeatureGates
from renderer.schedule.rank import Ranking
from renderer.schedule.scheduler import schedule
from renderer.schedule.select import _with_capacity
from tests.schedule.build import AGGREGATED, DUPLICATED, DYNAMIC, WEIGHTED, binding, cluster, placement
from tests.schedule.test_capacity import components

BY_CLUSTER: dict[str, Value] = {"spreadByField": "cluster"}
BY_REGION: dict[str, Value] = {"spreadByField": "region"}

FEW_CLUSTERS = (
    "failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups"
)

FEW_REGIONS = (
    "failed to select clusters: the number of feasible region is less than spreadConstraint.MinGroups"
)

NO_PATH = (
    "failed to select clusters: the number of clusters is less than the cluster spreadConstraint.MinGroups"
)


def attempt(
    clusters: list[Cluster],
    constraints: list[Value],
    scheduling: Value = DUPLICATED,
    *,
    replicas: int = 2,
    previous: dict[str, int] | None = None,
) -> Attempt:
    where = placement(spreadConstraints=constraints, replicaScheduling=scheduling)
    return schedule(binding(replicas, where, previous=previous), clusters).attempts[0]


def fleet(*named: tuple[str, int]) -> list[Cluster]:
    return [cluster(name, pods=pods) for name, pods in named]


def selected(*args: object, **kwargs: object) -> str:
    found = attempt(*args, **kwargs)  # type: ignore[arg-type]
    return " ".join(found.stages().selected) or (found.failure.message if found.failure else "")


FOUR = fleet(("m1", 5), ("m2", 9), ("m3", 5), ("m4", 20))


@pytest.mark.parametrize(
    ("constraints", "scheduling", "expected"),
    [
        pytest.param([], DUPLICATED, "m4 m2 m1 m3", id="no-constraint-takes-all-by-capacity-then-name"),
        pytest.param([BY_CLUSTER | {"minGroups": 1, "maxGroups": 2}], DUPLICATED, "m4 m2", id="at-most-two"),
        pytest.param(
            [BY_CLUSTER | {"minGroups": 1, "maxGroups": 9}], DUPLICATED, "m4 m2 m1 m3", id="all-there-are"
        ),
        pytest.param(
            [BY_CLUSTER | {"minGroups": 5, "maxGroups": 9}],
            DUPLICATED,
            FEW_CLUSTERS,
            id="too-few-clusters",
        ),
        pytest.param(
            [BY_CLUSTER | {"minGroups": 1}],
            DUPLICATED,
            "failed to assign replicas: no clusters available to schedule",
            id="max-left-out-is-none-duplicated",
        ),
        pytest.param(
            [BY_CLUSTER | {"minGroups": 1}],
            AGGREGATED,
            "failed to select clusters: no enough resource when selecting 0 clusters",
            id="max-left-out-is-none-divided",
        ),
        pytest.param(
            [BY_CLUSTER | {"maxGroups": 1}, BY_CLUSTER | {"maxGroups": 3}],
            DYNAMIC,
            "m4 m2 m1",
            id="the-last-counts",
        ),
        pytest.param(
            [BY_CLUSTER | {"maxGroups": 1}], WEIGHTED, "m4 m2 m1 m3", id="equal-weights-ignore-constraints"
        ),
        pytest.param(
            [BY_CLUSTER | {"maxGroups": 1}],
            dict(WEIGHTED) | {"weightPreference": {"staticWeightList": [{"targetCluster": {}, "weight": 1}]}},
            "m4 m2 m1 m3",
            id="static-weights-ignore-constraints",
        ),
        pytest.param(
            [BY_CLUSTER | {"maxGroups": 1}],
            dict(WEIGHTED) | {"weightPreference": {}},
            "m4",
            id="empty-preference-does-not",
        ),
        pytest.param(
            [{"spreadByLabel": "tier", "maxGroups": 1}],
            DUPLICATED,
            "failed to select clusters: just support cluster and region spread constraint",
            id="by-label-alone-is-an-error",
        ),
        pytest.param(
            [{"spreadByLabel": "tier", "maxGroups": 1}, BY_CLUSTER | {"maxGroups": 1}],
            DUPLICATED,
            "m4",
            id="by-label-beside-another-is-ignored",
        ),
    ],
)
def test_by_cluster(constraints: list[Value], scheduling: Value, expected: str) -> None:
    assert selected(FOUR, constraints, scheduling) == expected


def test_a_larger_cluster_is_swapped_in() -> None:
    clusters = fleet(("m1", 10), ("m2", 20), ("m3", 30), ("m4", 20), ("m5", 7))
    found = attempt(
        clusters,
        [BY_CLUSTER | {"maxGroups": 2}],
        AGGREGATED,
        replicas=32,
        previous={"m1": 3, "m5": 1},
    )
    stages = found.stages()
    assert [candidate.cluster for candidate in stages.ranked] == ["m1", "m5", "m3", "m2", "m4"]
    assert stages.selected == ("m1", "m3")
    assert [(swap.out, swap.taken) for swap in stages.swaps] == [("m5", "m3")]
    assert stages.needed == 32


def test_sets_of_components_need_room_for_one() -> None:
    where = placement(
        spreadConstraints=[BY_CLUSTER | {"minGroups": 1, "maxGroups": 1}], replicaScheduling=AGGREGATED
    )
    asked = replace(components((1, None), (1, None)), placement=where)
    gates = FeatureGates(multiple_pod_templates_scheduling=True)
    assert schedule(asked, FOUR, gates=gates).attempts[0].stages().needed == 1
    assert schedule(asked, FOUR).attempts[0].stages().needed == 0


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(0, 9), st.integers(0, 40))
def test_swaps_as_the_plain_loop_does(available: list[int], count: int, needed: int) -> None:
    order = list(range(len(available)))
    count = min(count, len(order))
    ranking = Ranking(order=order, allocatable=available, previous={}, overflow={})
    chosen, rest, i = order[:count], order[count:], count - 1
    while sum(available[place] for place in chosen) < needed and i >= 0:
        larger = [place for place in rest if available[place] > available[chosen[i]]]
        if larger:
            j = rest.index(max(larger, key=lambda place: (available[place], -rest.index(place))))
            chosen[i], rest[j] = rest[j], chosen[i]
        i -= 1
    places, _, total = _with_capacity(ranking, count, needed)
    assert places == chosen
    assert total == sum(available[place] for place in chosen)


def regional(**regions: list[int]) -> list[Cluster]:
    """Clusters named after their region, with the pods given."""
    return [
        cluster(f"{region}{number}", region=region, pods=pods)
        for region, capacities in regions.items()
        for number, pods in enumerate(capacities, 1)
    ]


THREE = regional(ra=[10, 30], rb=[50], rc=[5, 5, 5])


@pytest.mark.parametrize(
    ("constraints", "scheduling", "replicas", "expected"),
    [
        pytest.param(
            [BY_REGION | {"minGroups": 2, "maxGroups": 2}, BY_CLUSTER | {"minGroups": 3, "maxGroups": 3}],
            DYNAMIC,
            20,
            "ra2 rc1 ra1",
            id="equal-scores-most-clusters-then-the-best-of-the-rest",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 1, "maxGroups": 1}],
            DYNAMIC,
            20,
            "ra2",
            id="without-by-cluster-one-a-region",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 1, "maxGroups": 1}, BY_CLUSTER | {"maxGroups": 9}],
            DYNAMIC,
            100,
            "rb1",
            id="where-none-has-its-share-the-most-wins",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 1, "maxGroups": 1}, BY_CLUSTER | {"maxGroups": 9}],
            DUPLICATED,
            5,
            "rc1 rc2 rc3",
            id="duplicated-counts-clusters-that-can-take-all",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 1, "maxGroups": 3}, BY_CLUSTER | {"minGroups": 1, "maxGroups": 1}],
            DUPLICATED,
            60,
            "rc1",
            id="where-nobody-can-take-all-the-most-clusters-win",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 4, "maxGroups": 4}],
            DYNAMIC,
            20,
            FEW_REGIONS,
            id="too-few-regions",
        ),
        pytest.param(
            [BY_REGION | {"minGroups": 1}],
            DYNAMIC,
            20,
            NO_PATH,
            id="max-left-out-is-none",
        ),
        pytest.param(
            [BY_REGION | {"maxGroups": 1}, BY_CLUSTER | {"minGroups": 1, "maxGroups": 1}],
            DYNAMIC,
            20,
            "rc1",
            id="no-least-number-of-regions-leaves-no-share",
        ),
    ],
)
def test_by_region(constraints: list[Value], scheduling: Value, replicas: int, expected: str) -> None:
    assert selected(THREE, constraints, scheduling, replicas=replicas) == expected


def test_regions_are_told_with_what_counted() -> None:
    found = attempt(
        THREE,
        [BY_REGION | {"minGroups": 2, "maxGroups": 2}, BY_CLUSTER | {"minGroups": 3, "maxGroups": 3}],
        DYNAMIC,
        replicas=20,
    )
    stages: Stages = found.stages()
    assert [(r.name, r.score, r.available, r.clusters, r.counted, r.chosen) for r in stages.regions] == [
        ("ra", 10_000, 40, ("ra2", "ra1"), 2, True),
        ("rc", 10_000, 15, ("rc1", "rc2", "rc3"), 3, True),
        ("rb", 10_000, 50, ("rb1",), 1, False),
    ]
