"""How replicas are shared out: the examples of the specification, and the ways of division."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.values import Value
from renderer.model.binding import Binding, TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.decision import Attempt, Condition, Scaling, Strategy
from renderer.model.gates import FeatureGates
from renderer.model.placement import Placement
from renderer.model.webster import webster
from renderer.schedule.question import SchedulerOptions
from renderer.schedule.scheduler import schedule
from tests.schedule.build import (
    AGGREGATED,
    DUPLICATED,
    DYNAMIC,
    WEIGHTED,
    binding,
    cluster,
    placement,
    result,
    targets,
)
from tests.schedule.test_capacity import components


def by(scheduling: Value, **fields: Value) -> Placement:
    return placement(replicaScheduling=scheduling, **fields)


def afresh(asked: Binding) -> Binding:
    """The binding after somebody asked for a reschedule."""
    return replace(
        asked,
        last_scheduled_time="2026-01-01T00:00:00Z",
        reschedule_triggered_at="2026-01-01T00:00:01Z",
    )


def fleet(*capacities: int) -> list[Cluster]:
    return [cluster(f"m{number}", pods=pods) for number, pods in enumerate(capacities, 1)]


def attempt(asked: Binding, clusters: list[Cluster]) -> Attempt:
    return schedule(asked, clusters).attempts[-1]


def static(**weights: int) -> Value:
    rules: list[Value] = [
        {"targetCluster": {"clusterNames": [name]}, "weight": weight} for name, weight in weights.items()
    ]
    return dict(WEIGHTED) | {"weightPreference": {"staticWeightList": rules}}


@pytest.mark.parametrize(
    ("scheduling", "replicas", "previous", "expected"),
    [
        pytest.param(None, 5, {}, {"m3": 5, "m2": 5, "m1": 5}, id="nothing-said-is-duplicated-in-rank-order"),
        pytest.param(
            DUPLICATED, 100, {}, {"m3": 100, "m2": 100, "m1": 100}, id="duplicated-ignores-capacity"
        ),
        pytest.param(WEIGHTED, 7, {}, {"m1": 3, "m2": 2, "m3": 2}, id="equal-weights"),
        pytest.param(static(m1=1, m2=2), 9, {"m3": 9}, {"m1": 3, "m2": 6}, id="without-a-rule-nothing"),
        pytest.param(
            static(x=1), 3, {}, {"m1": 1, "m2": 1, "m3": 1}, id="no-weight-anywhere-is-equal-weights"
        ),
        pytest.param(DYNAMIC, 12, {}, {"m1": 2, "m2": 4, "m3": 6}, id="dynamic-first"),
        pytest.param(
            DYNAMIC, 20, {"m1": 2, "m2": 4}, {"m1": 4, "m2": 9, "m3": 7}, id="dynamic-up-keeps-what-runs"
        ),
        pytest.param(
            DYNAMIC,
            7,
            {"m1": 4, "m2": 8, "m3": 8},
            {"m1": 1, "m2": 3, "m3": 3},
            id="dynamic-down-by-what-runs",
        ),
        pytest.param(DYNAMIC, 6, {"m3": 2, "m1": 4}, {"m3": 2, "m1": 4}, id="unchanged-keeps-its-order"),
        pytest.param(
            DYNAMIC, 3, {"gone": 1, "m1": 2}, {"m1": 2, "m3": 1}, id="what-is-gone-is-handed-out-anew"
        ),
        pytest.param(AGGREGATED, 18, {}, {"m3": 18}, id="aggregated-one-suffices"),
        pytest.param(AGGREGATED, 19, {}, {"m2": 8, "m3": 11}, id="aggregated-is-proportional-in-the-prefix"),
        pytest.param(AGGREGATED, 9, {"m1": 3}, {"m1": 9}, id="aggregated-prefers-where-it-runs"),
        pytest.param(
            AGGREGATED, 24, {"m1": 3, "m2": 0}, {"m1": 8, "m3": 16}, id="zero-replicas-are-not-running"
        ),
        pytest.param(
            AGGREGATED, 2, {"m1": 1, "m2": 1, "m3": 1}, {"m1": 1, "m2": 1}, id="aggregated-down-cuts"
        ),
    ],
)
def test_division(
    scheduling: Value, replicas: int, previous: dict[str, int], expected: dict[str, int]
) -> None:
    found = attempt(binding(replicas, by(scheduling), previous=previous), fleet(6, 12, 18))
    assert found.ok
    assert list(result(found.clusters).items()) == list(expected.items())


def test_kept_clusters_beyond_the_cut_come_last() -> None:
    # Both run replicas and come first; m1's room suffices, so m2 is cut from the list and stays as it is.
    found = attempt(binding(8, by(AGGREGATED), previous={"m2": 1, "m1": 1}), fleet(9, 2, 30))
    assert list(result(found.clusters).items()) == [("m1", 7), ("m2", 1)]


@pytest.mark.parametrize(
    ("scheduling", "replicas", "expected"),
    [
        pytest.param(DYNAMIC, 18, {"m1": 7, "m2": 6, "m3": 5}, id="free-and-running-weigh-together"),
        pytest.param(AGGREGATED, 9, {"m1": 9}, id="aggregated-too"),
    ],
)
def test_fresh(scheduling: Value, replicas: int, expected: dict[str, int]) -> None:
    asked = afresh(binding(replicas, by(scheduling), previous={"m1": 8, "m2": 1}))
    assert result(attempt(asked, fleet(6, 11, 10)).clusters) == expected


@pytest.mark.parametrize(
    ("asked", "clusters", "expected"),
    [
        pytest.param(
            binding(40, by(DYNAMIC)),
            fleet(6, 12, 18),
            "failed to scale up: Clusters available replicas 36 are not enough to schedule.",
            id="first",
        ),
        pytest.param(
            binding(42, by(AGGREGATED), previous={"m1": 5}),
            fleet(6, 12, 18),
            "failed to scale up: Clusters available replicas 36 are not enough to schedule.",
            id="up",
        ),
        pytest.param(
            afresh(binding(42, by(DYNAMIC), previous={"m1": 5})),
            fleet(6, 12, 18),
            "failed to do fresh scale: Clusters available replicas 41 are not enough to schedule.",
            id="fresh",
        ),
        pytest.param(
            binding(5, by(DYNAMIC)),
            fleet(1_500_000_000, 1_500_000_000),
            "failed to scale up: Clusters available replicas -1294967296 are not enough to schedule.",
            id="32-bit-sums-wrap",
        ),
        pytest.param(
            afresh(binding(0, by(DYNAMIC), requests={})),
            fleet(1, 1),
            "failed to do fresh scale: Clusters available replicas -2 are not enough to schedule.",
            id="no-replicas-afresh-fail-on-unlimited-room",
        ),
    ],
)
def test_too_little_room(asked: Binding, clusters: list[Cluster], expected: str) -> None:
    decision = schedule(asked, clusters)
    assert decision.condition is Condition.UNSCHEDULABLE
    assert decision.failure is not None
    assert decision.failure.message == f"failed to assign replicas: {expected}"


@pytest.mark.parametrize(
    ("kind", "preference"),
    [("Divided", ""), ("Divided", "Sideways"), ("", "Weighted"), ("Tripled", "Weighted")],
)
def test_unsupported_combinations(kind: str, preference: str) -> None:
    scheduling: Value = {"replicaSchedulingType": kind, "replicaDivisionPreference": preference}
    decision = schedule(binding(2, by(scheduling)), fleet(5))
    assert decision.condition is Condition.SCHEDULER_ERROR
    assert decision.failure is not None
    assert (
        f"replicaSchedulingType: {kind}, replicaDivisionPreference: {preference}," in decision.failure.message
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(binding(0, by(DYNAMIC)), {"m2": 0, "m1": 0}, id="a-non-workload-goes-everywhere"),
        pytest.param(binding(0, by(DYNAMIC), requests={}), {}, id="a-workload-of-zero-goes-nowhere"),
        pytest.param(binding(0, by(DUPLICATED), requests={}), {}, id="duplicated-too"),
        pytest.param(components((1, None), (2, None)), {"m2": 0}, id="components-are-not-divided"),
    ],
)
def test_without_replicas(asked: Binding, expected: dict[str, int]) -> None:
    # Both take 2^31-1 where nothing runs, so names decide there.
    decision = schedule(asked, fleet(2, 3))
    assert decision.condition is Condition.SUCCESS
    assert result(decision.clusters) == expected


def test_whole_sets_record_their_components() -> None:
    asked = components((1, None), (2, None))
    decision = schedule(asked, fleet(9), gates=FeatureGates(multiple_pod_templates_scheduling=True))
    assert decision.clusters == (TargetCluster(name="m1", components=(("part-0", 1), ("part-1", 2))),)


def test_empty_workload_propagation_adds_the_selected_clusters_that_got_nothing() -> None:
    options = SchedulerOptions(enable_empty_workload_propagation=True)
    decision = schedule(binding(3, by(AGGREGATED)), fleet(1, 5, 2), options=options)
    assert result(decision.clusters) == {"m2": 3, "m3": 0, "m1": 0}


def test_uid_turns_ties_around() -> None:
    asked = binding(4, by(WEIGHTED))
    assert result(attempt(replace(asked, uid="a"), fleet(1, 1, 1)).clusters) == {"m1": 2, "m2": 1, "m3": 1}
    assert result(attempt(replace(asked, uid="b"), fleet(1, 1, 1)).clusters) == {"m1": 1, "m2": 1, "m3": 2}


def test_a_name_that_the_previous_result_repeats() -> None:
    # The sum counts both entries, the last one votes.
    doubled = (*targets({"m1": 6, "m2": 2}), TargetCluster(name="m1", replicas=2))
    found = attempt(replace(binding(4, by(DYNAMIC)), clusters=doubled), fleet(9, 9))
    assert result(found.clusters) == {"m1": 2, "m2": 2}


OVERFLOWING: list[Value] = [
    {
        "affinityName": "home",
        "clusterNames": ["m1", "m2"],
        "overflowAffinities": [{"affinityName": "cloud", "clusterNames": ["m3"]}],
    }
]


@pytest.mark.parametrize(
    ("scheduling", "replicas", "previous", "expected"),
    [
        pytest.param(DYNAMIC, 8, {}, {"m1": 4, "m2": 4}, id="home-suffices"),
        pytest.param(DYNAMIC, 14, {}, {"m1": 5, "m2": 5, "m3": 4}, id="the-rest-overflows"),
        pytest.param(
            DYNAMIC,
            12,
            {"m1": 5, "m2": 5, "m3": 10},
            {"m1": 6, "m2": 6},
            id="what-runs-counts-as-room-at-home",
        ),
        pytest.param(
            DUPLICATED, 14, {}, {"m1": 10, "m2": 10, "m3": 4}, id="even-where-admission-would-refuse-it"
        ),
    ],
)
def test_overflow(
    scheduling: Value, replicas: int, previous: dict[str, int], expected: dict[str, int]
) -> None:
    asked = binding(replicas, by(scheduling, clusterAffinities=OVERFLOWING), previous=previous)
    found = attempt(asked, fleet(5, 5, 50))
    assert result(found.clusters) == expected
    assert [(entry.cluster, entry.overflow_order) for entry in found.stages().ranked][-1] == ("m3", 1)


def test_overflow_with_too_little_room_anywhere() -> None:
    decision = schedule(binding(70, by(DYNAMIC, clusterAffinities=OVERFLOWING)), fleet(5, 5, 50))
    assert decision.condition is Condition.UNSCHEDULABLE
    assert decision.failure is not None
    assert decision.failure.message == (
        "failed to assign replicas: Clusters available replicas are not enough to schedule."
    )


def test_a_failing_tier_fails_the_pass() -> None:
    scheduling: Value = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Sideways"}
    decision = schedule(binding(7, by(scheduling, clusterAffinities=OVERFLOWING)), fleet(5, 5, 50))
    assert decision.condition is Condition.SCHEDULER_ERROR


def test_the_division_is_told() -> None:
    found = attempt(binding(20, by(DYNAMIC), previous={"m1": 2, "m2": 4}), fleet(6, 12, 18))
    (division,) = found.stages().divisions
    assert (division.strategy, division.scaling) == (Strategy.DYNAMIC_WEIGHT, Scaling.UP)
    assert (division.replicas, division.seats) == (20, 14)
    assert result(division.kept) == {"m1": 2, "m2": 4}
    seated = webster(division.seats, dict(division.weights), division.uid)
    assert {name: seats + result(division.kept).get(name, 0) for name, seats in seated.items()} == result(
        division.clusters
    )


def test_what_aggregated_cut_is_told() -> None:
    (division,) = attempt(binding(19, by(AGGREGATED)), fleet(6, 12, 18)).stages().divisions
    assert division.weights == (("m3", 18), ("m2", 12))
    assert division.cut == (("m1", 6),)
