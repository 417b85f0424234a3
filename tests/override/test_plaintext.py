"""plaintext: patches of the whole object, and what a user is told when one does not apply."""

from __future__ import annotations

import pytest

from renderer.document.patch import ABSENT
from renderer.document.values import Value, dig
from renderer.model.override_result import Note, Overridden, Remark
from tests.override.build import applied, config, only_step, overridden, policy, workload


def plaintext(body: dict[str, Value], *operations: tuple[str, str, Value]) -> Overridden:
    """The body with one rule of these operations: operator, path and value."""
    entries: Value = [
        {"operator": operator, "path": path, "value": value} for operator, path, value in operations
    ]
    return applied(body, {"plaintext": entries})


def test_all_entries_are_one_patch() -> None:
    result = plaintext(workload(), ("replace", "/spec/replicas", 5), ("remove", "/spec/nope", None))
    assert result.body is None
    assert result.steps == ()
    assert result.failure is not None
    assert (result.failure.index, result.failure.operator) == (1, "remove")


def test_an_entry_without_value_writes_null() -> None:
    result = applied(workload(), {"plaintext": [{"operator": "add", "path": "/spec/x"}]})
    step = only_step(result)
    assert (step.before, step.after, step.changed) == (ABSENT, None, True)


@pytest.mark.parametrize(
    ("operation", "remarks"),
    [
        pytest.param(
            ("add", "/metadata/labels", {"b": "2"}),
            (Remark(Note.KEYS_LOST, ("a", "c")),),
            id="map-replaced-whole",
        ),
        pytest.param(
            ("remove", "/metadata/labels", None), (Remark(Note.KEYS_LOST, ("a", "c")),), id="map-removed"
        ),
        pytest.param(("add", "/metadata/labels/a", "2"), (), id="one-key"),
        pytest.param(("add", "//metadata/labels", {}), (Remark(Note.NO_EFFECT),), id="double-slash"),
        pytest.param(("add", "spec/x", 1), (Remark(Note.PATH_CUT, ("spec",)),), id="no-leading-slash"),
    ],
)
def test_remarks(operation: tuple[str, str, Value], remarks: tuple[Remark, ...]) -> None:
    step = only_step(plaintext(workload(labels={"a": "1", "c": "3"}), operation))
    assert step.remarks == remarks


def test_setting_what_is_there_already_is_no_change() -> None:
    step = only_step(plaintext(workload(), ("replace", "/spec/replicas", 3.0)))
    assert not step.changed


def test_true_is_not_one() -> None:
    step = only_step(plaintext({"kind": "X", "spec": {"a": 1}}, ("replace", "/spec/a", True)))
    assert step.changed


@pytest.mark.parametrize(
    ("operation", "deepest", "missing", "fix"),
    [
        pytest.param(
            ("add", "/metadata/annotations/x", "1"),
            "/metadata",
            "annotations",
            'use annotationsOverrider, which needs no map to be there, or first add "/metadata/annotations" '
            "with value {}",
            id="metadata-map-is-missing",
        ),
        pytest.param(
            ("add", "/spec/template/metadata/annotations/x", "1"),
            "/spec/template",
            "metadata",
            'first add "/spec/template/metadata" with value {}',
            id="parent-is-missing",
        ),
        pytest.param(
            ("add", "/spec/template/spec/tolerations/-", {}),
            "/spec/template/spec",
            "tolerations",
            'first add "/spec/template/spec/tolerations" with value []',
            id="parent-list-is-missing",
        ),
        pytest.param(
            ("add", "/metadata/labels/example.com/x", "1"),
            "/metadata/labels",
            "example.com",
            'write "/metadata/labels/example.com~1x": a slash in a key is written ~1',
            id="slash-in-a-key",
        ),
        pytest.param(
            ("add", '/metadata/labels/"example.com/x"', "1"),
            "/metadata/labels",
            '"example.com',
            'write "/metadata/labels/example.com~1x": a slash in a key is written ~1',
            id="quoted-key",
        ),
        pytest.param(
            ("replace", "/metadata/labels/team/a", "1"),
            "/metadata/labels",
            "team",
            'write "/metadata/labels/team~1a": a slash in a key is written ~1',
            id="slash-in-a-key-that-is-there",
        ),
        pytest.param(
            ("replace", "/spec/replica", 1), "/spec", "replica", 'write "/spec/replicas"', id="misspelt-key"
        ),
        pytest.param(
            ("add", "/spec/tmplate/spec/x", 1),
            "/spec",
            "tmplate",
            'write "/spec/template/spec/x"',
            id="on-the-way",
        ),
        pytest.param(
            ("replace", "/spec/paused", True),
            "/spec",
            "paused",
            'use operator "add", which needs no "paused" to be there',
            id="replace-of-an-absent-key",
        ),
        pytest.param(
            ("remove", "/spec/paused", None),
            "/spec",
            "paused",
            "leave the entry out: there is nothing to remove",
            id="remove-of-an-absent-key",
        ),
        pytest.param(("add", "spec", 1), "", "spec", 'write "/spec"', id="no-slash"),
        pytest.param(
            ("add", "{.spec.x[0].y}", 1), "", "{.spec.x[0].y}", 'write "/spec/x/0/y"', id="a-path-of-kubectl"
        ),
        pytest.param(
            ("replace", "/spec/template/spec/containers/app/image", "x"),
            "/spec/template/spec/containers",
            "app",
            'write 0 instead of "app": elements of a list go by index',
            id="element-by-name",
        ),
        pytest.param(
            ("add", "/spec/template/spec/containers/3", {}),
            "/spec/template/spec/containers",
            "3",
            'write an index from 0 to 1, or "-" to append',
            id="past-the-end",
        ),
        pytest.param(
            ("replace", "/spec/template/spec/containers/-", {}),
            "/spec/template/spec/containers",
            "-",
            "write the index 0",
            id="dash-is-for-add",
        ),
    ],
)
def test_failures(operation: tuple[str, str, Value], deepest: str, missing: str, fix: str) -> None:
    failure = plaintext(workload(labels={"app": "web", "team/a": "1"}), operation).failure
    assert failure is not None
    assert (failure.path, failure.deepest, failure.missing) == (operation[1], deepest, missing)
    assert failure.problem.fix == fix


def test_a_path_into_a_text_leads_to_the_overrider_for_texts() -> None:
    failure = plaintext(config(app_yaml="mode: a"), ("replace", "/data/app.yaml/mode", "b")).failure
    assert failure is not None
    assert (
        failure.problem.fix
        == 'use fieldOverrider with fieldPath "/data/app.yaml" to change what is in the text'
    )


def test_an_empty_list_has_no_index_to_name() -> None:
    body: dict[str, Value] = {"kind": "X", "list": []}
    for operation, fix in (
        ("add", 'write "-" to append'),
        ("remove", "leave the entry out: the list is empty"),
    ):
        failure = plaintext(body, (operation, "/list/1", 1)).failure
        assert failure is not None
        assert failure.problem.fix == fix


def test_there_is_no_advice_about_a_copy_that_nobody_sees() -> None:
    failure = plaintext(workload(), ("add", "//n", {}), ("add", "//n/x/y", 1)).failure
    assert failure is not None
    assert (failure.deepest, failure.problem.fix) == ("/n", "")


def test_an_escaped_slash_works() -> None:
    result = plaintext(workload(labels={}), ("add", "/metadata/labels/example.com~1x", "1"))
    assert dig(result.body, "metadata", "labels") == {"example.com/x": "1"}


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        pytest.param(("remove", "/kind", None), "the object has no kind after it", id="kind-removed"),
        pytest.param(("replace", "/kind", 5), "the object has no kind after it", id="kind-is-no-text"),
        pytest.param(("add", "/apiVersion", "a/b/c"), 'apiVersion is "a/b/c" after it', id="two-slashes"),
        pytest.param(("replace", "", [1]), "there is no object after it", id="a-list"),
        pytest.param(("replace", "", None), "there is no object after it", id="null"),
    ],
)
def test_the_outcome_must_be_an_object(operation: tuple[str, str, Value], reason: str) -> None:
    failure = plaintext(workload(), ("replace", "/spec/replicas", 1), operation).failure
    assert failure is not None
    assert (failure.index, failure.path) == (1, operation[1])
    assert reason in failure.problem.what


def test_api_version_may_vanish() -> None:
    result = plaintext(workload(), ("remove", "/apiVersion", None))
    assert dig(result.body, "apiVersion") is None


def test_an_object_without_kind_passes_no_rule() -> None:
    assert applied({"metadata": {"name": "x"}}, {}).body is None


def test_the_cluster_policy_writes_first_and_both_writers_are_seen() -> None:
    def replicas(value: int) -> dict[str, Value]:
        return {"plaintext": [{"operator": "replace", "path": "/spec/replicas", "value": value}]}

    result = overridden(workload(), policy("ns", replicas(5)), policy("all", replicas(0), namespace=""))
    assert dig(result.body, "spec", "replicas") == 5
    assert [(step.rule.name, step.before, step.after) for step in result.steps] == [
        ("all", 3, 0),
        ("ns", 0, 5),
    ]
