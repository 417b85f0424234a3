"""How many replicas fit, and what decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.match.fleet import Fleet
from renderer.model.binding import Binding, Component, ReplicaRequirements
from renderer.model.cluster import Cluster, ResourceSummary
from renderer.model.decision import Bound
from renderer.model.gates import FeatureGates
from renderer.model.quantity import Quantity
from renderer.schedule.capacity import Demand, Estimator, demand_of
from renderer.schedule.models import ModelNodes, Piece, replicas_on, sets_on
from renderer.schedule.units import INT32_MAX, counts_on_nodes
from tests.schedule.build import amounts, binding, cluster, models, placement, quantity, summary
from tests.schedule.test_filters import question

ONE_CLUSTER = placement(spreadConstraints=[{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}])
SETS = FeatureGates(multiple_pod_templates_scheduling=True)


def allocatable(asked: Binding, one: Cluster, gates: FeatureGates = SETS) -> int:
    fleet = Fleet([one])
    demand = demand_of(question(asked, fleet, gates=gates))
    return Estimator(fleet).allocatable(demand, asked.replicas)[0]


def bounds(asked: Binding, one: Cluster) -> list[tuple[str, int, str]]:
    fleet = Fleet([one])
    demand = demand_of(question(asked, fleet, gates=SETS))
    return [(entry.resource, entry.replicas, entry.detail) for entry in Estimator(fleet).bounds(demand, 0)]


def taken(one: ResourceSummary, allocated: dict[str, str], allocating: dict[str, str]) -> ResourceSummary:
    return replace(one, allocated=amounts(**allocated), allocating=amounts(**allocating))


@pytest.mark.parametrize(
    ("asked", "has", "expected"),
    [
        pytest.param(binding(0), None, INT32_MAX, id="nothing-runs-so-nothing-matters"),
        pytest.param(binding(3), None, 0, id="no-summary-no-room"),
        pytest.param(binding(3, requests={"cpu": "1"}), None, 0, id="no-summary-no-room-for-requests-either"),
        pytest.param(binding(3), summary(cpu="8"), 0, id="a-summary-without-pods-has-no-room"),
        pytest.param(binding(3), summary(pods="110"), 110, id="without-requirements-pods-decide"),
        pytest.param(binding(3, requests={}), summary(pods="7"), 7, id="empty-requirements-too"),
        pytest.param(
            binding(3),
            taken(summary(pods="10"), {"pods": "4"}, {"pods": "3"}),
            3,
            id="less-allocated-and-allocating",
        ),
        pytest.param(
            binding(3), taken(summary(pods="10"), {"pods": "11"}, {}), 0, id="overcommitted-is-no-room"
        ),
        pytest.param(
            binding(3, requests={"cpu": "300m"}),
            summary(pods="110", cpu="1"),
            3,
            id="cpu-counts-in-millicores",
        ),
        pytest.param(
            binding(3, requests={"memory": "100M"}),
            summary(pods="110", memory="1Gi"),
            10,
            id="memory-counts-in-bytes",
        ),
        pytest.param(
            binding(3, requests={"nvidia.com/gpu": "500m"}),
            ResourceSummary(allocatable=(*amounts(pods="110"), ("nvidia.com/gpu", quantity("3")))),
            3,
            id="half-a-gpu-is-a-gpu",
        ),
        pytest.param(
            binding(3, requests={"cpu": "1", "memory": "0"}),
            summary(pods="9", cpu="64"),
            9,
            id="zero-is-skipped",
        ),
        pytest.param(
            binding(3, requests={"memory": "1"}),
            summary(pods="9", cpu="64"),
            0,
            id="what-is-absent-does-not-fit",
        ),
        pytest.param(
            binding(3, requests={"cpu": "1"}),
            taken(summary(pods="9", cpu="4"), {"cpu": "2500m"}, {"cpu": "1200m"}),
            0,
            id="300-millicores-hold-no-core",
        ),
        pytest.param(
            binding(3, requests={"cpu": "1m"}),
            taken(summary(pods="9", cpu="1"), {"cpu": "1"}, {}),
            0,
            id="nothing-left-is-nothing",
        ),
        pytest.param(
            binding(3, requests={"memory": "1"}),
            taken(summary(pods="9", memory="2500m"), {"memory": "1"}, {}),
            2,
            id="fractions-are-subtracted-exactly-then-rounded-up",
        ),
        pytest.param(binding(5), summary(pods="3000000000"), -1_294_967_296, id="32-bits-wrap"),
        pytest.param(binding(5), summary(pods="4294967295"), 5, id="minus-one-is-no-answer"),
        pytest.param(binding(5), summary(pods="2147483647"), 5, id="the-largest-number-is-no-answer"),
    ],
)
def test_summary(asked: Binding, has: ResourceSummary | None, expected: int) -> None:
    assert allocatable(asked, cluster("a", pods=None, resource_summary=has)) == expected


TWO_GRADES = models({"cpu": "0"}, {"cpu": "2", "memory": "4Gi"})


@pytest.mark.parametrize(
    ("requests", "modelings", "expected"),
    [
        pytest.param({"cpu": "500m"}, [(1, 3)], 12, id="three-nodes-hold-four-each"),
        pytest.param({"cpu": "500m", "memory": "3Gi"}, [(1, 3)], 3, id="the-scarcer-resource-decides"),
        pytest.param({"cpu": "500m"}, [(0, 50), (1, 1)], 4, id="grade-zero-holds-nothing"),
        pytest.param({"cpu": "500m"}, [(1, 1), (1, 2), (7, 9)], 12, id="counts-add-up-undefined-grades-drop"),
        pytest.param({}, [(0, 2), (1, 1)], 330, id="without-requests-110-a-node"),
        pytest.param({"cpu": "0", "mystery": "5"}, [(1, 1)], 110, id="what-nodes-do-not-know-is-ignored"),
        pytest.param({"example.com/gpu": "1"}, [(1, 1)], 0, id="a-scalar-that-models-lack-does-not-fit"),
        pytest.param({"cpu": "500m"}, [(1, -1)], 128, id="a-negative-count-falls-back-to-the-summary"),
        pytest.param({"cpu": "500m"}, [], 128, id="no-counts-fall-back-to-the-summary"),
        pytest.param({"cpu": "1m"}, [(1, 100)], 1000, id="pods-bound-models-as-well"),
    ],
)
def test_models(requests: dict[str, str], modelings: list[tuple[int, int]], expected: int) -> None:
    has = summary(modelings, pods="1000", cpu="64")
    one = cluster("a", resource_summary=has, resource_models=TWO_GRADES)
    assert allocatable(binding(3, requests=requests), one) == expected


def test_models_are_behind_their_gate() -> None:
    one = cluster("a", resource_summary=summary([(1, 3)], pods="1000", cpu="64"), resource_models=TWO_GRADES)
    closed = FeatureGates(customized_cluster_resource_modeling=False)
    assert allocatable(binding(3, requests={"cpu": "500m"}), one, closed) == 128
    full = cluster("a", resource_summary=summary([(1, 3)], pods="0", cpu="64"), resource_models=TWO_GRADES)
    assert allocatable(binding(3, requests={"cpu": "500m"}), full) == 0


def components(*parts: tuple[int, dict[str, str] | None]) -> Binding:
    made = tuple(
        Component(
            name=f"part-{number}",
            replicas=replicas,
            replica_requirements=None
            if requests is None
            else ReplicaRequirements(
                node_claim={"nodeSelector": {"a": "b"}},
                resource_request=tuple((name, quantity(text)) for name, text in requests.items()),
            ),
        )
        for number, (replicas, requests) in enumerate(parts)
    )
    return replace(binding(0, ONE_CLUSTER), components=made)


@pytest.mark.parametrize(
    ("asked", "has", "expected"),
    [
        pytest.param(
            components((1, {"cpu": "1"}), (2, {"cpu": "2"})), summary(pods="110", cpu="12"), 2, id="sets"
        ),
        pytest.param(components((1, None), (2, None)), summary(pods="10"), 3, id="pods-per-set"),
        pytest.param(components((0, {"cpu": "1"})), summary(pods="10"), 10, id="no-pods-per-set"),
        pytest.param(components((1, {"cpu": "1"})), summary(cpu="10"), 0, id="no-pods"),
        pytest.param(components((1, {"gpu": "1"})), summary(pods="10"), 0, id="absent-resource"),
        pytest.param(components((1, {"gpu": "0"})), summary(pods="10"), 10, id="zero-request"),
        pytest.param(
            components((1, {"memory": "1Gi"})),
            summary(pods="110", memory="2G"),
            110,
            id="decimal-room-counts-in-thousandths",
        ),
        pytest.param(
            components((1, {"memory": "1G"})),
            summary(pods="110", memory="2Gi"),
            0,
            id="binary-room-does-not",
        ),
    ],
)
def test_component_sets(asked: Binding, has: ResourceSummary, expected: int) -> None:
    assert allocatable(asked, cluster("a", resource_summary=has)) == expected


def test_component_sets_fit_model_nodes_too() -> None:
    has = summary([(1, 2)], pods="110", cpu="64")
    one = cluster("a", resource_summary=has, resource_models=TWO_GRADES)
    # A node of 2 cores holds one part of 1500m and nothing of the next set's.
    asked = components((1, {"cpu": "1500m"}), (1, {"cpu": "500m"}))
    assert allocatable(asked, one) == 2
    assert bounds(asked, one)[-1] == ("component sets", 2, "")
    assert allocatable(asked, one, replace(SETS, customized_cluster_resource_modeling=False)) == 32


def test_components_without_the_gate_are_counted_in_pods() -> None:
    asked = components((1, {"cpu": "1"}), (2, {"cpu": "2"}))
    assert allocatable(asked, cluster("a", pods=9), FeatureGates()) == 9


@pytest.mark.parametrize(
    ("asked", "one", "expected"),
    [
        pytest.param(binding(0), cluster("a"), [], id="nothing-measured"),
        pytest.param(
            binding(1), cluster("a", pods=None), [("pods", 0, "no resourceSummary is known")], id="no-summary"
        ),
        pytest.param(
            binding(1, requests={"cpu": "500m", "memory": "1Gi"}),
            cluster(
                "a",
                resource_summary=taken(
                    summary(pods="110", cpu="4", memory="2Gi"), {"cpu": "1", "pods": "10"}, {}
                ),
            ),
            [
                ("pods", 100, "110 allocatable, 10 allocated"),
                ("cpu", 6, "3000m free, 500m each"),
                ("memory", 2, "2147483648 free, 1073741824 each"),
            ],
            id="each-resource-is-told",
        ),
        pytest.param(
            binding(1, requests={"cpu": "500m"}),
            cluster("a", resource_summary=summary(cpu="1")),
            [
                ("pods", 0, "the summary has no pods, which counts as none"),
                ("cpu", 2, "1000m free, 500m each"),
            ],
            id="absent-pods-are-told",
        ),
        pytest.param(
            binding(1, requests={"cpu": "500m"}),
            cluster("a", resource_summary=summary([(0, 2), (1, 3)], pods="110"), resource_models=TWO_GRADES),
            [
                ("pods", 110, "110 allocatable"),
                ("resource models", 12, "2 of grade 0 hold 0 each, 3 of grade 1 hold 4 each"),
            ],
            id="model-nodes-are-told",
        ),
    ],
)
def test_bounds(asked: Binding, one: Cluster, expected: list[tuple[str, int, str]]) -> None:
    assert bounds(asked, one) == expected


@given(
    st.integers(0, 50),
    st.lists(st.tuples(st.integers(0, 9000), st.integers(0, 9000)), min_size=2, max_size=2),
    st.lists(st.integers(0, 3000), min_size=2, max_size=2),
)
def test_capacity_is_the_least_bound(pods: int, has: list[tuple[int, int]], asked: list[int]) -> None:
    def milli(number: int) -> Quantity:
        return quantity(f"{number}m")

    names = ("cpu", "memory")
    lists = [tuple(zip(names, map(milli, column), strict=True)) for column in zip(*has, strict=True)]
    one = cluster(
        "a",
        resource_summary=ResourceSummary(
            allocatable=(*lists[0], *amounts(pods=str(pods))), allocated=lists[1]
        ),
    )
    demand = Demand(requests=tuple(zip(names, map(milli, asked), strict=True)))
    estimator = Estimator(Fleet([one]))
    told: tuple[Bound, ...] = estimator.bounds(demand, 0)
    assert estimator.allocatable(demand, 1) == [min(bound.replicas for bound in told)]


nodes = st.lists(
    st.builds(
        ModelNodes,
        grade=st.just(0),
        count=st.integers(1, 3),
        capacity=st.fixed_dictionaries({"cpu": st.integers(0, 8), "memory": st.integers(0, 8)}),
    ),
    max_size=3,
)
requests = st.dictionaries(st.sampled_from(("cpu", "memory", "gpu")), st.integers(1, 5), max_size=2)
pieces = st.lists(st.builds(Piece, replicas=st.integers(0, 3), request=requests), min_size=1, max_size=3)


def one_by_one(nodes: list[ModelNodes], pieces: list[Piece], limit: int) -> int:
    """First-fit, one replica after another on single nodes."""
    free = [{"pods": 110, **group.capacity} for group in nodes for _ in range(group.count)]
    for placed in range(limit):
        for piece in pieces:
            for _ in range(piece.replicas):
                wanted = {"pods": 1, **piece.request}
                fitting = [n for n in free if all(n.get(name, 0) >= much for name, much in wanted.items())]
                if not fitting:
                    return placed
                for name, much in wanted.items():
                    fitting[0][name] -= much
    return limit


@given(nodes, pieces)
def test_sets_are_placed_as_one_replica_after_another(nodes: list[ModelNodes], pieces: list[Piece]) -> None:
    asked = [*pieces, Piece(replicas=1, request={})]
    assert sets_on(nodes, asked, 12) == one_by_one(nodes, asked, 12)


@given(nodes, requests)
def test_replicas_are_sets_of_one(nodes: list[ModelNodes], request: dict[str, int]) -> None:
    assert replicas_on(nodes, request) == sets_on(nodes, [Piece(replicas=1, request=request)], 2000)


@pytest.mark.parametrize(
    ("resource", "counts"),
    [
        ("cpu", True),
        ("memory", True),
        ("ephemeral-storage", True),
        ("hugepages-2Mi", True),
        ("attachable-volumes-csi", True),
        ("kubernetes.io/batch-cpu", True),
        ("nvidia.com/gpu", True),
        ("requests.nvidia.com/gpu", False),
        ("UPPER.case/gpu", False),
        ("storage", False),
    ],
)
def test_what_a_model_node_has(resource: str, counts: bool) -> None:
    assert counts_on_nodes(resource) is counts
