"""Who is left out, and why."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.fleet import Fleet
from renderer.model.binding import Binding, GracefulEvictionTask
from renderer.model.cluster import Cluster, Taint
from renderer.model.gates import FeatureGates
from renderer.model.placement import Placement
from renderer.schedule.filters import FILTERS, feasible, rejections
from renderer.schedule.inventory import Inventory
from renderer.schedule.question import Question, SchedulerOptions, previous_replicas
from tests.schedule.build import binding, cluster, placement, targets

GROUPS = FeatureGates(workload_affinity=True)
TERMS = placement(
    clusterAffinities=[
        {
            "affinityName": "near",
            "clusterNames": ["a"],
            "overflowAffinities": [
                {"affinityName": "far", "labelSelector": {"matchLabels": {"tier": "far"}}}
            ],
        },
        {"affinityName": "any"},
    ]
)
SLOW = Taint(key="edge", value="slow", effect="NoExecute")
UNTOLERATED = "TaintToleration: taint edge=slow:NoExecute is not tolerated"
ABSENT = "WorkloadAffinity: db-deployment of its affinity group g is not there"
PRESENT = "WorkloadAntiAffinity: db-deployment of its anti-affinity group g is there"


def question(
    asked: Binding,
    fleet: Fleet,
    *,
    affinity_name: str = "",
    gates: FeatureGates = GROUPS,
    others: tuple[Binding, ...] = (),
) -> Question:
    previous = previous_replicas(asked.clusters, fleet)
    return Question(
        binding=asked,
        placement=asked.placement or Placement(),
        affinity_name=affinity_name,
        previous=previous,
        targets=fleet.mask(list(previous)),
        others=others,
        gates=gates,
        options=SchedulerOptions(),
        fresh=False,
    )


def told(asked: Binding, one: Cluster, affinity_name: str = "", *others: Binding) -> list[str]:
    """Plugin: reason, for one cluster."""
    fleet = Fleet([one])
    found = rejections(question(asked, fleet, affinity_name=affinity_name, others=others), fleet, one)
    return [f"{entry.plugin}: {reason}" for entry in found for reason in entry.reasons]


def member(name: str, *clusters: str, **groups: str) -> Binding:
    made = replace(binding(1, name=name), clusters=targets(dict.fromkeys(clusters, 1)))
    return replace(
        made,
        affinity_group=groups.get("together", ""),
        anti_affinity_group=groups.get("apart", ""),
        namespace=groups.get("namespace", "shop"),
    )


@pytest.mark.parametrize(
    ("asked", "one", "expected"),
    [
        pytest.param(binding(1), cluster("a"), [], id="nothing-against-it"),
        pytest.param(
            binding(1),
            cluster("a", apis=[("apps/v1beta1", ("Deployment",)), ("apps/v1", ("DaemonSet",))]),
            ["APIEnablement: Deployment is not served in apps/v1, only in apps/v1beta1"],
            id="api-in-another-version",
        ),
        pytest.param(
            binding(1),
            cluster("a", apis=[]),
            ["APIEnablement: Deployment is not served in apps/v1"],
            id="api",
        ),
        pytest.param(binding(1), cluster("a", apis=[], apis_known=False), [], id="nothing-known-of-apis"),
        pytest.param(
            binding(1, previous={"a": 1}), cluster("a", apis=[]), [], id="a-target-may-lack-the-api"
        ),
        pytest.param(
            binding(1),
            cluster("a", taints=[SLOW]),
            [UNTOLERATED],
            id="taint",
        ),
        pytest.param(
            binding(1, placement(clusterTolerations=[{"key": "edge", "value": "fast"}])),
            cluster("a", taints=[SLOW]),
            [
                f'{UNTOLERATED}: clusterTolerations[0] is near, but its value is "fast"',
            ],
            id="taint-nearly-tolerated",
        ),
        pytest.param(
            binding(1, previous={"a": 1}), cluster("a", taints=[SLOW]), [], id="a-target-may-have-a-taint"
        ),
        pytest.param(
            binding(1, placement(clusterAffinity={"clusterNames": ["b"]}), previous={"a": 1}),
            cluster("a"),
            ["ClusterAffinity: not among clusterNames"],
            id="affinity-spares-no-target",
        ),
        pytest.param(
            binding(1, placement(spreadConstraints=[{"spreadByField": "region"}, {"spreadByField": "zone"}])),
            cluster("a", provider="p"),
            [
                "SpreadConstraint: has no region, and a spread constraint is by region",
                "SpreadConstraint: has no zones, and a spread constraint is by zone",
            ],
            id="spread-properties-are-all-told",
        ),
        pytest.param(
            replace(
                binding(1, previous={"a": 1}),
                graceful_eviction_tasks=(GracefulEvictionTask(from_cluster="a"),),
            ),
            cluster("a"),
            ["ClusterEviction: an eviction task names it"],
            id="eviction-spares-no-target",
        ),
        pytest.param(
            binding(1, placement(clusterAffinity={"exclude": ["a"]})),
            cluster("a", taints=[SLOW], apis=[]),
            [
                "APIEnablement: Deployment is not served in apps/v1",
                UNTOLERATED,
                "ClusterAffinity: excluded by name",
            ],
            id="all-filters-are-asked",
        ),
    ],
)
def test_reasons(asked: Binding, one: Cluster, expected: list[str]) -> None:
    assert told(asked, one) == expected


@pytest.mark.parametrize(
    ("asked", "affinity_name", "labels", "expected"),
    [
        pytest.param(binding(1, TERMS), "near", {"tier": "far"}, [], id="overflow-suffices-for-a-workload"),
        pytest.param(
            binding(0, TERMS, kind="ConfigMap"),
            "near",
            {"tier": "far"},
            ["ClusterAffinity: near: not among clusterNames"],
            id="overflow-is-not-for-non-workloads",
        ),
        pytest.param(
            binding(1, TERMS),
            "near",
            {},
            [
                "ClusterAffinity: near: not among clusterNames",
                'ClusterAffinity: far: label tier is absent, not "far"',
            ],
            id="every-affinity-is-told",
        ),
        pytest.param(binding(1, TERMS), "any", {}, [], id="another-term"),
        pytest.param(binding(1, TERMS), "gone", {}, [], id="an-unknown-term-restricts-nothing"),
    ],
)
def test_terms(asked: Binding, affinity_name: str, labels: dict[str, str], expected: list[str]) -> None:
    assert told(asked, cluster("b", labels=labels), affinity_name) == expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param(member("db", "b", together="g"), [ABSENT], id="together-elsewhere"),
        pytest.param(member("db", "a", together="g"), [], id="together-here"),
        pytest.param(member("db", together="g"), [], id="together-nowhere-yet"),
        pytest.param(member("db", "b", together="h"), [], id="another-group"),
        pytest.param(member("db", "b", together="g", namespace="bank"), [], id="another-namespace"),
        pytest.param(member("web", "b", together="g"), [], id="itself"),
        pytest.param(member("db", "a", apart="g"), [PRESENT], id="apart-here"),
        pytest.param(member("db", "b", apart="g"), [], id="apart-elsewhere"),
    ],
)
def test_workload_affinity(other: Binding, expected: list[str]) -> None:
    asked = replace(binding(1), affinity_group="g", anti_affinity_group="g")
    assert told(asked, cluster("a"), "", other) == expected
    fleet = Fleet([cluster("a")])
    closed = question(asked, fleet, gates=FeatureGates(), others=(other,))
    assert not rejections(closed, fleet, fleet.clusters[0])


def test_clusters_being_deleted_are_not_considered() -> None:
    fleet = Fleet([cluster("a", deleting=True), cluster("b")])
    assert fleet.members(feasible(question(binding(1, previous={"a": 1}), fleet), fleet)) == (
        fleet.clusters[1],
    )


DICE = random.Random(6)
POOL = [
    cluster(
        f"m{number}",
        labels={"tier": DICE.choice(("near", "far"))},
        region=DICE.choice(("", "r1")),
        taints=[SLOW] if DICE.random() < 0.3 else [],
        apis=[] if DICE.random() < 0.2 else [("apps/v1", ("Deployment",))],
    )
    for number in range(12)
]
ASKED = st.builds(
    lambda where, previous, evicted, group: replace(
        binding(2, where, previous=dict.fromkeys(previous, 1)),
        graceful_eviction_tasks=tuple(GracefulEvictionTask(from_cluster=name) for name in evicted),
        affinity_group=group,
        anti_affinity_group=group,
    ),
    st.sampled_from(
        (
            Placement(),
            TERMS,
            placement(
                clusterAffinity={"labelSelector": {"matchLabels": {"tier": "far"}}},
                spreadConstraints=[{"spreadByField": "region"}],
                clusterTolerations=[{"operator": "Exists", "effect": "NoExecute"}],
            ),
        )
    ),
    st.lists(st.sampled_from([one.name for one in POOL] + ["gone"]), max_size=3),
    st.lists(st.sampled_from([one.name for one in POOL]), max_size=2),
    st.sampled_from(("", "g")),
)
OTHERS = (member("db", "m1", "m2", "m3", together="g"), member("cache", "m2", apart="g"))


@given(ASKED, st.sampled_from(("near", "any")))
def test_the_whole_fleet_is_judged_as_each_cluster_is(asked: Binding, affinity_name: str) -> None:
    fleet = Inventory(POOL).fleet
    whole = question(asked, fleet, affinity_name=affinity_name, others=OTHERS)
    passing = {plugin.name: fleet.members(plugin.passing(whole, fleet)) for plugin in FILTERS}
    for one in fleet.clusters:
        for plugin in FILTERS:
            reasons = plugin.reasons(whole, one)
            assert (one in passing[plugin.name]) is (not reasons)
            assert not reasons or plugin.told(whole, one)
    fits = [one for one in fleet.clusters if not rejections(whole, fleet, one)]
    assert list(fleet.members(feasible(whole, fleet))) == fits
