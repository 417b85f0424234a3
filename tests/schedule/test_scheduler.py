"""What becomes of a binding: terms in order, outcomes, memory, and the laws of all decisions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Object, Value
from renderer.model.binding import Binding
from renderer.model.cluster import Cluster, Taint
from renderer.model.decision import Condition, ErrorClass, Scaling, Trigger
from renderer.model.gates import FeatureGates
from renderer.model.placement import Placement
from renderer.schedule.inventory import Inventory
from renderer.schedule.scheduler import reconcile, schedule, settled
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

NOW = "2026-02-02T00:00:00Z"
LATER = "2026-03-03T00:00:00Z"


def terms(**clusters: str) -> Placement:
    """Affinity terms by name, each of one cluster."""
    entries: list[Value] = [{"affinityName": name, "clusterNames": [only]} for name, only in clusters.items()]
    return placement(clusterAffinities=entries, replicaScheduling=AGGREGATED)


FLEET = [cluster("m1", pods=5), cluster("m2", pods=50), cluster("m3", pods=50)]


@pytest.mark.parametrize(
    ("observed", "where", "replicas", "name", "tried"),
    [
        pytest.param("", terms(g1="m1", g2="m2"), 3, "g1", "g1", id="the-first-that-succeeds"),
        pytest.param("", terms(g1="m1", g2="m2"), 9, "g2", "g1 g2", id="capacity-moves-on"),
        pytest.param("", terms(g1="gone", g2="m2"), 9, "g2", "g1 g2", id="nobody-fits-moves-on"),
        pytest.param("g2", terms(g1="m1", g2="m2"), 3, "g2", "g2", id="no-way-back"),
        pytest.param("g9", terms(g1="m1", g2="m2"), 3, "g1", "g1", id="an-unknown-name-starts-anew"),
    ],
)
def test_terms_are_tried_in_order(
    observed: str, where: Placement, replicas: int, name: str, tried: str
) -> None:
    decision = schedule(replace(binding(replicas, where), observed_affinity_name=observed), FLEET)
    assert decision.condition is Condition.SUCCESS
    assert decision.affinity_name == name
    assert [attempt.affinity_name for attempt in decision.attempts] == tried.split()


def test_a_reschedule_starts_at_the_first_term() -> None:
    asked = replace(
        binding(3, terms(g1="m1", g2="m2"), previous={"m2": 3}),
        observed_affinity_name="g2",
        last_scheduled_time=NOW,
        reschedule_triggered_at=LATER,
    )
    decision = schedule(asked, FLEET)
    assert (decision.affinity_name, result(decision.clusters), decision.fresh) == ("g1", {"m1": 3}, True)


@pytest.mark.parametrize(
    ("where", "condition", "kept"),
    [
        pytest.param(
            terms(g1="gone", g2="m1"), Condition.NO_CLUSTER_FIT, False, id="first-nobody-then-no-room"
        ),
        pytest.param(
            terms(g1="m1", g2="gone"), Condition.UNSCHEDULABLE, True, id="first-no-room-then-nobody"
        ),
        pytest.param(
            placement(spreadConstraints=[{"spreadByField": "cluster", "minGroups": 9}]),
            Condition.SCHEDULER_ERROR,
            True,
            id="selection",
        ),
    ],
)
def test_the_first_failure_decides(where: Placement, condition: Condition, kept: bool) -> None:
    asked = replace(binding(90, where, previous={"m1": 4}), observed_affinity_name="g1")
    decision = schedule(asked, FLEET)
    assert decision.condition is condition
    assert decision.failure is not None
    assert decision.failure.error_class.condition is condition
    assert result(decision.clusters) == ({"m1": 4} if kept else {})
    assert (decision.retry, decision.placement_applied) == (kept, not kept)
    assert decision.affinity_name == "g1"
    after = settled(asked, decision, NOW)
    assert bool(after.applied_placement) is (not kept)
    assert after.last_scheduled_time == ""


def test_nobody_fits_is_told_in_karmadas_words() -> None:
    fleet = [
        cluster("m1", apis=[]),
        cluster(
            "m2", taints=[Taint(key="k", value="v", effect="NoSchedule"), Taint(key="j", effect="NoExecute")]
        ),
        cluster("m3", apis=[], taints=[Taint(key="k", effect="NoSchedule")]),
        cluster("m4", deleting=True),
    ]
    decision = schedule(binding(1), fleet)
    assert decision.failure is not None
    assert decision.failure.error_class is ErrorClass.FIT
    assert decision.failure.message == (
        "0/4 clusters are available: 1 cluster(s) had untolerated taint {k=v:NoSchedule}, "
        "2 cluster(s) did not have the API resource."
    )
    stages = decision.attempts[0].stages()
    assert stages.terminating == ("m4",)
    assert {name: [entry.plugin for entry in found] for name, found in stages.rejected.items()} == {
        "m1": ["APIEnablement"],
        "m2": ["TaintToleration"],
        "m3": ["APIEnablement", "TaintToleration"],
    }
    assert (stages.ranked, stages.regions, stages.selected, stages.divisions) == ((), (), (), ())


@pytest.mark.parametrize("fleet", [[], [cluster("m1", deleting=True)]], ids=["none", "deleting"])
def test_no_cluster_at_all(fleet: list[Cluster]) -> None:
    decision = schedule(binding(1), fleet)
    assert decision.failure is not None
    assert decision.failure.message == f"0/{len(fleet)} clusters are available: no cluster exists."


def test_what_is_not_due_stands_with_its_reasons() -> None:
    where = placement(clusterAffinity={"clusterNames": ["m1"]}, replicaScheduling=AGGREGATED)
    asked = settled(first := binding(3, where), reconcile(first, FLEET), NOW)
    decision = reconcile(asked, FLEET)
    assert (decision.trigger, decision.scheduled, decision.condition) == (Trigger.NONE, False, None)
    assert (decision.clusters, decision.attempts, decision.retry) == (asked.clusters, (), False)
    assert list(decision.rejections()) == ["m2", "m3"]
    assert settled(asked, decision, LATER) is asked


def test_rejections_are_those_of_the_term_in_force() -> None:
    decision = schedule(binding(9, terms(g1="m1", g2="m2")), FLEET)
    assert list(decision.rejections()) == ["m1", "m3"]
    failed = schedule(binding(90, terms(g1="m1", g2="m2")), FLEET)
    assert list(failed.rejections()) == ["m2", "m3"]


@pytest.mark.parametrize(
    "asked",
    [
        replace(binding(1), scheduling_suspended=True),
        replace(binding(1), scheduler_name="other"),
        replace(binding(1), placement=None),
    ],
    ids=["suspended", "another-scheduler", "without-placement"],
)
def test_what_is_not_admitted_stands(asked: Binding) -> None:
    asked = replace(asked, clusters=targets({"m1": 4}))
    decision = reconcile(asked, FLEET)
    assert (decision.admitted, decision.scheduled, result(decision.clusters)) == (False, False, {"m1": 4})


def test_time_of_the_last_pass_is_renewed_only_where_it_tells_something() -> None:
    where = placement(replicaScheduling=DUPLICATED)
    once = settled(first := binding(3, where), reconcile(first, FLEET), NOW)
    twice = settled(once, reconcile(once, FLEET), LATER)
    assert (once.last_scheduled_time, twice) == (NOW, once)
    asked = replace(once, reschedule_triggered_at=LATER)
    served = settled(asked, reconcile(asked, FLEET), LATER)
    assert served.last_scheduled_time == LATER
    assert not reconcile(served, FLEET).fresh


def test_groups_see_what_was_decided_before() -> None:
    gates = FeatureGates(workload_affinity=True)
    where = placement(clusterAffinity={"clusterNames": ["m2"]}, replicaScheduling=AGGREGATED)
    db = replace(binding(2, where, name="db"), affinity_group="app=shop")
    web = replace(binding(2, placement(replicaScheduling=AGGREGATED)), affinity_group="app=shop")
    db = settled(db, reconcile(db, FLEET, gates=gates), NOW)
    assert result(reconcile(web, FLEET, gates=gates, others=[db]).clusters) == {"m2": 2}
    assert list(reconcile(web, FLEET, gates=gates, others=[db]).rejections()) == ["m1", "m3"]
    assert not reconcile(web, FLEET, others=[db]).rejections()


DICE = random.Random(8)
POOL = [
    cluster(
        f"m{number}",
        pods=DICE.randrange(0, 30),
        region=DICE.choice(("ra", "rb", "rc")),
        labels={"tier": DICE.choice(("near", "far"))},
        taints=[Taint(key="slow", effect="NoSchedule")] if DICE.random() < 0.2 else [],
        deleting=DICE.random() < 0.1,
    )
    for number in range(16)
]
NEAR: Object = {"labelSelector": {"matchLabels": {"tier": "near"}}}
SPREADS: tuple[Value, ...] = (
    [],
    [{"spreadByField": "cluster", "minGroups": 2, "maxGroups": 4}],
    [
        {"spreadByField": "region", "minGroups": 1, "maxGroups": 2},
        {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 4},
    ],
)
PLACEMENTS = [
    placement(clusterAffinity=affinity, replicaScheduling=scheduling, spreadConstraints=constraints)
    for scheduling in (DUPLICATED, WEIGHTED, DYNAMIC, AGGREGATED)
    for affinity in ({}, NEAR)
    for constraints in SPREADS
] + [
    placement(
        clusterAffinities=[
            {**NEAR, "affinityName": "near", "overflowAffinities": [{"affinityName": "far"}]},
            {"affinityName": "all"},
        ],
        replicaScheduling=DYNAMIC,
    )
]
fleets = st.lists(st.sampled_from(POOL), unique_by=lambda one: one.name, max_size=10)
asked_bindings = st.builds(
    lambda replicas, where, previous, requests, uid: replace(
        binding(replicas, where, previous=previous, requests=requests), uid=uid
    ),
    st.integers(0, 60),
    st.sampled_from(PLACEMENTS),
    st.dictionaries(st.sampled_from([one.name for one in POOL]), st.integers(0, 20), max_size=3),
    st.sampled_from((None, {})),
    st.sampled_from(("", "b")),
)


@given(fleets, asked_bindings)
def test_no_replica_is_lost_or_invented(fleet: list[Cluster], asked: Binding) -> None:
    decision = schedule(asked, fleet)
    if decision.condition is not Condition.SUCCESS or not asked.replicas:
        return
    scheduling = asked.placement.replica_scheduling if asked.placement else None
    copies = scheduling is not None and scheduling.replica_scheduling_type == "Duplicated"
    replicas = [target.replicas for target in decision.clusters]
    assert all(count > 0 for count in replicas)
    assert set(replicas) == {asked.replicas} if copies else sum(replicas) == asked.replicas


@given(fleets, asked_bindings)
def test_order_of_clusters_does_not_matter(fleet: list[Cluster], asked: Binding) -> None:
    assert schedule(asked, fleet[::-1]) == schedule(asked, fleet)


@given(fleets, asked_bindings)
def test_every_cluster_is_feasible_rejected_or_being_deleted(fleet: list[Cluster], asked: Binding) -> None:
    decision = schedule(asked, fleet)
    stages = decision.attempts[-1].stages()
    ranked = [candidate.cluster for candidate in stages.ranked]
    assert sorted([*ranked, *stages.rejected, *stages.terminating]) == sorted(one.name for one in fleet)
    assert all(reasons for reasons in stages.rejected.values())
    if decision.condition is Condition.SUCCESS:
        got = list(result(decision.clusters))
        assert set(got) <= set(stages.selected) <= set(ranked)
        assert not set(got) & set(stages.rejected)
        assert tuple(t for division in stages.divisions for t in division.clusters) == decision.clusters


@given(fleets, asked_bindings)
def test_dynamic_division_stays_within_what_is_available(fleet: list[Cluster], asked: Binding) -> None:
    decision = schedule(asked, fleet)
    stages = decision.attempts[-1].stages()
    room = {candidate.cluster: candidate.available for candidate in stages.ranked}
    for division in stages.divisions:
        if division.scaling is not Scaling.NOT_DYNAMIC and decision.condition is Condition.SUCCESS:
            assert all(target.replicas <= room[target.name] for target in division.clusters)


@given(fleets, asked_bindings)
def test_deciding_again_on_the_result_changes_nothing(fleet: list[Cluster], asked: Binding) -> None:
    inventory = Inventory(fleet)
    decision = reconcile(asked, inventory)
    if decision.condition is not Condition.SUCCESS:
        return
    after = settled(asked, decision, NOW)
    again = settled(after, reconcile(after, inventory), LATER)
    assert result(again.clusters) == result(after.clusters)
    assert replace(again, clusters=()) == replace(after, clusters=())


@given(fleets, st.lists(asked_bindings, max_size=4))
def test_an_inventory_that_others_used_decides_the_same(fleet: list[Cluster], asked: list[Binding]) -> None:
    shared = Inventory(fleet)
    assert [schedule(one, shared) for one in asked] == [schedule(one, fleet) for one in asked]
