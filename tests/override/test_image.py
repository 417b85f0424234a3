"""imageOverrider: other registries, repositories and tags."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.model.override_result import Note, Remark
from renderer.override.order import RuleIndex
from tests.override.build import applied, cluster, image_of, on_each, only_step, overridden, policy, workload

DIGEST = "sha256:" + "ab" * 32
FIRST = "/spec/template/spec/containers/0/image"


def entry(component: str, operator: str, value: str = "", path: str | None = None) -> Object:
    """Overriders with one image entry."""
    made: dict[str, Value] = {"component": component, "operator": operator, "value": value}
    if path is not None:
        made["predicate"] = {"path": path}
    return {"imageOverrider": [made]}


@pytest.mark.parametrize(
    ("image", "component", "operator", "value", "expected"),
    [
        pytest.param("team/web:1.2", "Registry", "replace", "m.io", "m.io/team/web:1.2", id="team-stays"),
        pytest.param("team/web:1.2", "Registry", "remove", "", "team/web:1.2", id="no-registry-to-remove"),
        pytest.param("team/web:1.2", "Registry", "add", "-eu", "-eu/team/web:1.2", id="add-to-no-registry"),
        pytest.param("localhost/web", "Registry", "replace", "m.io", "m.io/web", id="localhost-is-replaced"),
        pytest.param(
            "r.io:8443/t/web", "Registry", "replace", "m.io", "m.io/t/web", id="port-is-replaced-too"
        ),
        pytest.param("quay.io/x", "Registry", "add", ".eu", "quay.io.eu/x", id="add-appends-text"),
        pytest.param("quay.io/x", "Registry", "remove", "", "x", id="registry-removed"),
        pytest.param("r.io/a:1", "Repository", "add", "-s", "r.io/a-s:1", id="repository-add"),
        pytest.param("r.io/a:1", "Repository", "replace", "b/c", "r.io/b/c:1", id="repository-replace"),
        pytest.param("r.io/a:1", "Repository", "remove", "", "r.io/:1", id="nothing-checks-the-outcome"),
        pytest.param("a:1", "Tag", "add", "-rc", "a:1-rc", id="tag-add"),
        pytest.param("a:1", "Tag", "replace", "2", "a:2", id="tag-replace"),
        pytest.param("a:1", "Tag", "replace", DIGEST, f"a@{DIGEST}", id="tag-becomes-digest"),
        pytest.param(f"a@{DIGEST}", "Tag", "replace", "2", "a:2", id="digest-becomes-tag"),
        pytest.param("a:1", "Tag", "replace", f"@{DIGEST}", "a:1", id="neither-is-ignored"),
        pytest.param("a", "Tag", "add", "2", "a:2", id="tag-add-to-none"),
        pytest.param("a:1", "Tag", "remove", "", "a", id="tag-removed"),
        pytest.param(f"a@{DIGEST}", "Tag", "remove", "", "a", id="digest-removed"),
        pytest.param(f"a:1@{DIGEST}", "Registry", "remove", "", "a:1", id="digest-beside-a-tag-is-lost"),
    ],
)
def test_images(image: str, component: str, operator: str, value: str, expected: str) -> None:
    result = applied(workload({"name": "app", "image": image}), entry(component, operator, value))
    assert image_of(result) == expected
    step = only_step(result)
    assert (step.path, step.before, step.after, step.component) == (FIRST, image, expected, component)
    assert step.changed is (image != expected)


@pytest.mark.parametrize(
    ("image", "component", "operator", "value", "remarks"),
    [
        pytest.param(
            "team/web",
            "Registry",
            "remove",
            "",
            (Remark(Note.NO_REGISTRY, ("team",)),),
            id="no-registry-part",
        ),
        pytest.param("team/web", "Registry", "replace", "m.io", (), id="a-registry-where-there-was-none"),
        pytest.param(
            f"m.io/web:1@{DIGEST}",
            "Registry",
            "replace",
            "m.io",
            (Remark(Note.DIGEST_LOST, (DIGEST,)),),
            id="digest-lost",
        ),
        pytest.param("a:1", "Tag", "replace", "@x", (Remark(Note.NOT_A_TAG, ("@x",)),), id="not-a-tag"),
        pytest.param(
            "a:1", "Tag", "add", " x", (Remark(Note.NOT_A_TAG, ("1 x",)),), id="not-a-tag-when-added"
        ),
        pytest.param(
            "team/web",
            "Registry",
            "add",
            "-eu",
            (Remark(Note.INVALID_IMAGE, ("it is not of the form [registry/]repository[:tag][@digest]",)),),
            id="invalid-outcome",
        ),
    ],
)
def test_remarks(image: str, component: str, operator: str, value: str, remarks: tuple[Remark, ...]) -> None:
    result = applied(workload({"name": "app", "image": image}), entry(component, operator, value))
    assert only_step(result).remarks == remarks


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"])
def test_every_container_of_a_pod_template_is_changed(kind: str) -> None:
    body = workload({"name": "a", "image": "a:1"}, {"name": "b", "image": "b:1"}, kind=kind)
    result = applied(body, entry("Tag", "replace", "2"))
    assert [image_of(result, 0), image_of(result, 1)] == ["a:2", "b:2"]


def test_a_pod_has_its_containers_elsewhere() -> None:
    result = applied(workload(kind="Pod"), entry("Tag", "replace", "2"))
    assert only_step(result).path == "/spec/containers/0/image"


def test_init_containers_are_not_changed() -> None:
    body = workload(kind="Pod")
    body["spec"] = {"containers": [], "initContainers": [{"name": "i", "image": "i:1"}]}
    result = applied(body, entry("Tag", "replace", "2"))
    assert result.body == body


def test_other_kinds_are_left_alone_and_the_step_says_so() -> None:
    body = {**workload(), "kind": "CronJob"}
    result = applied(body, entry("Tag", "replace", "2"))
    assert result.body == body
    step = only_step(result)
    assert (step.changed, step.remarks) == (False, (Remark(Note.NO_TARGET, ("CronJob",)),))


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        pytest.param("/spec/list/0/image", "/spec/list/0/image", id="any-kind"),
        pytest.param("/spec/list/00/image", "/spec/list/0/image", id="leading-zeros"),
        pytest.param("/spec/image", "/spec/image", id="map"),
    ],
)
def test_predicates(path: str, changed: str) -> None:
    body: dict[str, Value] = {"kind": "X", "spec": {"list": [{"image": "a:1"}], "image": "b:1"}}
    step = only_step(applied(body, entry("Tag", "replace", "2", path)))
    assert (step.path, step.changed) == (changed, True)


def test_a_predicate_with_two_slashes_changes_nothing() -> None:
    body: dict[str, Value] = {"kind": "X", "spec": {"image": "a:1"}}
    result = applied(body, entry("Tag", "replace", "2", "//spec/image"))
    assert result.body == body
    step = only_step(result)
    assert (step.changed, step.remarks) == (False, (Remark(Note.NO_EFFECT),))


@pytest.mark.parametrize(
    ("path", "deepest", "missing", "reason"),
    [
        pytest.param("/spec/nope/image", "/spec", "nope", '"nope" is not there', id="missing-key"),
        pytest.param("/spec/list/x/image", "/spec/list", "x", '"x" is no index', id="no-index"),
        pytest.param("/spec/list/3/image", "/spec/list", "3", "the list has 2", id="past-the-end"),
        pytest.param("/spec/list/-1/image", "/spec/list", "-1", "no element -1", id="negative"),
        pytest.param("/spec/list/1/image", "/spec/list", "1", '"1" is text, not a map', id="no-map"),
        pytest.param("/spec/list", "/spec", "list", '"list" is a list, not text', id="no-text"),
        pytest.param("/spec/list/0", "/spec/list", "0", '"0" is not there, not text', id="element"),
        pytest.param("/spec/replicas/image", "/spec", "replicas", "is a number, not a map", id="scalar"),
        pytest.param("/spec/a~1b/image", "/spec", "a~1b", '"a~1b" is not there', id="no-escapes"),
        pytest.param("/spec/image/", "/spec", "image", '"image" is text', id="trailing-slash"),
        pytest.param("", "", "", '"" is not there', id="empty"),
    ],
)
def test_predicates_that_lead_nowhere(path: str, deepest: str, missing: str, reason: str) -> None:
    spec: Value = {"list": [{"image": "a"}, "b"], "image": "b:1", "replicas": 1, "a/b": {"image": "c"}}
    failure = applied({"kind": "X", "spec": spec}, entry("Tag", "replace", "2", path)).failure
    assert failure is not None
    assert (failure.path, failure.deepest, failure.missing) == (path, deepest, missing)
    assert reason in failure.problem.what


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param(workload({"name": "a"}), "there is no image", id="container-without-image"),
        pytest.param(workload({"name": "a", "image": "A:1"}), "lower case", id="invalid-image"),
        pytest.param(
            {**workload(), "spec": {"replicas": "three"}},
            "spec.replicas is not a whole number",
            id="wrong-type",
        ),
        pytest.param(
            {**workload(), "spec": {"template": {"spec": {"containers": "x"}}}}, "is not a list", id="no-list"
        ),
    ],
)
def test_objects_that_cannot_be_changed(body: Object, reason: str) -> None:
    result = applied(body, entry("Tag", "replace", "2"))
    assert result.body is None
    assert result.problem is not None
    assert reason in result.problem.what


def test_a_predicate_without_a_leading_slash_is_refused_once_it_has_been_followed() -> None:
    failure = applied({"kind": "X", "image": "a:1"}, entry("Tag", "replace", "2", "image")).failure
    assert failure is not None
    assert 'does not start with "/"' in failure.problem.what
    assert failure.problem.fix == 'write "/image"'


def test_an_object_is_checked_once_for_all_clusters() -> None:
    tag: Value = {"component": "Tag", "operator": "replace", "value": "{{ cluster.metadata.name }}"}
    index = RuleIndex([policy("p", {"imageOverrider": [tag]}, jinja=True)])
    assert [*map(image_of, on_each(index, workload(), cluster("a"), cluster("b")))] == ["web:a", "web:b"]


def test_an_ill_formed_outcome_stops_the_next_overrider() -> None:
    first = entry("Registry", "add", "-eu")["imageOverrider"]
    second = entry("Tag", "replace", "2")["imageOverrider"]
    assert isinstance(first, list)
    assert isinstance(second, list)
    result = applied(workload({"name": "a", "image": "t/a:1"}), {"imageOverrider": [*first, *second]})
    assert result.failure is not None
    assert (result.failure.index, len(result.steps)) == (1, 1)


def test_no_template_and_no_containers_are_no_error() -> None:
    body = {**workload(), "spec": {}}
    assert overridden(body, policy(overriders=entry("Tag", "replace", "2"))).body == body
