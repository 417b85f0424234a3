"""What asks a binding to forget its memory."""

from __future__ import annotations

import pytest

from renderer.model.binding import Binding
from renderer.model.instant import EPOCH, after, instant
from renderer.model.plan import Plan
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, POLICY, SHOP, plan

TERMS = POLICY.replace(
    "clusterAffinity: {labelSelector: {matchLabels: {stage: prod}}}",
    "clusterAffinities: [{affinityName: first, clusterNames: [north]}, "
    "{affinityName: second, clusterNames: [east]}]",
).replace("Weighted}", "Aggregated}")
ROOM = FLEET.replace("region:", "capacity: {pods: '9'}, region:")
DOWN = ROOM.replace("{name: north,", "{name: north, taints: [{key: down, effect: NoSchedule}],")
AGAIN = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again}
spec: {workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]}
"""
FALLEN_BACK = {**SHOP, "policy.yaml": TERMS, "fleet.yaml": DOWN}
RECOVERED = {**FALLEN_BACK, "fleet.yaml": ROOM}
NOON = "2026-05-01T12:00:00Z"


def bound(result: Plan) -> Binding:
    """The binding of the Deployment."""
    (binding,) = (item.binding for item in result.renderings if item.template.identity.kind == "Deployment")
    assert binding is not None
    return binding


def clusters(result: Plan) -> list[str]:
    """Where the Deployment is."""
    return [target.name for target in bound(result).clusters]


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        pytest.param(EPOCH, EPOCH, EPOCH, id="time-stands-still"),
        pytest.param(NOON, NOON, NOON, id="one-commit"),
        pytest.param(NOON, EPOCH, EPOCH, id="a-commit-that-is-dated-back"),
        pytest.param(EPOCH, NOON, "2026-05-02T12:00:00Z", id="time-goes-on"),
    ],
)
def test_a_rebalancer_written_by_hand_counts_once_whatever_the_clock(
    first: str, second: str, third: str
) -> None:
    fallen = plan(FALLEN_BACK, now=first)
    assert clusters(fallen) == ["east"]
    kept = plan(RECOVERED, read_previous(fallen.tree), second)
    assert clusters(kept) == ["east"], "nothing goes back by itself"
    moved = plan({**RECOVERED, "again.yaml": AGAIN}, read_previous(kept.tree), second)
    assert clusters(moved) == ["north"]
    down = plan({**FALLEN_BACK, "again.yaml": AGAIN}, read_previous(moved.tree), third)
    assert clusters(down) == ["north"], "it has been obeyed"
    rested = plan({**RECOVERED, "again.yaml": AGAIN}, read_previous(down.tree), third)
    assert bound(rested).last_scheduled_time == bound(moved).last_scheduled_time
    once_more = AGAIN.replace("name: again", "name: once-more")
    last = plan({**RECOVERED, "again.yaml": once_more}, read_previous(rested.tree), third)
    assert instant(bound(last).last_scheduled_time) > instant(bound(rested).last_scheduled_time)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (NOON, "", NOON),
        (NOON, EPOCH, NOON),
        (NOON, NOON, "2026-05-01T12:00:01Z"),
        (EPOCH, NOON, "2026-05-01T12:00:01Z"),
        (NOON, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ],
)
def test_after(one: str, other: str, expected: str) -> None:
    assert after(one, other) == expected


def test_a_rebalancer_with_a_time_of_its_own_counts_from_it() -> None:
    fallen = plan(FALLEN_BACK, now=NOON)
    kept = plan(RECOVERED, read_previous(fallen.tree), NOON)
    dated = AGAIN.replace("{name: again}", '{name: again, creationTimestamp: "2026-05-03T08:00:00Z"}')
    moved = plan({**RECOVERED, "again.yaml": dated}, read_previous(kept.tree), NOON)
    assert clusters(moved) == ["north"]
    assert bound(moved).last_scheduled_time == "2026-05-03T08:00:00Z"
