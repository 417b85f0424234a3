"""What a commit may say of itself: that the same input gives it again, whenever that is rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.cli import settling
from renderer.cli.settling import settles
from renderer.model.instant import NO_CLOCK, ClockError, instant, is_instant
from renderer.model.tree import Blob, Tree, placed
from renderer.schedule.previous import read_previous
from tests.workspaces import SHOP, plan

BINDING = ".krender/bindings/shop/deployment.apps.web.yaml"
REBALANCER = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again}
spec: {workloads: [{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}]}
"""
REPLICAS_ARE_TEXT = SHOP["web.yaml"].replace("replicas: 4", "replicas: four")
WITH_REBALANCER = {**SHOP, "again.yaml": REBALANCER}
BEFORE = plan(SHOP).tree
SETTLED = plan(WITH_REBALANCER, read_previous(BEFORE)).tree


def edited(tree: Tree, old: bytes, new: bytes) -> Tree:
    """The tree after somebody has changed the memory in it."""
    blob = tree.at(BINDING)
    assert isinstance(blob, Blob)
    assert old in blob.data
    return placed(tree, BINDING, Blob(blob.data.replace(old, new)))


@pytest.mark.parametrize(
    ("files", "published", "expected"),
    [
        pytest.param(SHOP, None, True, id="what-is-published-is-rendered-again"),
        pytest.param(
            SHOP, edited(BEFORE, b"name: east", b"name: west"), False, id="the-memory-says-otherwise"
        ),
        pytest.param(SHOP, edited(BEFORE, b"spec:", b"spec: ["), False, id="the-memory-cannot-be-read"),
        pytest.param(WITH_REBALANCER, None, True, id="a-rebalancer-has-had-its-turn"),
        pytest.param(WITH_REBALANCER, BEFORE, False, id="a-rebalancer-without-a-time-asks-for-the-clock"),
        pytest.param({**SHOP, "web.yaml": REPLICAS_ARE_TEXT}, BEFORE, False, id="a-template-fails"),
    ],
)
def test_a_result_is_settled_if_the_next_render_is_sure_to_give_it(
    files: dict[str, str], published: Tree | None, expected: bool
) -> None:
    result = plan(files, read_previous(BEFORE))
    assert settles(result, published or result.tree, "sha1") is expected


def test_of_a_very_large_result_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "MOST_MANIFESTS", 1)
    assert not settles(plan(SHOP), BEFORE, "sha1")


@given(st.datetimes().map(lambda moment: f"{moment.isoformat(timespec='seconds')}Z"))
def test_at_any_time_a_settled_result_is_rendered_again(now: str) -> None:
    again = plan(WITH_REBALANCER, read_previous(SETTLED), now)
    assert again.tree.object_id("sha1") == SETTLED.object_id("sha1")


def test_nobody_reads_a_clock_that_is_not_there() -> None:
    for look in (instant, is_instant):
        with pytest.raises(ClockError):
            look(NO_CLOCK)
