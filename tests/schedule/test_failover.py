"""Who must leave a cluster and when, and how long an eviction lasts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Object
from renderer.model.binding import Binding, GracefulEvictionTask, TargetCluster
from renderer.model.cluster import Cluster, Taint
from renderer.model.failover import FailoverSettings
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity
from renderer.model.placement import Toleration
from renderer.schedule.failover import Failover, is_overdue, left_behind, purge_mode

AT: Final = "2026-01-01T00:00:00Z"
MINUTE: Final = "2026-01-01T00:01:00Z"
SETTINGS: Final = FailoverSettings(no_execute_eviction=True)
GATES: Final = FeatureGates(failover=True)


def taint(key: str = "gone", value: str = "", added: str = AT) -> Taint:
    """A NoExecute taint."""
    return Taint(key=key, value=value, effect="NoExecute", time_added=added)


def tolerates(key: str = "gone", seconds: int | None = None, effect: str = "NoExecute") -> Toleration:
    """A toleration of a key."""
    return Toleration(key=key, operator="Exists", effect=effect, toleration_seconds=seconds)


@pytest.mark.parametrize(
    ("taints", "tolerations", "expected"),
    [
        pytest.param([taint()], [], True, id="not-tolerated"),
        pytest.param([taint()], [tolerates()], False, id="tolerated-for-ever"),
        pytest.param([taint()], [tolerates(seconds=61)], False, id="a-second-left"),
        pytest.param([taint()], [tolerates(seconds=60)], True, id="the-very-second"),
        pytest.param([taint()], [tolerates(seconds=59)], True, id="over"),
        pytest.param([taint()], [tolerates(seconds=0)], True, id="no-time-at-all"),
        pytest.param([taint()], [tolerates(seconds=-5)], True, id="less-than-none"),
        pytest.param([taint()], [tolerates(effect="NoSchedule")], True, id="of-another-effect"),
        pytest.param([taint(), taint("b")], [tolerates()], True, id="one-of-two-is-not-tolerated"),
        pytest.param(
            [taint()], [tolerates(), tolerates(seconds=1)], False, id="the-first-that-matches-is-used"
        ),
        pytest.param(
            [taint(), taint("b")],
            [tolerates(seconds=100), tolerates("b", seconds=10)],
            True,
            id="the-earliest-deadline-counts",
        ),
        pytest.param(
            [taint(added="2025-12-31T00:00:00Z"), taint("b")],
            [
                Toleration(key="gone", operator="Exists"),
                Toleration(operator="Exists", toleration_seconds=100),
            ],
            True,
            id="a-used-toleration-counts-for-all-that-it-tolerates",
        ),
        pytest.param(
            [taint(added="")], [tolerates(seconds=1)], False, id="a-taint-without-a-time-never-ends"
        ),
        pytest.param([taint()], [tolerates(seconds=2**63 // 10**9 + 1)], True, id="durations-wrap-around"),
        pytest.param([taint()], [tolerates(seconds=2**62)], True, id="to-nothing"),
    ],
)
def test_when_work_must_leave(taints: list[Taint], tolerations: list[Toleration], expected: bool) -> None:
    assert is_overdue(tuple(taints), tuple(tolerations), MINUTE) is expected


@given(st.integers(0, 2**31), st.integers(0, 2**31))
def test_it_leaves_once_the_seconds_are_over(seconds: int, passed: int) -> None:
    earlier = Taint(key="gone", effect="NoExecute", time_added="1970-01-01T00:00:00Z")
    days, rest = divmod(passed, 86400)
    now = f"{_date(days)}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"
    assert is_overdue((earlier,), (tolerates(seconds=seconds),), now) is (seconds <= passed)


def _date(days: int) -> str:
    from datetime import date, timedelta

    return str(date(1970, 1, 1) + timedelta(days=days))


def binding(
    *clusters: str,
    applied: str = "{}",
    tasks: tuple[GracefulEvictionTask, ...] = (),
    failover: Object | None = None,
) -> Binding:
    """A binding on these clusters, with two replicas on each."""
    return Binding(
        identity=Identity("apps/v1", "Deployment", "shop", "web"),
        clusters=tuple(TargetCluster(name=name, replicas=2) for name in clusters),
        applied_placement=applied,
        graceful_eviction_tasks=tasks,
        failover=failover,
    )


FLEET: Final = (Cluster(name="a", taints=(taint(),)), Cluster(name="b"))


def leave(settings: FailoverSettings = SETTINGS, gates: FeatureGates = GATES, now: str = MINUTE) -> Failover:
    """Failover of a fleet in which a is tainted."""
    return Failover.of(FLEET, settings, gates, now)


def test_a_cluster_is_left_with_a_task() -> None:
    after = leave().evicted(binding("a", "b"))
    assert [target.name for target in after.clusters] == ["b"]
    (task,) = after.graceful_eviction_tasks
    assert task.raw == {
        "fromCluster": "a",
        "purgeMode": "Gracefully",
        "replicas": 2,
        "reason": "TaintUntolerated",
        "producer": "TaintManager",
        "creationTimestamp": MINUTE,
    }


def test_no_replicas_are_no_number() -> None:
    after = leave().evicted(replace(binding("a"), clusters=(TargetCluster(name="a"),)))
    assert "replicas" not in after.graceful_eviction_tasks[0].raw


TOLERATED: Final = '{"clusterTolerations":[{"key":"gone","operator":"Exists","effect":"NoExecute"}]}'
STATE: Final[Object] = {
    "cluster": {"statePreservation": {"rules": [{"aliasLabelName": "a", "jsonPath": "{.a}"}]}}
}


@pytest.mark.parametrize(
    ("failover", "stays"),
    [
        pytest.param(leave(gates=FeatureGates()), binding("a"), id="the-gate-is-closed"),
        pytest.param(leave(FailoverSettings()), binding("a"), id="nobody-asks-for-it"),
        pytest.param(leave(), binding("b"), id="the-cluster-has-no-taint"),
        pytest.param(leave(), binding("a", applied=TOLERATED), id="it-is-tolerated"),
        pytest.param(leave(), binding("a", applied=""), id="never-scheduled"),
        pytest.param(leave(), binding("a", applied="{"), id="what-it-was-scheduled-for-is-unreadable"),
        pytest.param(
            leave(gates=FeatureGates(failover=True, stateful_failover_injection=True)),
            binding("a", failover=STATE),
            id="its-state-would-be-lost",
        ),
    ],
)
def test_it_stays(failover: Failover, stays: Binding) -> None:
    assert failover.evicted(stays) is stays


def test_a_cluster_that_is_being_left_already_gets_no_second_task() -> None:
    task = GracefulEvictionTask(from_cluster="a", creation_timestamp=AT)
    after = leave().evicted(binding("a", tasks=(task,)))
    assert (after.clusters, after.graceful_eviction_tasks) == ((), (task,))


@pytest.mark.parametrize(
    ("failover", "settings", "expected"),
    [
        pytest.param(None, SETTINGS, "Gracefully", id="by-default"),
        pytest.param(None, FailoverSettings(purge_mode="Directly"), "Directly", id="as-the-settings-say"),
        pytest.param(
            {"cluster": {}},
            FailoverSettings(purge_mode="Directly"),
            "Gracefully",
            id="the-policy's-own-default",
        ),
        pytest.param({"cluster": {"purgeMode": "Directly"}}, SETTINGS, "Directly", id="as-the-policy-says"),
        pytest.param(
            {"application": {"purgeMode": "Never"}},
            SETTINGS,
            "Gracefully",
            id="applications-are-another-matter",
        ),
    ],
)
def test_purge_mode(failover: Object | None, settings: FailoverSettings, expected: str) -> None:
    assert purge_mode(binding("a", failover=failover), settings) == expected


def task(**fields: object) -> GracefulEvictionTask:
    """A task of the first minute of the year."""
    begun = GracefulEvictionTask(from_cluster="a", creation_timestamp=AT, raw={"fromCluster": "a"})
    return replace(begun, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_task", "now", "kept"),
    [
        pytest.param(task(), "2026-01-01T00:10:00Z", True, id="the-last-moment"),
        pytest.param(task(), "2026-01-01T00:10:01Z", False, id="ten-minutes-are-over"),
        pytest.param(task(grace_period_seconds=5), "2026-01-01T00:00:05Z", True, id="its-own-grace"),
        pytest.param(task(grace_period_seconds=5), "2026-01-01T00:00:06Z", False, id="its-own-grace-is-over"),
        pytest.param(task(suppress_deletion=True), "2030-01-01T00:00:00Z", True, id="kept-until-confirmed"),
        pytest.param(task(suppress_deletion=False), AT, False, id="confirmed"),
        pytest.param(task(), "2020-01-01T00:00:00Z", True, id="a-clock-that-went-back"),
    ],
)
def test_how_long_a_task_lasts(given_task: GracefulEvictionTask, now: str, kept: bool) -> None:
    after = leave(now=now).assessed(binding("b", tasks=(given_task,)))
    assert after.graceful_eviction_tasks == (given_task,) * kept


def test_tasks_end_whether_or_not_evictions_are_asked_for() -> None:
    over = Failover.of((), FailoverSettings(), FeatureGates(), "2030-01-01T00:00:00Z")
    assert over.assessed(binding(tasks=(task(),))).graceful_eviction_tasks == ()


def test_a_task_without_a_time_begins_now() -> None:
    (after,) = leave().assessed(binding(tasks=(task(creation_timestamp=""),))).graceful_eviction_tasks
    assert after.creation_timestamp == MINUTE
    assert after.raw == {"fromCluster": "a", "creationTimestamp": MINUTE}


def test_where_nothing_is_left_to_become_healthy_tasks_end() -> None:
    tasks = (task(), task(from_cluster="b", suppress_deletion=True))
    assert leave().concluded(binding(tasks=tasks)).graceful_eviction_tasks == tasks[1:]
    assert leave().concluded(binding("b", tasks=tasks)).graceful_eviction_tasks == tasks


def test_what_is_purged_directly_leaves_nothing_behind() -> None:
    tasks = [
        task(from_cluster="a", purge_mode="Directly"),
        task(from_cluster="b", purge_mode="Gracefully"),
        task(from_cluster="c", purge_mode="Never"),
        task(from_cluster="d"),
    ]
    assert left_behind(tasks) == ("b", "c", "d")
