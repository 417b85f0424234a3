"""Whether a pass is due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.values import Object, Value
from renderer.match.fleet import Fleet
from renderer.model.binding import Binding, Component
from renderer.model.decision import Trigger
from renderer.model.gates import FeatureGates
from renderer.model.placement import Placement
from renderer.schedule.applied import applied_text
from renderer.schedule.question import SchedulerOptions
from renderer.schedule.triggers import admitted, due
from tests.schedule.build import AGGREGATED, DUPLICATED, binding, cluster, placement

T0, T1 = "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"
DIVIDED = placement(replicaScheduling=AGGREGATED)
COPIES = placement(replicaScheduling=DUPLICATED)
G1: Object = {"affinityName": "g1", "clusterNames": ["m1"]}
G2: Object = {"affinityName": "g2", "clusterNames": ["m2"]}
FLEET = Fleet([cluster("m1"), cluster("m2", deleting=True)])


def applied(asked: Binding, where: Placement | None = None) -> Binding:
    """The binding, last scheduled for the placement given (by default its own)."""
    former = where or asked.placement
    assert former is not None
    return replace(asked, applied_placement=applied_text(former), last_scheduled_time=T0)


def terms(*entries: Value, **fields: Value) -> Placement:
    return placement(clusterAffinities=list(entries), replicaScheduling=AGGREGATED, **fields)


def trigger(asked: Binding, gates: FeatureGates | None = None, *, vanished: bool = True) -> Trigger:
    assert asked.placement is not None
    options = SchedulerOptions(vanished_is_terminating=vanished)
    return due(asked, asked.placement, FLEET, gates or FeatureGates(), options)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(binding(2, DIVIDED), Trigger.PLACEMENT_CHANGED, id="never-scheduled"),
        pytest.param(applied(binding(2, DIVIDED, previous={"m1": 2})), Trigger.NONE, id="nothing-changed"),
        pytest.param(
            applied(binding(2, DIVIDED, previous={"m1": 2}), COPIES),
            Trigger.PLACEMENT_CHANGED,
            id="placement",
        ),
        pytest.param(
            replace(binding(2, DIVIDED, previous={"m1": 2}), applied_placement="{"),
            Trigger.NONE,
            id="an-unreadable-annotation-counts-as-unchanged",
        ),
        pytest.param(applied(binding(3, DIVIDED, previous={"m1": 2})), Trigger.REPLICAS_CHANGED, id="sum"),
        pytest.param(
            applied(binding(2, COPIES, previous={"m1": 2, "m2": 1})),
            Trigger.REPLICAS_CHANGED,
            id="one-copy-differs",
        ),
        pytest.param(
            applied(binding(2, COPIES, previous={"m1": 2})),
            Trigger.DUPLICATED_OR_NON_WORKLOAD,
            id="duplicated",
        ),
        pytest.param(
            applied(binding(2, Placement(), previous={"m1": 1})),
            Trigger.DUPLICATED_OR_NON_WORKLOAD,
            id="without-a-strategy-replicas-are-not-compared",
        ),
        pytest.param(
            applied(binding(0, DIVIDED, kind="ConfigMap", previous={"m1": 0})),
            Trigger.DUPLICATED_OR_NON_WORKLOAD,
            id="non-workload",
        ),
        pytest.param(
            applied(binding(1, placement(replicaScheduling={"replicaSchedulingType": "Odd"}))),
            Trigger.NONE,
            id="an-unknown-type-is-never-due",
        ),
        pytest.param(
            replace(applied(binding(2, DIVIDED, previous={"m1": 2})), reschedule_triggered_at=T1),
            Trigger.RESCHEDULE_TRIGGERED,
            id="reschedule-asked-for",
        ),
        pytest.param(
            replace(applied(binding(2, DIVIDED, previous={"m1": 2})), reschedule_triggered_at=T0),
            Trigger.NONE,
            id="reschedule-asked-for-at-the-same-time",
        ),
        pytest.param(
            replace(
                applied(binding(2, DIVIDED, previous={"m1": 2})),
                reschedule_triggered_at=T1,
                last_scheduled_time="",
            ),
            Trigger.NONE,
            id="reschedule-before-the-first-schedule",
        ),
        pytest.param(
            applied(binding(2, DIVIDED, previous={"m1": 1, "m2": 1})),
            Trigger.TERMINATING_TARGET_CLUSTER,
            id="target-being-deleted",
        ),
    ],
)
def test_trigger(asked: Binding, expected: Trigger) -> None:
    assert trigger(asked) is expected


def test_a_vanished_target_counts_as_being_deleted_unless_told_otherwise() -> None:
    asked = applied(binding(2, DIVIDED, previous={"gone": 2}))
    assert trigger(asked) is Trigger.TERMINATING_TARGET_CLUSTER
    assert trigger(asked, vanished=False) is Trigger.NONE


@pytest.mark.parametrize(
    ("now", "before", "observed", "changed"),
    [
        pytest.param(terms(G1, G2), terms(G2), "g2", False, id="a-term-put-in-front"),
        pytest.param(terms(G1, G2), terms(G2), "", True, id="nothing-observed"),
        pytest.param(terms(G1), terms(G1, G2), "g2", True, id="observed-term-removed"),
        pytest.param(terms(G1, G2), terms(G1), "g2", True, id="observed-term-is-new"),
        pytest.param(
            terms({**G1, "overflowAffinities": [G2]}),
            terms(G1),
            "g1",
            True,
            id="overflow-of-the-observed-term",
        ),
        pytest.param(terms(G1, {**G2, "exclude": ["x"]}), terms(G1, G2), "g1", False, id="another-term"),
        pytest.param(
            terms(G1, workloadAffinity={"affinity": {"groupByLabelKey": "app"}}),
            terms(G1),
            "g1",
            False,
            id="workload-affinity-under-an-observed-term",
        ),
        pytest.param(
            terms(G1, clusterTolerations=[{"operator": "Exists"}]), terms(G1), "g1", True, id="tolerations"
        ),
    ],
)
def test_terms(now: Placement, before: Placement, observed: str, changed: bool) -> None:
    asked = replace(applied(binding(2, now, previous={"m1": 2}), before), observed_affinity_name=observed)
    assert trigger(asked) is (Trigger.PLACEMENT_CHANGED if changed else Trigger.NONE)


def test_components_without_clusters_are_due_behind_their_gate() -> None:
    asked = replace(applied(binding(0, DIVIDED)), components=(Component(name="one"),))
    assert trigger(asked) is Trigger.NONE
    assert trigger(asked, FeatureGates(multiple_pod_templates_scheduling=True)) is Trigger.REPLICAS_CHANGED


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(binding(), True, id="ordinary"),
        pytest.param(replace(binding(), scheduler_name=""), True, id="no-name-is-the-default-scheduler"),
        pytest.param(replace(binding(), scheduler_name="other"), False, id="another-scheduler"),
        pytest.param(replace(binding(), scheduling_suspended=True), False, id="suspended"),
        pytest.param(replace(binding(), managed=False), False, id="of-no-policy"),
    ],
)
def test_admitted(asked: Binding, expected: bool) -> None:
    assert admitted(asked, SchedulerOptions()) is expected
