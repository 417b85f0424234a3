"""What a replica needs."""

from __future__ import annotations

import pytest

from renderer.document.values import Object
from renderer.interpret.requirements import is_scalar, replica_requirements, requirements
from tests.interpret.build import container


def request(pod: Object) -> dict[str, str]:
    """The resource request, printed."""
    needs = requirements(pod)
    return {} if needs is None else {name: str(quantity) for name, quantity in needs.resource_request}


@pytest.mark.parametrize(
    ("pod", "expected"),
    [
        pytest.param({"containers": [container()]}, {}, id="nothing"),
        pytest.param(
            {"containers": [container(requests={"cpu": "250m"}), container(requests={"cpu": "250m"})]},
            {"cpu": "500m"},
            id="containers-add-up",
        ),
        pytest.param(
            {"containers": [container(limits={"cpu": "1", "memory": "1Gi"}, requests={"cpu": "100m"})]},
            {"cpu": "100m", "memory": "1Gi"},
            id="a-limit-without-a-request-is-one",
        ),
        pytest.param(
            {"containers": [container(limits={"cpu": "1"}, requests={"cpu": None})]},
            {},
            id="a-null-request-is-zero-and-hides-the-limit",
        ),
        pytest.param(
            {
                "initContainers": [container(requests={"cpu": "2"}), container(requests={"cpu": "3"})],
                "containers": [container(requests={"cpu": "1", "memory": "1Mi"})],
            },
            {"cpu": "3", "memory": "1Mi"},
            id="the-largest-init-container-if-larger",
        ),
        pytest.param(
            {"containers": [container(requests={"cpu": "1"})], "overhead": {"cpu": "50m"}},
            {"cpu": "1050m"},
            id="overhead-comes-on-top",
        ),
        pytest.param(
            {"containers": [container(requests={"cpu": "1n", "memory": "0.5", "pods": "3"})]},
            {"cpu": "1m", "memory": "1", "pods": "3"},
            id="rounded-up",
        ),
        pytest.param(
            {"containers": [container(requests={"memory": "1000", "ephemeral-storage": "2048"})]},
            {"memory": "1k", "ephemeral-storage": "2Ki"},
            id="small-binary-amounts-are-printed-decimal",
        ),
        pytest.param(
            {
                "containers": [
                    container(requests={"storage": "1Gi", "nvidia.com/gpu": 2, "hugepages-2Mi": "4Mi"})
                ]
            },
            {"nvidia.com/gpu": "2", "hugepages-2Mi": "4Mi"},
            id="other-resources-only-if-they-count",
        ),
        pytest.param({"containers": [container(requests={"cpu": "-1"})]}, {}, id="negative-is-left-out"),
        pytest.param(
            {"containers": [container(requests={"memory": "9Ei"}), container(requests={"memory": "9Ei"})]},
            {},
            id="an-overflow-is-left-out",
        ),
    ],
)
def test_request(pod: Object, expected: dict[str, str]) -> None:
    assert request(pod) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("nvidia.com/gpu", True, id="extended"),
        pytest.param("storage", False, id="native"),
        pytest.param("requests.nvidia.com/gpu", False, id="quota-name"),
        pytest.param("kubernetes.io/batch-cpu", True, id="prefixed-native"),
        pytest.param("hugepages-1Gi", True, id="huge-pages"),
        pytest.param("attachable-volumes-aws-ebs", True, id="volumes"),
        pytest.param("-bad/name", False, id="no-valid-name"),
    ],
)
def test_is_scalar(name: str, expected: bool) -> None:
    assert is_scalar(name) is expected


HARD: Object = {
    "nodeSelectorTerms": [
        {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]},
        {
            "matchFields": [{"key": "metadata.name", "operator": "Exists", "unknown": 1}],
            "matchExpressions": [],
        },
    ]
}


@pytest.mark.parametrize(
    ("pod", "claim"),
    [
        pytest.param({}, None, id="any-node"),
        pytest.param({"nodeSelector": {}}, {}, id="an-empty-selector-is-a-claim"),
        pytest.param(
            {"nodeSelector": {"b": "1", "a": None}}, {"nodeSelector": {"a": "", "b": "1"}}, id="selector"
        ),
        pytest.param({"tolerations": []}, None, id="no-tolerations"),
        pytest.param(
            {"tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 30.0}, None]},
            {"tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 30}, {}]},
            id="tolerations",
        ),
        pytest.param(
            {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": HARD}}},
            {
                "hardNodeAffinity": {
                    "nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]},
                        {"matchFields": [{"key": "metadata.name", "operator": "Exists"}]},
                    ]
                }
            },
            id="hard-affinity",
        ),
        pytest.param(
            {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}},
            {"hardNodeAffinity": {"nodeSelectorTerms": None}},
            id="hard-affinity-without-terms",
        ),
        pytest.param({"affinity": {"podAffinity": {}}}, None, id="soft-and-pod-affinity-do-not-count"),
    ],
)
def test_node_claim(pod: Object, claim: Object | None) -> None:
    needs = requirements(pod)
    assert (None if needs is None else needs.node_claim) == claim
    assert claim is None or (needs is not None and needs.raw == {"nodeClaim": claim})


def test_the_priority_class_is_only_read_when_asked_for() -> None:
    pod: Object = {"nodeSelector": {}, "priorityClassName": "high"}
    plain, asked = requirements(pod), requirements(pod, priority_class=True)
    assert plain is not None
    assert asked is not None
    assert (plain.priority_class_name, asked.priority_class_name) == ("", "high")
    assert asked.raw == {"nodeClaim": {}, "priorityClassName": "high"}


def test_requirements_that_are_not_read_from_a_pod_may_name_a_namespace() -> None:
    assert replica_requirements(None, (), namespace="shop").raw == {"namespace": "shop"}
