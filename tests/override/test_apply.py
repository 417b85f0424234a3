"""Rules as a whole: the order of overriders, failures, and the laws of overriding."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.document.patch import ABSENT
from renderer.document.read import read_stream
from renderer.document.values import Object, Value, dig
from renderer.load.policies import override_policy_of
from renderer.model.override_result import Note, Overridden, lost_keys, same
from renderer.override.apply import OVERRIDERS, override
from renderer.override.order import RuleIndex
from tests.override.build import applied, cluster, overridden, policy, workload

EVERYTHING: Object = {
    "plaintext": [{"operator": "add", "path": "/spec/paused", "value": True}],
    "fieldOverrider": [
        {"fieldPath": "/metadata/annotations/t", "json": [{"operator": "add", "subPath": "/a", "value": 1}]}
    ],
    "annotationsOverrider": [{"operator": "add", "value": {"t": "{}"}}],
    "labelsOverrider": [{"operator": "add", "value": {"a": "1"}}],
    "argsOverrider": [{"containerName": "app", "operator": "add", "value": ["x"]}],
    "commandOverrider": [{"containerName": "app", "operator": "add", "value": ["sh"]}],
    "imageOverrider": [{"component": "Tag", "operator": "replace", "value": "2"}],
}


def test_overriders_of_a_rule_have_a_fixed_order() -> None:
    steps = applied(workload(), EVERYTHING).steps
    assert [step.overrider for step in steps] == [name for name, _ in OVERRIDERS]


def test_a_later_overrider_sees_what_an_earlier_one_made() -> None:
    assert dig(applied(workload(), EVERYTHING).body, "metadata", "annotations", "t") == '{"a":1}'


@pytest.mark.parametrize(
    ("path", "kinds", "fix"),
    [
        pytest.param(
            "/data/mode",
            ("Deployment", "ConfigMap"),
            "split the policy by kind: each operation is tried on every object that the policy selects",
            id="path-of-another-kind",
        ),
        pytest.param(
            "/data/mode",
            ("Deployment",),
            'select the kind that has a field "data": this one has none',
            id="only-one-kind-selected",
        ),
        pytest.param(
            "/spec/tolerations/0/key",
            ("Deployment",),
            "write the path of spec.template.spec.tolerations: there is no such field here",
            id="a-field-that-lies-elsewhere",
        ),
        pytest.param(
            "/spec/template/spec/toleration/0/key",
            ("Deployment",),
            'write "/spec/template/spec/tolerations/0/key"',
            id="a-misspelt-field-that-is-absent",
        ),
        pytest.param(
            "/spec/strategy/nope",
            ("Deployment",),
            'first add "/spec/strategy" with value {}',
            id="a-field-that-may-be-added",
        ),
        pytest.param(
            "/spec/template/spec/nope",
            ("Deployment",),
            'correct the path: the kind has no field "nope" there',
            id="a-field-that-no-kind-has",
        ),
        pytest.param(
            "/sepc/paused", ("Deployment", "ConfigMap"), 'write "/spec/paused"', id="misspelt-field"
        ),
    ],
)
def test_a_path_that_begins_with_a_foreign_field(path: str, kinds: tuple[str, ...], fix: str) -> None:
    selectors: list[Value] = [
        {"apiVersion": "apps/v1" if kind == "Deployment" else "v1", "kind": kind} for kind in kinds
    ]
    overriders: Object = {"plaintext": [{"path": path, "operator": "replace", "value": "x"}]}
    index = RuleIndex([policy("p", overriders, selectors=selectors)])
    failure = override(index, workload(), cluster()).failure
    assert failure is not None
    assert failure.problem.fix == fix
    assert 'in ""' not in failure.problem.what


def test_a_failure_keeps_the_steps_before_it_and_names_its_place() -> None:
    text = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: p, namespace: shop}
spec:
  overrideRules:
    - overriders:
        labelsOverrider:
          - {operator: add, value: {a: "1"}}
    - overriders:
        plaintext:
          - {path: /spec/replicas, operator: replace, value: 1}
          - {path: /spec/template/metadata/annotations/x, operator: add, value: y}
"""
    (document,) = read_stream(text.encode(), "p.yaml")
    assert isinstance(document.value, dict)
    result = override(RuleIndex([override_policy_of(document.value, document)]), workload(), cluster())
    assert result.body is None
    assert [rule.index for rule in result.rules] == [0]
    assert [step.overrider for step in result.steps] == ["labelsOverrider"]
    problem = result.problem
    assert problem is not None
    assert str(problem.where) == "p.yaml:12:13"
    assert problem.what == (
        'OverridePolicy shop/p, rule 2: plaintext 2 "/spec/template/metadata/annotations/x" cannot be '
        'applied to Deployment shop/web: there is no "metadata" in "/spec/template"'
    )
    assert problem.fix == 'first add "/spec/template/metadata" with value {}'


def test_one_policy_over_two_kinds_fails_for_both() -> None:
    """A rule with paths of a Deployment and of a ConfigMap fits neither."""
    paths: Value = [
        {"operator": "replace", "path": "/spec/replicas", "value": 1},
        {"operator": "replace", "path": "/data/mode", "value": "x"},
    ]
    mixed = policy("p", {"plaintext": paths}, target={"clusterNames": ["east"]})
    settings: Object = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c", "namespace": "shop"},
        "data": {"mode": "a"},
    }
    for body, path in ((workload(), "/data/mode"), (settings, "/spec/replicas")):
        failure = overridden(body, mixed, on=cluster("east")).failure
        assert failure is not None
        assert (failure.path, failure.deepest) == (path, "")
        assert overridden(body, mixed, on=cluster("west")).body is body


def test_same_is_about_json() -> None:
    assert same({"a": [1, "x", None]}, {"a": [1.0, "x", None]})
    assert not same({"a": 1}, {"a": True})
    assert not same([1], [1, 2])
    assert not same({"a": 1}, {"b": 1})
    assert not same(None, ABSENT)
    assert same(ABSENT, ABSENT)


def test_lost_keys_are_those_of_maps() -> None:
    assert lost_keys({"a": 1, "b": 2}, {"b": 3}) == ("a",)
    assert lost_keys({"a": 1}, ABSENT) == ("a",)
    assert lost_keys({"a": 1}, "x") == ("a",)
    assert lost_keys([1], {}) == ()


texts = st.sampled_from(["1", "x", "reg.io", "v2"])
metadata_entries = st.builds(
    lambda operator, value: {"operator": operator, "value": value},
    st.sampled_from(["add", "replace", "remove"]),
    st.dictionaries(st.sampled_from(["a", "b", "x/y"]), texts, max_size=2),
)
word_entries = st.builds(
    lambda name, operator, value: {"containerName": name, "operator": operator, "value": value},
    st.sampled_from(["app", "other"]),
    st.sampled_from(["add", "remove"]),
    st.lists(texts, max_size=2),
)
image_entries = st.builds(
    lambda component, operator, value: {"component": component, "operator": operator, "value": value},
    st.sampled_from(["Registry", "Repository", "Tag"]),
    st.sampled_from(["add", "replace", "remove"]),
    texts,
)
patch_entries = st.builds(
    lambda operator, path, value: {"operator": operator, "path": path, "value": value},
    st.sampled_from(["add", "replace", "remove"]),
    st.sampled_from(
        ["/spec/replicas", "/metadata/labels", "/metadata/labels/a", "/spec/x", "//spec/x", "spec/y"]
    ),
    st.sampled_from([1, 1.0, True, None, "x", {"a": "1"}, []]),
)
rules = st.fixed_dictionaries(
    {},
    optional={
        "imageOverrider": st.lists(image_entries, max_size=2),
        "argsOverrider": st.lists(word_entries, max_size=2),
        "labelsOverrider": st.lists(metadata_entries, max_size=2),
        "annotationsOverrider": st.lists(metadata_entries, max_size=2),
        "plaintext": st.lists(patch_entries, max_size=2),
    },
)
bodies = st.builds(
    lambda labels, args: workload({"name": "app", "image": "web:1", **args}, labels=labels),
    st.sampled_from([None, {}, {"a": "1"}, {"a": 1}]),
    st.sampled_from([{}, {"args": ["x"]}, {"args": [1.0, "x"]}]),
)


@settings(max_examples=50)
@given(bodies, st.lists(rules, max_size=3))
def test_overriding_never_changes_what_it_is_given(body: Object, made: list[Object]) -> None:
    before = copy.deepcopy((body, made))
    overridden(body, *(policy(f"p{i}", overriders) for i, overriders in enumerate(made)))
    assert (body, made) == before


def _retold(body: Object, result: Overridden) -> bool:
    """Whether the steps tell of every difference: without a change told, there is none."""
    changed = any(step.changed or step.has(Note.MAP_RESET) for step in result.steps)
    return changed or json.dumps(result.body) == json.dumps(body)


@settings(max_examples=50)
@given(bodies, rules)
def test_what_changed_is_told_by_a_step(body: Object, overriders: Object) -> None:
    result = applied(body, overriders)
    if result.body is not None and not any(step.has(Note.NOT_TEXT) for step in result.steps):
        assert _retold(body, result)


@settings(max_examples=50)
@given(bodies, rules)
def test_a_rule_for_one_cluster_leaves_the_others_alone(body: Object, overriders: Object) -> None:
    aimed = policy("p", overriders, target={"clusterNames": ["east"]})
    assert overridden(body, aimed, on=cluster("west")) == Overridden(body=body)
