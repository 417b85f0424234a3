"""Values from cluster facts."""

from __future__ import annotations

import pytest

from renderer.document.problem import Problem
from renderer.document.read import read_stream
from renderer.document.values import Object, Value, dig, mapping
from renderer.load.policies import override_policy_of
from renderer.model.cluster import Cluster
from renderer.override.apply import override
from renderer.override.order import RuleIndex
from tests.override.build import cluster, image_of, on_each, overridden, policy, workload

EAST = cluster("east", region="eu", labels={"store": "12", "items": "many", "a/b": "c"})


def note(text: Value) -> dict[str, Value]:
    """Overriders that write a value into spec.note."""
    return {"plaintext": [{"operator": "add", "path": "/spec/note", "value": text}]}


def written(text: Value, on: Cluster = EAST, *, jinja: bool = True) -> Value:
    """What the value comes to; None where it has no value."""
    result = overridden(workload(), policy(overriders=note(text), jinja=jinja), on=on)
    return dig(result.body, "spec", "note") if result.body is not None else None


def fault(text: str) -> Problem:
    """Why the value has none."""
    result = overridden(workload(), policy(overriders=note(text), jinja=True), on=EAST)
    assert result.problem is not None
    return result.problem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{{ cluster.metadata.name }}", "east", id="name"),
        pytest.param("pre-{{ cluster.spec.region }}-post", "pre-eu-post", id="part-of-a-text"),
        pytest.param("{{ cluster.metadata.labels['a/b'] }}", "c", id="label"),
        pytest.param("{{ cluster.metadata.labels.items }}", "many", id="a-label-comes-before-a-method"),
        pytest.param("{{ cluster.metadata.labels.get('no', 'x') }}", "x", id="method-of-a-map"),
        pytest.param("{{ cluster.spec.zones | join(',') }}", "a,b", id="join"),
        pytest.param("{{ cluster.spec.zones[0] }}", "a", id="index"),
        pytest.param("{{ cluster.spec.zones | tojson }}", '["a", "b"]', id="json"),
        pytest.param("{{ cluster.metadata.name.upper() }}", "EAST", id="method-of-a-text"),
        pytest.param("{{ cluster.metadata.labels.store | int + 1 }}", "13", id="arithmetic"),
        pytest.param("{{ cluster.spec.region == 'eu' }}", "true", id="booleans-as-yaml-has-them"),
        pytest.param("{% if cluster.spec.region == 'eu' %}x{% else %}y{% endif %}", "x", id="if"),
        pytest.param("{% for zone in cluster.spec.zones %}{{ zone }};{% endfor %}", "a;b;", id="loop"),
        pytest.param("{{ cluster.spec.provider | default('none') }}", "none", id="default"),
        pytest.param("} { % literal", "} { % literal", id="no-expression"),
    ],
)
def test_values(text: str, expected: str) -> None:
    assert written(text) == expected


def test_without_the_annotation_braces_are_text() -> None:
    assert written("{{ cluster.metadata.name }}", jinja=False) == "{{ cluster.metadata.name }}"


def test_values_inside_maps_and_lists_are_rendered_keys_are_not() -> None:
    value: Value = {"{{ 1 }}": [{"k": "{{ cluster.metadata.name }}"}, 5, None, True]}
    assert written(value) == {"{{ 1 }}": [{"k": "east"}, 5, None, True]}


def test_results_are_text() -> None:
    assert written("{{ 5 }}") == "5"


@pytest.mark.parametrize(
    ("overriders", "where", "expected"),
    [
        pytest.param(
            {"labelsOverrider": [{"operator": "add", "value": {"r": "{{ cluster.spec.region }}"}}]},
            ("metadata", "labels", "r"),
            "eu",
            id="label",
        ),
        pytest.param(
            {"annotationsOverrider": [{"operator": "add", "value": {"r": "{{ cluster.spec.region }}!"}}]},
            ("metadata", "annotations", "r"),
            "eu!",
            id="annotation",
        ),
    ],
)
def test_metadata(overriders: Object, where: tuple[str, ...], expected: str) -> None:
    result = overridden(workload(), policy(overriders=overriders, jinja=True), on=EAST)
    assert dig(result.body, *where) == expected


def test_images_words_and_texts() -> None:
    overriders: Object = {
        "imageOverrider": [
            {"component": "Registry", "operator": "add", "value": "{{ cluster.spec.region }}.io"}
        ],
        "argsOverrider": [
            {"containerName": "app", "operator": "add", "value": ["--in", "{{ cluster.spec.region }}"]}
        ],
        "commandOverrider": [{"containerName": "app", "operator": "add", "value": ["{{ 1 + 1 }}"]}],
        "fieldOverrider": [
            {
                "fieldPath": "/spec/text",
                "json": [{"operator": "add", "subPath": "/r", "value": ["{{ cluster.spec.region }}"]}],
            }
        ],
    }
    body = workload()
    body["spec"] = {"text": "{}", **mapping(body["spec"])}
    result = overridden(body, policy(overriders=overriders, jinja=True), on=EAST)
    assert image_of(result) == "eu.io/web:1"
    assert dig(result.body, "spec", "text") == '{"r":["eu"]}'
    assert [step.after for step in result.steps[1:3]] == [["2"], ["--in", "eu"]]


def test_clusters_with_the_same_values_share_one_result() -> None:
    index = RuleIndex([policy(overriders=note("{{ cluster.spec.region }}"), jinja=True)])
    regions = (("a", "eu"), ("b", "eu"), ("c", "us"))
    members = [cluster(name, region=region) for name, region in regions]
    one, same, other = on_each(index, workload(), *members)
    assert one is same
    assert dig(other.body, "spec", "note") == "us"
    assert one.rules[0].values == ("eu",)


def test_an_expression_without_value_fails_its_cluster_alone() -> None:
    index = RuleIndex([policy(overriders=note("{{ cluster.spec.region }}"), jinja=True)])
    bare, east = on_each(index, workload(), cluster("bare"), EAST)
    assert bare.body is None
    assert east.body is not None


@pytest.mark.parametrize(
    ("text", "reason", "fix"),
    [
        pytest.param("{{ cluster.spec.provider }}", 'there is no "provider"', "| default", id="absent-fact"),
        pytest.param("{{ nope }}", 'there is no "nope"', "| default", id="unknown-name"),
        pytest.param("{{ none }}", "null cannot be written", "| default('...', true)", id="null"),
        pytest.param("{{ cluster.spec.zones }}", "a list cannot be written", "| tojson", id="list"),
        pytest.param("{{ 1 / 0 }}", "division by zero", "mend", id="division-by-zero"),
        pytest.param("{{ cluster.metadata.labels.clear() }}", 'there is no "clear"', "", id="a-change"),
        pytest.param(
            "{% for a in range(9999) %}{{ a }}{% endfor %}{{ 'a' * 500000 }}", "too much", "", id="work"
        ),
        pytest.param("{{ 1 +", "unexpected", "mend", id="syntax"),
    ],
)
def test_expressions_without_a_value(text: str, reason: str, fix: str) -> None:
    problem = fault(text)
    assert reason in problem.what
    assert fix in problem.fix


def test_clusters_that_lack_the_same_fact_have_the_same_problem() -> None:
    index = RuleIndex([policy(overriders=note("{{ cluster.spec.provider }}"), jinja=True)])
    one, other = on_each(index, workload(), cluster("a"), cluster("b"))
    assert one is other


def test_a_rendered_label_must_be_one() -> None:
    overriders: Object = {"labelsOverrider": [{"operator": "add", "value": {"a": "{{ 'no label!' }}"}}]}
    result = overridden(workload(), policy(overriders=overriders, jinja=True), on=EAST)
    assert result.problem is not None
    assert result.problem.what.endswith("it gives no valid label value")
    assert result.problem.why.startswith('it gives "no label!"; ')


def test_a_problem_stands_at_the_line_of_its_expression() -> None:
    text = """\
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata:
  name: p
  namespace: shop
  annotations:
    krender.io/values: jinja2
spec:
  overrideRules:
    - overriders:
        plaintext:
          - path: /spec/note
            operator: add
            value:
              deep: "{{ cluster.spec.provider }}"
"""
    (document,) = read_stream(text.encode(), "policies/p.yaml")
    assert isinstance(document.value, dict)
    index = RuleIndex([override_policy_of(document.value, document)])
    problem = override(index, workload(), EAST).problem
    assert problem is not None
    assert str(problem.where) == "policies/p.yaml:15:15"
    assert problem.what.startswith(
        'OverridePolicy shop/p, rule 1: an expression has no value: there is no "provider"'
    )
    assert problem.why.startswith("there is: region, syncMode, zones; the objects do not reach ")
    assert problem.excerpt.strip() == 'deep: "{{ cluster.spec.provider }}"'
    assert "default" in problem.fix
