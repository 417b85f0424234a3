"""What a render remembers, and what it leaves where it is: design of memory and history, case by case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from renderer.model.plan import Plan, Rendering, Stage, Standing
from renderer.model.previous import NOTHING
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, NAMESPACE, POLICY, SHOP, WEB, files_of, workspace

WEB_FILE: Final = "shop/deployment.apps.web.yaml"
BINDING: Final = f".krender/bindings/{WEB_FILE}"
AGGREGATED: Final = POLICY.replace("Preference: Weighted", "Preference: Aggregated")
ROOM: Final = FLEET.replace("stage: prod}", "stage: prod}, capacity: {cpu: 10, pods: 4}")
SETTINGS: Final = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: "


def history(*steps: Mapping[str, str], base: Mapping[str, str] = SHOP, fresh: bool = False) -> list[Plan]:
    """The plans of the steps, an hour apart, each rendered on what the one before published."""
    plans: list[Plan] = []
    previous = NOTHING
    for hour, files in enumerate(steps):
        last = hour == len(steps) - 1
        made = workspace({**base, **files})
        plans.append(render(made, previous, f"2026-01-01T{hour:02}:00:00Z", fresh=fresh and last))
        previous = read_previous(plans[-1].tree)
    return plans


def web(plan: Plan) -> Rendering:
    """What became of the Deployment."""
    return next(item for item in plan.renderings if item.template.identity.name == "web")


def replicas(plan: Plan) -> dict[str, int]:
    """Cluster -> replicas of the Deployment."""
    binding = web(plan).binding
    return {target.name: target.replicas for target in binding.clusters} if binding else {}


def clusters(plan: Plan, path: str) -> list[str]:
    """The clusters that have a file of that path."""
    return [
        name.split("/")[1] for name in files_of(plan) if name.startswith("clusters/") and name.endswith(path)
    ]


UNCLAIMED: Final = {"policy.yaml": "# gone\n"}
CHANGED: Final = {"web.yaml": WEB.replace("web:1.2", "web:1.3")}


def test_an_orphan_stays_as_published_whatever_becomes_of_it() -> None:
    before, orphan, later = history({}, UNCLAIMED, {**UNCLAIMED, **CHANGED})
    for plan in (orphan, later):
        assert web(plan).standing is Standing.ORPHAN
        assert plan.tree["clusters"] == before.tree["clusters"]
    assert 'krender.io/orphaned: "true"' in files_of(orphan)[BINDING]
    assert "propagationpolicy.karmada.io" not in files_of(orphan)[BINDING]
    assert files_of(later)[BINDING] == files_of(orphan)[BINDING]


def test_an_orphan_that_is_claimed_again_remembers_where_it_was() -> None:
    base = {**SHOP, "policy.yaml": AGGREGATED, "fleet.yaml": ROOM}
    before, _, again = history({}, UNCLAIMED, {}, base=base)
    assert replicas(again) == replicas(before)
    assert "orphaned" not in files_of(again)[BINDING]


@pytest.mark.parametrize("since", [1, 2])
def test_orphans_are_pruned_on_request(since: int) -> None:
    prune = {"krender.yaml": f"{SETTINGS}{{orphans: prune}}\n"}
    steps: list[dict[str, str]] = [{}, UNCLAIMED, UNCLAIMED]
    plan = history(*(files | (prune if number >= since else {}) for number, files in enumerate(steps)))[-1]
    assert web(plan).standing is Standing.NOWHERE
    assert clusters(plan, WEB_FILE) == []
    assert BINDING not in files_of(plan)


def test_a_template_that_is_gone_is_deleted_everywhere() -> None:
    _, gone = history({}, {"web.yaml": "# gone\n"})
    assert clusters(gone, WEB_FILE) == []
    assert BINDING not in files_of(gone)


@pytest.mark.parametrize(
    ("broken", "stage"),
    [
        pytest.param(
            {"policy.yaml": POLICY.replace("spec:", "spec:\n  dependentOverrides: [missing]")},
            Stage.CLAIM,
            id="its-policy-waits",
        ),
        pytest.param(
            {
                "policy.yaml": POLICY.replace(
                    "spec:",
                    "spec:\n  schedulePriority: "
                    "{priorityClassSource: KubePriorityClass, priorityClassName: none}",
                )
            },
            Stage.INTERPRET,
            id="its-binding-cannot-be-built",
        ),
    ],
)
def test_what_cannot_be_decided_is_held(broken: dict[str, str], stage: Stage) -> None:
    before, held, again, mended = history({}, broken, {**broken, **CHANGED}, CHANGED)
    for plan in (held, again):
        assert (web(plan).standing, web(plan).stage) == (Standing.HELD, stage)
        assert files_of(plan) == files_of(before)
    assert "web:1.3" in files_of(mended)[f"clusters/east/{WEB_FILE}"]


REBALANCER: Final = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again}
spec:
  workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]
"""
# Four replicas fill one cluster; with more room on the other, a fresh division would go there.
FULL: Final = {**SHOP, "policy.yaml": AGGREGATED, "fleet.yaml": ROOM}
ROOMIER: Final = {"fleet.yaml": ROOM.replace("4}}\n  - {name: w", "9}}\n  - {name: w")}


def test_placement_is_remembered() -> None:
    before, after = history({}, ROOMIER, base=FULL)
    assert replicas(before) == replicas(after) == {"east": 4}


def test_fresh_forgets_it() -> None:
    assert replicas(history({}, ROOMIER, base=FULL, fresh=True)[-1]) == {"north": 4}


def test_fresh_leaves_orphans_where_they_are() -> None:
    before, orphan = history({}, UNCLAIMED, fresh=True)
    assert orphan.tree["clusters"] == before.tree["clusters"]


def test_a_rebalancer_written_by_hand_counts_once() -> None:
    asked = {**ROOMIER, "again.yaml": REBALANCER}
    east = {"fleet.yaml": ROOM.replace("pods: 4", "pods: 99", 1)}  # where a fresh division would go
    back = {**east, "again.yaml": REBALANCER}
    _, moved, stays, gone, anew = history({}, asked, back, east, back, base=FULL)
    assert replicas(moved) == replicas(stays) == replicas(gone) == {"north": 4}
    assert "krender.io/rebalanced-by: again" in files_of(stays)[BINDING]
    assert "rebalanced-by" not in files_of(gone)[BINDING]
    assert replicas(anew) == {"east": 4}


SUSPENDED: Final = {
    "policy.yaml": POLICY.replace(
        "spec:", "spec:\n  suspension: {dispatchingOnClusters: {clusterNames: [east]}}"
    )
}


def test_suspended_clusters_stay_as_published() -> None:
    before, after = history({}, {**SUSPENDED, **CHANGED})
    path = f"clusters/east/{WEB_FILE}"
    assert files_of(after)[path] == files_of(before)[path]
    assert "web:1.3" in files_of(after)[f"clusters/north/{WEB_FILE}"]
    assert clusters(history(SUSPENDED)[0], WEB_FILE) == ["north"]


def test_a_vanished_cluster_counts_as_one_that_is_being_deleted() -> None:
    divided = {**SHOP, "web.yaml": WEB}
    lost = {
        "fleet.yaml": "".join(line for line in FLEET.splitlines(keepends=True) if "name: east" not in line)
    }
    before, after = history({}, lost, base=divided)
    assert replicas(before) == {"east": 2, "north": 2}
    assert replicas(after) == {"north": 4}


CLUSTER_POLICY: Final = """\
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: {name: namespaces}
spec:
  resourceSelectors: [{apiVersion: v1, kind: Namespace}]
  placement: {clusterAffinity: {clusterNames: [west]}}
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({}, ["east", "north"], id="where-something-needs-it"),
        pytest.param(
            {"krender.yaml": f"{SETTINGS}{{namespaces: everywhere}}\n"},
            ["east", "north", "west"],
            id="everywhere",
        ),
        pytest.param({"krender.yaml": f"{SETTINGS}{{namespaces: never}}\n"}, [], id="never"),
        pytest.param({"n.yaml": CLUSTER_POLICY}, ["west"], id="where-a-policy-says"),
        pytest.param(
            {
                "namespace.yaml": NAMESPACE.replace(
                    "shop}", "shop, labels: {namespace.karmada.io/skip-auto-propagation: 'true'}}"
                )
            },
            [],
            id="not-where-it-says-so-itself",
        ),
        pytest.param({"policy.yaml": "# none\n"}, [], id="nothing-needs-it"),
    ],
)
def test_namespaces(files: dict[str, str], expected: list[str]) -> None:
    assert clusters(history(files)[0], "_cluster/namespace.shop.yaml") == expected


def test_an_orphan_keeps_its_namespace() -> None:
    orphan = history({}, UNCLAIMED)[-1]
    assert clusters(orphan, "_cluster/namespace.shop.yaml") == ["east", "north"]
