"""What a second render remembers, told: triggers, terms, evictions, swaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from renderer.model.binding import GracefulEvictionTask
from renderer.model.plan import Plan
from renderer.model.previous import Previous
from renderer.pipeline import render
from renderer.view.explain.placing import Placing
from renderer.view.explain.reading import Reading
from tests.view.explained import AGGREGATED, DYNAMIC, FLEET, explained, policy, published, shop, web
from tests.workspaces import plan, workspace

TERMS = (
    "clusterAffinities: [{affinityName: first, clusterNames: [c1]}, "
    f"{{affinityName: second, clusterNames: [b1, b2]}}], {DYNAMIC}"
)
ONE = "spreadConstraints: [{spreadByField: cluster, minGroups: 1, maxGroups: 1}]"
REBALANCER = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: evening}
spec: {workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]}
"""
KEY = ("apps", "Deployment", "shop", "web")


def again(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    return explained(plan(now, published(before)))


def evicting(memory: Previous, cluster: str) -> Previous:
    bound = replace(
        memory.bindings[KEY], graceful_eviction_tasks=(GracefulEvictionTask(from_cluster=cluster),)
    )
    return replace(memory, bindings={KEY: bound})


def rebalanced() -> str:
    memory = published(shop())
    return explained(render(workspace(shop(r=REBALANCER)), memory, "2026-01-01T00:00:00Z"))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(
            lambda: again(shop(TERMS), shop(TERMS, 10)),
            "affinity terms not tried again: first; a pass begins at the one last observed\n"
            "affinity term in force: second\n",
            id="terms-that-are-not-tried-again",
        ),
        pytest.param(
            lambda: again(shop(TERMS), shop(TERMS)),
            "before: b1 8, b2 1, by affinity term second\naffinity term in force: second",
            id="the-term-that-stands",
        ),
        pytest.param(
            lambda: explained(plan(shop(AGGREGATED, 10), evicting(published(shop(AGGREGATED)), "a1"))),
            "before: b1 9\nbeing evicted from: a1\n",
            id="evictions",
        ),
        pytest.param(
            lambda: again(
                shop("clusterAffinity: {clusterNames: [a2]}"), shop("clusterAffinity: {clusterNames: [a1]}")
            ),
            "placement: decided now, because its placement has changed\nbefore: a2 9",
            id="placement-changed",
        ),
        pytest.param(
            lambda: again(shop(), shop("")),
            "placement: decided now, because its placement has changed\n",
            id="placement-changed-to-copies",
        ),
        pytest.param(
            lambda: again(shop(""), shop("")),
            "placement: decided now, because what is not divided is decided anew on every run\n",
            id="copies-are-decided-anew",
        ),
        pytest.param(
            rebalanced,
            "placement: decided now, because a reschedule is asked for by WorkloadRebalancer evening, "
            "and afresh: nothing counts as kept\n",
            id="rebalancer",
        ),
        pytest.param(
            lambda: again(shop(), shop(fleet=FLEET.replace("{name: a1,", "{name: zz,"))),
            "placement: decided now, because a cluster that it was on is being deleted, or is gone\n",
            id="a-cluster-that-is-gone",
        ),
        pytest.param(
            lambda: again(
                shop(f"clusterAffinity: {{clusterNames: [b2]}}, {AGGREGATED}", 1),
                shop(f"{AGGREGATED}, {ONE}"),
            ),
            "for its capacity b1 was taken instead of b2\n",
            id="swaps",
        ),
        pytest.param(
            lambda: again(
                shop(f"clusterAffinity: {{clusterNames: [b2]}}, {AGGREGATED}", 1),
                shop(f"{AGGREGATED}, {ONE}"),
            ),
            "b2       -         fits, but b1 took its place for its capacity: 16 replicas against 3\n",
            id="who-was-swapped-out",
        ),
        pytest.param(
            lambda: again(
                shop("clusterAffinity: {clusterNames: [a1, b1]}", 1),
                shop(ONE, 1),
            ),
            "fits, but the spread constraint by cluster takes 1: "
            "it ranks 2 of 5 (score 100, room for 9, 1 replicas there before)",
            id="who-was-there-before",
        ),
        pytest.param(
            lambda: again(
                shop(f"clusterAffinity: {{clusterNames: [a1]}}, {AGGREGATED}", 2), shop(AGGREGATED, 4)
            ),
            "4 replicas by Aggregated, scale up\n  kept: a1 2\n  weights: 8 for a1\n"
            "  not needed: b1, a2, b2, bare\n",
            id="kept-and-not-needed",
        ),
        pytest.param(
            lambda: again(shop(AGGREGATED), shop(DYNAMIC)),
            "9 replicas by DynamicWeight, unchanged\n  kept: b1 9\ncapacity, in the order of preference\n",
            id="unchanged",
        ),
        pytest.param(
            lambda: explained(plan(shop(fleet=FLEET + GOING))),
            "being deleted, so not considered: going\n",
            id="clusters-being-deleted",
        ),
        pytest.param(
            lambda: explained(plan(shop(policy=policy(DYNAMIC, extra="  schedulerName: mine\n")))),
            "placement: krender's scheduler is not asked about it",
            id="another-scheduler",
        ),
        pytest.param(
            lambda: explained(plan(shop(policy=policy("", extra="  dependentOverrides: [nope]\n")))),
            "its policy waits for an override policy that does not exist: PropagationPolicy shop/web, which "
            "selects it by name  (policy.yaml:1:1)\n  missing: override policy nope\n",
            id="waiting-for-overrides",
        ),
    ],
)
def test_told(told: Callable[[], str], expected: str) -> None:
    assert expected in told()


GOING = """\
---
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: going, deletionTimestamp: "2026-01-01T00:00:00Z"}
spec: {syncMode: Push}
"""


def test_fresh_forgets() -> None:
    made = render(workspace(shop()), published(shop()), fresh=True)
    told = explained(made)
    assert "placement: decided now, because it was not placed before\n9 replicas" in told
    assert "before: " not in told


def test_scheduling_that_is_suspended() -> None:
    made: Plan = plan(shop(policy=policy(DYNAMIC, extra="  schedulerName: mine\n")))
    rendering = next(item for item in made.renderings if item.binding is not None)
    assert rendering.binding is not None
    suspended = replace(rendering, binding=replace(rendering.binding, scheduling_suspended=True))
    clusters = made.workspace.clusters
    placing = Placing(Reading(made), suspended, clusters)
    assert placing.reasons(clusters[0]) == ("scheduling is suspended",)


def test_files_that_an_eviction_leaves_for_a_while() -> None:
    made = plan(shop("clusterAffinity: {clusterNames: [a1]}"))
    rendering = next(item for item in made.renderings if item.decision is not None)
    clusters = made.workspace.clusters
    staying = replace(rendering.manifests[0], clusters=("a1", "a2"))
    placing = Placing(Reading(made), replace(rendering, manifests=(staying,)), clusters)
    told = ("it is being evicted from there, and its files stay until that is done",)
    assert placing.grounds(staying, clusters[1]) == told


def test_long_lists_are_cut() -> None:
    listed = "".join(
        f"  - {{name: n{number:03}, capacity: {{cpu: {number + 1}, memory: 64Gi, pods: 500}}}}\n"
        for number in range(40)
    )
    fleet = FLEET.partition("  - {name: a1")[0] + listed
    told = explained(plan(shop(DYNAMIC, 150, fleet=fleet)))
    assert "  and 20 more: --format json tells all" in told
    (runs,) = (line for line in told.splitlines() if line.endswith(", …"))
    assert len(runs.split(", ")) == 61
    (weights,) = (line for line in told.splitlines() if line.startswith("  weights: "))
    assert weights.startswith("  weights: 80 for n039; 78 for n038; ")
    assert weights.endswith("; 42 for n020; …")


def test_what_follows_is_told_with_its_parent() -> None:
    using = web().replace("containers:", "volumes: [{name: c, configMap: {name: conf}}]\n      containers:")
    conf = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\n"
    follows = policy("clusterAffinity: {clusterNames: [a1]}", extra="  propagateDeps: true\n")
    told = explained(plan(shop(web=using, policy=follows, conf=conf)), "cm/conf")
    assert told.splitlines()[1:4] == [
        "on 1 of 6 clusters: no policy places it, it goes where the templates go that need it",
        "not claimed: no policy selects it",
        "needed by Deployment shop/web, which goes to 1 cluster",
    ]


def test_what_has_no_replicas_needs_no_room() -> None:
    conf = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: shop}\n"
    selecting = policy(ONE).replace("apps/v1, kind: Deployment, name: web", "v1, kind: ConfigMap")
    told = explained(plan(shop(web=conf, policy=selecting)), "cm/conf")
    assert (
        "a2       -     fits, but the spread constraint by cluster takes 1: it ranks 2 of 5 (score 0)\n"
        in told
    )
