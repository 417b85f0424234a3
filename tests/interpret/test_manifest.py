"""From a template to one cluster's manifest: what stands before and after the overrides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.document.values import Object, Value
from renderer.interpret.completions import divided_completions
from renderer.interpret.interpret import interpreter
from renderer.interpret.manifest import (
    claimed,
    conflict_resolution,
    labelled,
    preserved_labels,
    published,
    revised,
)
from renderer.model.binding import (
    Binding,
    BindingSnapshot,
    GracefulEvictionTask,
    ReplicaRequirements,
    TargetCluster,
)
from renderer.model.gates import FeatureGates
from renderer.model.identity import Identity
from renderer.model.interpretation import InterpretError
from renderer.model.placement import Placement, ReplicaScheduling
from tests.interpret.build import thing, workload

ASK = interpreter(FeatureGates())
DIVIDED = Placement(replica_scheduling=ReplicaScheduling(replica_scheduling_type="Divided"))


def binding(*clusters: tuple[str, int], kind: str = "Deployment", replicas: int = 3) -> Binding:
    """A binding scheduled to clusters, its replicas divided."""
    return Binding(
        identity=Identity("apps/v1", kind, "shop", "web"),
        placement=DIVIDED,
        replicas=replicas,
        clusters=tuple(TargetCluster(name=name, replicas=count) for name, count in clusters),
    )


def spec_of(body: Object) -> Object:
    """The spec."""
    spec = body["spec"]
    assert isinstance(spec, dict)
    return spec


EAST = TargetCluster(name="east", replicas=2)


@pytest.mark.parametrize(
    ("bound", "replicas"),
    [
        pytest.param(binding(("east", 2)), 2, id="its-share"),
        pytest.param(replace(binding(), placement=None), 2, id="duplicated-too"),
        pytest.param(binding(replicas=0), 3, id="no-workload-is-left-alone"),
        pytest.param(
            replace(binding(replicas=0), replica_requirements=ReplicaRequirements()),
            2,
            id="requirements-make-a-workload",
        ),
    ],
)
def test_replicas_are_set(bound: Binding, replicas: int) -> None:
    body = workload(replicas=3)
    assert spec_of(revised(body, bound, EAST, ASK.of(body)))["replicas"] == replicas


def test_a_kind_that_cannot_be_revised_is_left_alone() -> None:
    body = workload("DaemonSet")
    assert revised(body, binding(), EAST, ASK.of(body)) is body


@pytest.mark.parametrize(
    ("completions", "clusters", "expected"),
    [
        pytest.param(10, (("m1", 2), ("m2", 1)), {"m1": 7, "m2": 3}, id="in-proportion"),
        pytest.param(7, (("a", 1), ("b", 1), ("c", 1)), {"a": 3, "b": 2, "c": 2}, id="ties-by-name"),
        pytest.param(3, (("a", 1), ("b", 0)), {"a": 3, "b": 0}, id="no-replicas-no-completions"),
        pytest.param(3, (("a", 0),), None, id="nobody-has-replicas"),
        pytest.param(None, (("a", 1),), None, id="no-number"),
    ],
)
def test_completions(
    completions: Value, clusters: tuple[tuple[str, int], ...], expected: dict[str, int] | None
) -> None:
    body = workload("Job", parallelism=3)
    if completions is not None:
        body = workload("Job", parallelism=3, completions=completions)
    assert divided_completions(body, binding(*clusters, kind="Job")) == expected


def test_completions_are_divided_over_those_that_need_it_too() -> None:
    snapshot = BindingSnapshot(namespace="shop", name="x", clusters=(TargetCluster(name="b", replicas=1),))
    bound = replace(binding(("a", 1), kind="Job"), required_by=(snapshot,))
    assert divided_completions(workload("Job", completions=4), bound) == {"a": 2, "b": 2}


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        pytest.param(workload(completions=4), binding(("a", 1)), id="only-jobs"),
        pytest.param(workload("Job", completions=4), binding(("a", 1), replicas=0), id="only-with-replicas"),
        pytest.param(
            workload("Job", completions=4),
            replace(binding(("a", 1)), placement=Placement()),
            id="only-divided",
        ),
    ],
)
def test_completions_that_are_not_divided(body: Object, bound: Binding) -> None:
    assert divided_completions(body, bound) is None


def test_completions_of_another_type_are_an_error() -> None:
    with pytest.raises(InterpretError):
        divided_completions(workload("Job", completions="4"), binding(("a", 1), kind="Job"))


def test_the_share_of_completions_is_set() -> None:
    body, bound = workload("Job", parallelism=3, completions=10), binding(kind="Job")
    spec = spec_of(revised(body, bound, EAST, ASK.of(body), {"east": 7}))
    assert (spec["parallelism"], spec["completions"]) == (2, 7)
    with pytest.raises(InterpretError, match="no share"):
        revised(body, bound, EAST, ASK.of(body), {"west": 7})


def test_completions_are_not_written_where_there_are_none() -> None:
    body = workload("Job", parallelism=3)
    assert "completions" not in spec_of(revised(body, binding(kind="Job"), EAST, ASK.of(body), {"east": 7}))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        pytest.param({}, {"labels": {}, "annotations": {}}, id="both-maps-are-there"),
        pytest.param(
            {"labels": {"a": "b"}, "annotations": {"c": 5}},
            {"labels": {"a": "b"}, "annotations": {}},
            id="a-map-with-anything-but-strings-is-empty",
        ),
    ],
)
def test_a_claim_brings_maps_along(metadata: Object, expected: Object) -> None:
    assert claimed(thing("ConfigMap", metadata=metadata)) == thing("ConfigMap", metadata=expected)


def test_metadata_that_is_no_map_stays_as_it_is() -> None:
    body: Object = {"kind": "ConfigMap", "metadata": None}
    assert claimed(body) is body


@pytest.mark.parametrize(
    ("template", "after", "expected"),
    [
        pytest.param({}, {"labels": {}, "annotations": {}}, {}, id="empty-maps-that-the-claim-brought"),
        pytest.param({"labels": {}}, {"labels": {}}, {"labels": {}}, id="an-empty-map-of-the-template"),
        pytest.param({"labels": {"a": "b"}}, {"labels": {}}, {"labels": {}}, id="a-map-that-was-emptied"),
        pytest.param({}, {"labels": {"a": "b"}}, {"labels": {"a": "b"}}, id="a-map-that-was-filled"),
        pytest.param({"labels": {"a": 5}}, {"labels": {"a": 5}}, {}, id="a-map-that-karmada-cannot-read"),
        pytest.param({"labels": None}, {"labels": None}, {}, id="null"),
        pytest.param({}, {"uid": "u"}, {}, id="pruned"),
    ],
)
def test_published(template: Object, after: Object, expected: Object) -> None:
    body = published(thing("ConfigMap", metadata=after), thing("ConfigMap", metadata=template))
    assert body == thing("ConfigMap", metadata=expected)


@pytest.mark.parametrize(
    ("annotation", "word", "expected"),
    [
        pytest.param(None, "Abort", "abort", id="the-binding-says-abort"),
        pytest.param(None, "Overwrite", "overwrite", id="the-binding-says-overwrite"),
        pytest.param(None, "", "abort", id="nothing-is-abort"),
        pytest.param("overwrite", "Abort", "overwrite", id="the-object-counts-first"),
        pytest.param("abort", "Overwrite", "abort", id="either-way"),
        pytest.param("Overwrite", "Abort", "abort", id="only-exact-words"),
    ],
)
def test_conflict_resolution(annotation: str | None, word: str, expected: str) -> None:
    written: Object = {} if annotation is None else {"work.karmada.io/conflict-resolution": annotation}
    body = thing("ConfigMap", metadata={"annotations": written})
    assert conflict_resolution(body, replace(binding(), conflict_resolution=word)) == expected


def test_labels_are_added() -> None:
    body = thing("ConfigMap", metadata={"labels": {"a": "b"}})
    assert labelled(body, {}) is body
    assert labelled(body, {"c": "d"}) == thing("ConfigMap", metadata={"labels": {"a": "b", "c": "d"}})


@pytest.mark.parametrize(
    ("mode", "before", "clusters", "expected"),
    [
        pytest.param("Directly", ["west"], (("east", 1),), {"resume": "5"}, id="the-one-cluster-it-goes-to"),
        pytest.param("Directly", ["east"], (("east", 1),), {}, id="not-where-it-has-been"),
        pytest.param("Gracefully", [], (("east", 1),), {}, id="only-if-deleted-at-once"),
        pytest.param("Directly", [], (("east", 1), ("west", 1)), {}, id="only-one-cluster"),
    ],
)
def test_preserved_labels(
    mode: str, before: list[Value], clusters: tuple[tuple[str, int], ...], expected: Object
) -> None:
    raw: Object = {"clustersBeforeFailover": before, "preservedLabelState": {"resume": "5"}}
    task = GracefulEvictionTask(from_cluster="west", purge_mode=mode, raw=raw)
    bound = replace(binding(*clusters), graceful_eviction_tasks=(task,))
    assert preserved_labels(bound, EAST) == expected


def test_nothing_is_preserved_without_a_failover() -> None:
    assert preserved_labels(binding(("east", 1)), EAST) == {}
