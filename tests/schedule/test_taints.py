"""Taints follow the conditions of clusters, and keep the time at which they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from renderer.model.cluster import Cluster, Condition, Taint
from renderer.model.config import WorkspaceConfig
from renderer.model.failover import FailoverSettings, GivenTaint
from renderer.model.gates import FeatureGates
from renderer.model.placement import ClusterAffinity
from renderer.model.taint_policy import ClusterTaintPolicy, MatchCondition
from renderer.schedule.taints import NOT_READY, UNREACHABLE, Tainted, tainted

NOW: Final = "2026-01-01T00:00:00Z"
LATER: Final = "2026-01-02T00:00:00Z"
BY_READINESS: Final = WorkspaceConfig(failover=FailoverSettings(taint_not_ready=True))
GATED: Final = WorkspaceConfig(feature_gates=FeatureGates(failover=True))
EVICTING: Final = WorkspaceConfig(
    feature_gates=FeatureGates(failover=True), failover=FailoverSettings(no_execute_eviction=True)
)
DISK: Final = Taint(key="disk", effect="NoSchedule")


def cluster(*taints: Taint, name: str = "m", **conditions: str) -> Cluster:
    """A cluster with these taints and conditions."""
    return Cluster(
        name=name,
        taints=taints,
        conditions=tuple(Condition(type=kind, status=status) for kind, status in conditions.items()),
    )


def match(condition: str, operator: str, *values: str) -> MatchCondition:
    """A condition that a policy looks for."""
    return MatchCondition(condition_type=condition, operator=operator, status_values=values)


def policy(
    *,
    name: str = "disk",
    add: Sequence[MatchCondition] = (match("Disk", "In", "True"),),
    remove: Sequence[MatchCondition] = (match("Disk", "In", "False"),),
    taint: Taint = DISK,
    targets: ClusterAffinity | None = None,
    created_at: str = "",
) -> ClusterTaintPolicy:
    """A policy for clusters whose disk is full."""
    return ClusterTaintPolicy(
        name=name,
        created_at=created_at,
        add_on_conditions=tuple(add),
        remove_on_conditions=tuple(remove),
        taints=(taint,),
        target_clusters=targets,
    )


def kinds(result: Tainted) -> list[tuple[str, str]]:
    """Key and effect of the taints of the first cluster."""
    return [(taint.key, taint.effect) for taint in result.clusters[0].taints]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(cluster(Ready="True"), [], id="ready"),
        pytest.param(cluster(Ready="False"), [NOT_READY], id="not-ready"),
        pytest.param(cluster(Ready="Unknown"), [UNREACHABLE], id="unreachable"),
        pytest.param(cluster(), [NOT_READY], id="nobody-knows"),
        pytest.param(
            cluster(Taint(key=UNREACHABLE[0], effect="NoSchedule"), Ready="False"),
            [NOT_READY],
            id="found-again",
        ),
        pytest.param(cluster(Taint(key=NOT_READY[0], effect="NoSchedule"), Ready="True"), [], id="recovered"),
        pytest.param(
            cluster(Taint(key=NOT_READY[0], effect="NoSchedule", value="by hand"), Ready="False"),
            [NOT_READY],
            id="there-already",
        ),
        pytest.param(
            cluster(Taint(key=NOT_READY[0], effect="NoExecute"), Ready="True"),
            [(NOT_READY[0], "NoExecute")],
            id="another-effect-is-another-taint",
        ),
        pytest.param(cluster(DISK, Ready="True"), [("disk", "NoSchedule")], id="others-stay"),
    ],
)
def test_readiness_becomes_a_taint(given: Cluster, expected: list[tuple[str, str]]) -> None:
    assert kinds(tainted([given], [], [], BY_READINESS, NOW)) == expected


def test_without_being_asked_nothing_is_given_or_taken() -> None:
    given = cluster(Taint(key=NOT_READY[0], effect="NoSchedule"), Ready="True", Disk="True")
    result = tainted([given], [policy()], [], WorkspaceConfig(), NOW)
    assert result == Tainted(clusters=(given,))


@pytest.mark.parametrize(
    ("given", "wanted", "expected"),
    [
        pytest.param(cluster(Disk="True"), policy(), True, id="the-condition-holds"),
        pytest.param(cluster(Disk="Unknown"), policy(), False, id="another-status"),
        pytest.param(cluster(), policy(), False, id="no-such-condition"),
        pytest.param(cluster(Disk="True"), policy(add=()), False, id="no-condition-is-never"),
        pytest.param(
            cluster(Disk="True"), policy(add=[match("Disk", "NotIn", "False")]), True, id="none-of-the-listed"
        ),
        pytest.param(
            cluster(), policy(add=[match("Disk", "NotIn", "False")]), False, id="not-in-needs-the-condition"
        ),
        pytest.param(
            cluster(Disk="True"), policy(add=[match("Disk", "Is", "True")]), False, id="an-unknown-operator"
        ),
        pytest.param(
            cluster(Disk="True", Net="True"),
            policy(add=[match("Disk", "In", "True"), match("Net", "In", "False")]),
            False,
            id="all-must-hold",
        ),
        pytest.param(
            cluster(Disk="True"), policy(targets=ClusterAffinity(cluster_names=("x",))), False, id="not-meant"
        ),
        pytest.param(
            cluster(Disk="True"),
            policy(remove=[match("Disk", "In", "True")]),
            False,
            id="removing-comes-last",
        ),
        pytest.param(cluster(DISK, Disk="False"), policy(), False, id="taken-whoever-gave-it"),
        pytest.param(cluster(DISK, Disk="Unknown"), policy(), True, id="neither-given-nor-taken"),
    ],
)
def test_a_taint_policy_follows_conditions(
    given: Cluster, wanted: ClusterTaintPolicy, expected: bool
) -> None:
    assert kinds(tainted([given], [wanted], [], GATED, NOW)) == [("disk", "NoSchedule")] * expected


def test_of_several_policies_the_oldest_comes_first() -> None:
    taking = policy(name="a", add=(), remove=[match("Disk", "In", "True")], created_at="2026-01-01T00:00:00Z")
    giving = policy(name="b", created_at="2025-01-01T00:00:00Z")
    assert kinds(tainted([cluster(Disk="True")], [taking, giving], [], GATED, NOW)) == []
    unaged = [replace(taking, created_at=""), replace(giving, created_at="")]
    assert kinds(tainted([cluster(Disk="True")], unaged, [], GATED, NOW)) == [("disk", "NoSchedule")]


def test_a_given_taint_is_remembered_with_its_time() -> None:
    full, unsure = cluster(Disk="True"), cluster(Disk="Unknown")
    first = tainted([full], [policy()], [], GATED, NOW)
    (given,) = first.given
    assert (given.given_by, given.taint.time_added) == ("ClusterTaintPolicy disk", NOW)
    for again in (full, unsure):
        second = tainted([again], [policy()], first.given, GATED, LATER)
        assert second.given == first.given
        assert second.clusters[0].taints == first.clusters[0].taints
    assert tainted([cluster(Disk="False")], [policy()], first.given, GATED, LATER).given == ()


@pytest.mark.parametrize(
    ("policies", "config"),
    [
        pytest.param([], GATED, id="the-policy-is-gone"),
        pytest.param([policy(taint=Taint(key="x", effect="NoSchedule"))], GATED, id="it-has-other-taints"),
        pytest.param([policy()], WorkspaceConfig(), id="the-gate-is-closed"),
    ],
)
def test_a_taint_goes_with_what_gave_it(policies: list[ClusterTaintPolicy], config: WorkspaceConfig) -> None:
    first = tainted([cluster(Disk="True")], [policy()], [], GATED, NOW)
    after = tainted([cluster(Disk="Unknown")], policies, first.given, config, LATER)
    assert (after.given, kinds(after)) == ((), [])


def test_the_taint_of_a_cluster_that_is_not_ready_goes_with_the_setting() -> None:
    first = tainted([cluster(Ready="False")], [], [], BY_READINESS, NOW)
    assert [item.given_by for item in first.given] == ["condition Ready"]
    again = tainted([cluster(Ready="False")], [], first.given, BY_READINESS, LATER)
    assert again.given == first.given
    assert tainted([cluster(Ready="False")], [], first.given, GATED, LATER).given == ()


def test_the_inventory_comes_before_what_is_remembered() -> None:
    first = tainted([cluster(Disk="True")], [policy()], [], GATED, NOW)
    exported = cluster(replace(DISK, time_added="2025-05-05T00:00:00Z"), Disk="True")
    after = tainted([exported], [policy()], first.given, GATED, LATER)
    assert (after.clusters, after.given) == ((exported,), ())


def test_a_no_execute_taint_counts_from_when_it_was_seen_first() -> None:
    gone = Taint(key="gone", effect="NoExecute")
    timed = Taint(key="timed", effect="NoExecute", time_added="2025-05-05T00:00:00Z")
    given = cluster(gone, DISK, timed)
    first = tainted([given], [], [], EVICTING, NOW)
    assert [taint.time_added for taint in first.clusters[0].taints] == [NOW, "", "2025-05-05T00:00:00Z"]
    second = tainted([given], [], first.given, EVICTING, LATER)
    assert second == first
    other = cluster(replace(gone, value="really"))
    assert tainted([other], [], first.given, EVICTING, LATER).clusters[0].taints[0].time_added == LATER
    assert tainted([cluster()], [], first.given, EVICTING, LATER).given == ()


def test_taints_of_other_clusters_are_theirs() -> None:
    remembered = GivenTaint(
        cluster="x", taint=replace(DISK, time_added=NOW), given_by="ClusterTaintPolicy disk"
    )
    assert kinds(tainted([cluster()], [policy()], [remembered], GATED, LATER)) == []
