"""Published bindings are read back as they were written, and nonsense is refused at its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.emit import emit
from renderer.document.problem import InputError, Problem
from renderer.document.read import read_stream
from renderer.document.values import Object, Value, mapping
from renderer.model.memory_keys import BINDINGS, CLUSTERS
from renderer.model.previous import NOTHING, Previous
from renderer.model.tree import Blob, Tree, tree_of, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from tests.workspaces import FLEET, SHOP, WEB, plan, workspace

PATH: Final = f"{BINDINGS}/shop/deployment.apps.web.yaml"
TASK: Final[dict[str, Value]] = {
    "fromCluster": "north",
    "purgeMode": "Gracefully",
    "reason": "TaintUntolerated",
    "producer": "TaintManager",
    "replicas": 2,
    "creationTimestamp": "2026-01-01T00:00:00Z",
}
REBALANCER: Final = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again}
spec:
  workloads: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: shop}]
"""
# Everything a binding may hold: times, a task, annotations, conditions. All memory counts, and the binding
# that is read is the one that stays.
SETTINGS: Final = """\
apiVersion: krender.io/v1alpha1
kind: Workspace
spec:
  claims: sticky
  featureGates: {Failover: true, WorkloadAffinity: true, StatefulFailoverInjection: true}
  failover: {noExecuteEviction: true}
"""
FILES: Final = {
    **SHOP,
    "again.yaml": REBALANCER,
    "krender.yaml": SETTINGS,
    "policy.yaml": SHOP["policy.yaml"].replace("spec:", "spec:\n  activationPreference: Lazy"),
    "fleet.yaml": FLEET.replace("name: east", "name: east, taints: [{key: gone, effect: NoExecute}]"),
}
WORKSPACE: Final = workspace(FILES)


def published() -> Object:
    """The binding of the Deployment as it is published, with an eviction task on it."""
    blob = plan(FILES, now="2026-01-01T00:00:00Z").tree.at(PATH)
    assert isinstance(blob, Blob)
    body = mapping(read_stream(blob.data, PATH)[0].value)
    return {**body, "spec": {**mapping(body["spec"]), "gracefulEvictionTasks": [TASK]}}


BODY: Final = published()


def memory(body: Value, **files: bytes) -> Previous:
    """What is read from a tree that holds one binding."""
    return read_previous(tree_of({PATH: Blob(emit(body).encode()), **{k: Blob(v) for k, v in files.items()}}))


def changed(value: Value, path: tuple[str | int, ...], to: Value) -> Value:
    """The value with another one at a path."""
    if not path:
        return to
    key, *rest = path
    if isinstance(value, dict) and isinstance(key, str):
        return {**value, key: changed(value.get(key), tuple(rest), to)}
    assert isinstance(value, list)
    assert isinstance(key, int)
    return [changed(item, tuple(rest), to) if i == key else item for i, item in enumerate(value)]


def places(value: Value, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of everything in a value."""
    below: list[tuple[str | int, Value]] = []
    if isinstance(value, dict):
        below = [(key, item) for key, item in value.items()]
    elif isinstance(value, list):
        below = list(enumerate(value))
    return [path, *(place for key, item in below for place in places(item, (*path, key)))]


def test_a_binding_is_read_as_it_was_written() -> None:
    rendering = next(item for item in plan(FILES).renderings if item.decision)
    binding = rendering.binding
    remembered = memory(BODY).bindings["apps", "Deployment", "shop", "web"]
    assert binding is not None
    assert remembered.claimed_by == ("shop", "web")
    assert remembered.clusters == binding.clusters
    assert remembered.applied_placement == binding.applied_placement
    assert remembered.condition == "Success"
    assert remembered.rebalanced_by == ("again",)
    (task,) = remembered.graceful_eviction_tasks
    assert (task.from_cluster, task.creation_timestamp) == ("north", "2026-01-01T00:00:00Z")
    assert (task.grace_period_seconds, task.suppress_deletion) == (None, None)


@pytest.mark.parametrize(
    ("path", "value", "place", "what"),
    [
        pytest.param((), [], ":1:1", "it is no map", id="a-list"),
        pytest.param(("kind",), "Pod", ":2:1", "/kind is none of", id="another-kind"),
        pytest.param(("apiVersion",), "v1", ":1:1", "/apiVersion is none of", id="another-version"),
        pytest.param(("spec",), None, "", "/spec is missing", id="no-spec"),
        pytest.param(("spec", "resource", "name"), "", "", "/spec/resource/name is missing", id="no-name"),
        pytest.param(("spec", "clusters"), {}, "", "/spec/clusters is no list", id="clusters-as-a-map"),
        pytest.param(("spec", "clusters", 0), 7, "", "/spec/clusters/0 is no map", id="a-cluster-of-7"),
        pytest.param(
            ("spec", "clusters", 0, "replicas"), -1, "", "/replicas is no number", id="less-than-none"
        ),
        pytest.param(
            ("spec", "clusters", 0, "replicas"), True, "", "/replicas is no number", id="true-is-no-number"
        ),
        pytest.param(
            ("spec", "placement"),
            {"clusterAffinity": 3},
            "",
            "/spec/placement is no placement",
            id="placement",
        ),
        pytest.param(
            ("spec", "rescheduleTriggeredAt"), "soon", "", "is no point in time", id="no-point-in-time"
        ),
        pytest.param(
            ("spec", "gracefulEvictionTasks", 0, "purgeMode"), "Later", "", "is none of Directly", id="purge"
        ),
        pytest.param(
            ("metadata", "annotations"), [], "", "/metadata/annotations is no map", id="a-list-of-them"
        ),
        pytest.param(("metadata", "annotations"), {"a": 1}, "", "/a is no text", id="a-number-as-annotation"),
        pytest.param(
            ("status", "conditions", 0), None, "", "/status/conditions/0 is no map", id="a-null-condition"
        ),
        pytest.param(
            ("metadata", "annotations", "krender.io/clusters"), "gone", "", "refers to", id="list-is-gone"
        ),
    ],
)
def test_nonsense_is_refused_at_its_place(
    path: tuple[str | int, ...], value: Value, place: str, what: str
) -> None:
    with pytest.raises(InputError) as caught:
        memory(changed(BODY, path, value))
    problem = caught.value.problems[0]
    assert problem.where.file == PATH
    assert problem.where.line > 0
    assert problem.where.column > 0
    assert str(problem.where).endswith(place)
    assert what in problem.what
    assert "--fresh" in problem.fix


def test_all_that_is_wrong_is_told_in_one_run() -> None:
    other = f"{BINDINGS}/shop/deployment.apps.api.yaml"
    wrong = changed(changed(BODY, ("kind",), "Pod"), ("spec", "replicas"), "many")
    with pytest.raises(InputError) as caught:
        memory(wrong, **{other: b"kind: [\n"})
    assert len(caught.value.problems) == 3


def test_an_emptied_file_is_no_binding() -> None:
    with pytest.raises(InputError) as caught:
        read_previous(tree_of({PATH: Blob(b"# nothing\n")}))
    assert "it is empty" in caught.value.problems[0].what


def test_two_bindings_of_one_template_are_one_too_many() -> None:
    with pytest.raises(InputError) as caught:
        memory(BODY, **{f"{BINDINGS}/shop/copy.yaml": emit(BODY).encode()})
    assert "has a binding already: Deployment shop/web" in caught.value.problems[0].what


MANY: Final = FLEET + "".join(f"  - {{name: c{i}, labels: {{stage: prod}}}}\n" for i in range(80))


def test_a_shared_list_of_clusters_is_read_back() -> None:
    everywhere = {**SHOP, "fleet.yaml": MANY, "policy.yaml": SHOP["policy.yaml"].split("    replica")[0]}
    first = plan(everywhere)
    folder = first.tree.at(CLUSTERS)
    assert isinstance(folder, Tree)
    remembered = read_previous(first.tree).bindings["apps", "Deployment", "shop", "web"]
    assert len(remembered.clusters) == 82
    assert {target.replicas for target in remembered.clusters} == {4}
    twice = {**everywhere, "api.yaml": WEB.replace("name: web", "name: api", 1)}
    twice["policy.yaml"] = everywhere["policy.yaml"].replace(", name: web}]", "}]")
    bindings = read_previous(plan(twice).tree).bindings
    assert bindings["apps", "Deployment", "shop", "api"].clusters == remembered.clusters


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(
        ("Directly", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59Z", "2026-01-01T00:00:00")
    )
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
)


def survives(files: Mapping[str, Blob]) -> None:
    """Reading is refused with a place for each problem; else what was read can be rendered on."""
    previous, problems = NOTHING, tuple[Problem, ...]()
    try:
        previous = read_previous(tree_of(files))
    except InputError as error:
        problems = error.problems
    assert all(problem.where.file and problem.where.line for problem in problems)
    render(WORKSPACE, previous, "2026-02-01T00:00:00Z")


@given(st.sampled_from(places(BODY)), values)
def test_any_value_in_any_place_is_read_or_refused(path: tuple[str | int, ...], value: Value) -> None:
    survives({PATH: Blob(emit(changed(BODY, path, value)).encode())})


@given(st.integers(0, len(emit(BODY))), st.integers(0, 12), st.text(max_size=6))
def test_any_edit_of_the_text_is_read_or_refused(at: int, length: int, put: str) -> None:
    text = emit(BODY)
    survives({PATH: Blob((text[:at] + put + text[at + length :]).encode("utf-8", "surrogatepass"))})


@given(st.binary(max_size=30))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    survives({PATH: Blob(data)})


def test_a_published_tree_is_read_whatever_else_lies_beside_it() -> None:
    first = plan(FILES).tree
    files = dict(walk(first))
    again = read_previous(tree_of({**files, ".krender/notes.txt": Blob(b"mine")}))
    assert again.bindings == read_previous(first).bindings
