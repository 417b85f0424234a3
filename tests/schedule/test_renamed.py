"""A cluster with another name is the same cluster to the memory."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from renderer.document.values import Object
from renderer.model.binding import GracefulEvictionTask, TargetCluster
from renderer.model.cluster import Cluster
from renderer.model.identity import Identity
from renderer.model.plan import Plan
from renderer.model.previous import Previous, Remembered
from renderer.model.tree import EMPTY_TREE
from renderer.schedule.previous import read_previous
from renderer.schedule.renamed import renamed
from tests.workspaces import FLEET, SHOP, files_of, plan

RENAMED = FLEET.replace("name: east", "name: orient, previousName: east")
KEPT = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement:
    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}
"""


def again(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Plan, Plan]:
    """Two renders, the second on the memory of the first."""
    first = plan(before)
    return first, plan(after, read_previous(first.tree))


def placement(result: Plan) -> dict[str, int]:
    """Replicas of the Deployment by cluster."""
    (binding,) = [r.binding for r in result.renderings if r.template.identity.kind == "Deployment"]
    assert binding is not None
    return {target.name: target.replicas for target in binding.clusters}


def test_replicas_stay_on_a_renamed_cluster() -> None:
    shop = {**SHOP, "policy.yaml": KEPT, "fleet.yaml": FLEET}
    first, second = again(shop, {**shop, "fleet.yaml": RENAMED})
    assert placement(second) == {"orient" if k == "east" else k: v for k, v in placement(first).items()}


def test_what_is_held_back_moves_with_the_cluster() -> None:
    first, second = again(SHOP, {**SHOP, "fleet.yaml": RENAMED, "policy.yaml": ""})
    before, after = files_of(first), files_of(second)
    web = "shop/deployment.apps.web.yaml"
    assert after[f"clusters/orient/{web}"] == before[f"clusters/east/{web}"]
    binding = after[".krender/bindings/shop/deployment.apps.web.yaml"]
    assert "orient" in binding
    assert "east" not in binding
    _, third = again({**SHOP, "fleet.yaml": RENAMED}, {**SHOP, "fleet.yaml": RENAMED})
    assert files_of(third) == files_of(plan({**SHOP, "fleet.yaml": RENAMED}))


def test_a_list_that_bindings_share_gets_its_new_name() -> None:
    many = "".join(f"  - {{name: c{number}}}\n" for number in range(64))
    head = FLEET.partition("  - ")[0]
    everywhere = KEPT.replace(
        "\n    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}",
        " {}",
    )
    shop = {**SHOP, "policy.yaml": everywhere, "fleet.yaml": head + many}
    moved = head + many.replace("{name: c7}", "{name: seven, previousName: c7}")
    _, second = again(shop, {**shop, "fleet.yaml": moved, "policy.yaml": ""})
    memory = read_previous(second.tree)
    (remembered,) = [item for item in memory.bindings.values() if item.identity.kind == "Deployment"]
    assert "seven" in [target.name for target in remembered.clusters]
    assert "c7" not in [target.name for target in remembered.clusters]


def test_nothing_is_touched_where_nobody_was_renamed() -> None:
    memory = read_previous(plan(SHOP).tree)
    assert renamed(memory, plan(SHOP).workspace.clusters) is memory
    empty = read_previous(EMPTY_TREE)
    assert renamed(empty, plan({**SHOP, "fleet.yaml": RENAMED}).workspace.clusters) is empty


@pytest.mark.parametrize("directory", [", slug: bee", ""])
def test_the_directory_moves(directory: str) -> None:
    before = FLEET.replace("name: east", f"name: East{directory}")
    after = FLEET.replace("name: east", "name: orient, previousName: East")
    if directory:
        after = after.replace("previousName: East", "previousName: bee")
    frozen = after.replace("name: orient", "name: orient, frozen: true")
    first, second = again({**SHOP, "fleet.yaml": before}, {**SHOP, "fleet.yaml": frozen})
    web = "shop/deployment.apps.web.yaml"
    old = "bee" if directory else "east"
    assert files_of(second)[f"clusters/orient/{web}"] == files_of(first)[f"clusters/{old}/{web}"]


def test_every_mention_of_a_cluster_is_renamed() -> None:
    raw: Object = {
        "metadata": {"name": "web"},
        "spec": {
            "clusters": [{"name": "east", "replicas": 1}, {"name": "north"}],
            "requiredBy": [{"name": "x", "clusters": [{"name": "east"}]}, {"name": "y"}],
            "gracefulEvictionTasks": [{"fromCluster": "east"}, {"fromCluster": "west"}],
        },
    }
    remembered = Remembered(
        identity=Identity("apps/v1", "Deployment", "shop", "web"),
        clusters=(TargetCluster(name="east", replicas=1), TargetCluster(name="north")),
        graceful_eviction_tasks=(GracefulEvictionTask(from_cluster="east", raw={"fromCluster": "east"}),),
        raw=raw,
    )
    memory = Previous(bindings={remembered.identity.key: remembered}, tree=plan(SHOP).tree)
    (now,) = renamed(memory, [Cluster(name="orient", slug="orient", previous_name="east")]).bindings.values()
    assert [target.name for target in now.clusters] == ["orient", "north"]
    assert [task.from_cluster for task in now.graceful_eviction_tasks] == ["orient"]
    assert now.raw["spec"] == {
        "clusters": [{"name": "north"}, {"name": "orient", "replicas": 1}],
        "requiredBy": [{"name": "x", "clusters": [{"name": "orient"}]}, {"name": "y"}],
        "gracefulEvictionTasks": [{"fromCluster": "orient"}, {"fromCluster": "west"}],
    }
