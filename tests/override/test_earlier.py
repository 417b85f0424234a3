"""When manifests that were made before may stand for those that would be made now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.model.binding import BindingSnapshot, TargetCluster
from renderer.model.plan import Manifest, Rendering, Standing
from renderer.override.earlier import Earlier
from tests.workspaces import SHOP, plan

BEFORE = next(item for item in plan(SHOP).renderings if item.template.identity.name == "web")
assert BEFORE.binding is not None
BINDING = BEFORE.binding
AGAIN = replace(BEFORE, manifests=(), decision=None)
TWICE = (TargetCluster(name="east", replicas=2), TargetCluster(name="east", replicas=3))


def bound(**changes: object) -> Rendering:
    """The rendering with another binding."""
    return replace(AGAIN, binding=replace(BINDING, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rendering",
    [
        pytest.param(AGAIN, id="nothing-changed"),
        pytest.param(bound(clusters=BINDING.clusters[::-1]), id="clusters-in-another-order"),
        pytest.param(bound(last_scheduled_time="2030-01-01T00:00:00Z"), id="chosen-at-another-time"),
    ],
)
def test_what_would_be_made_the_same_is_used_again(rendering: Rendering) -> None:
    made = Earlier([BEFORE]).made(rendering)
    assert made is not None
    assert made.manifests is BEFORE.manifests
    assert made.binding is rendering.binding


@pytest.mark.parametrize(
    ("before", "rendering"),
    [
        pytest.param(BEFORE, bound(replicas=5), id="other-replicas"),
        pytest.param(BEFORE, bound(clusters=BINDING.clusters[:1]), id="fewer-clusters"),
        pytest.param(
            replace(BEFORE, binding=replace(BINDING, clusters=TWICE)),
            bound(clusters=TWICE[::-1]),
            id="of-a-repeated-cluster-another-entry-is-the-last",
        ),
        pytest.param(BEFORE, bound(suspension={"dispatching": True}), id="dispatching-is-suspended"),
        pytest.param(BEFORE, bound(failover={"application": {}}), id="another-failover"),
        pytest.param(
            BEFORE,
            bound(required_by=(BindingSnapshot(namespace="shop", name="other"),)),
            id="somebody-needs-it",
        ),
        pytest.param(BEFORE, replace(AGAIN, standing=Standing.HELD), id="it-is-held"),
        pytest.param(BEFORE, replace(AGAIN, binding=None), id="it-has-no-binding"),
        pytest.param(
            BEFORE,
            replace(AGAIN, leaving=(Manifest(clusters=("west",), identity=BINDING.identity),)),
            id="a-cluster-is-being-left",
        ),
    ],
)
def test_anything_else_is_made_anew(before: Rendering, rendering: Rendering) -> None:
    assert Earlier([before]).made(rendering) is None


def test_of_another_template_nothing_is_known() -> None:
    assert Earlier([]).made(AGAIN) is None
