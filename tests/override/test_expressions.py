"""Values from cluster facts: what an expression may say, and that none does harm."""

from __future__ import annotations

import subprocess
import sys

import pytest

from renderer.document.read import read_stream
from renderer.document.values import Object, Value, dig, mapping
from renderer.load.policies import override_policy_of
from renderer.model.cluster import Cluster
from renderer.override.apply import Overriding, override
from renderer.override.order import RuleIndex
from tests.override.build import cluster, image_of, overridden, policy, workload

EAST = cluster("east", region="eu", labels={"store": "12", "items": "many", "a/b": "c"})


def note(text: Value) -> dict[str, Value]:
    """Overriders that write a value into spec.note."""
    return {"plaintext": [{"operator": "add", "path": "/spec/note", "value": text}]}


def written(text: Value, on: Cluster = EAST, *, jinja: bool = True) -> Value:
    """What the value comes to; None where it has no value."""
    result = overridden(workload(), policy(overriders=note(text), jinja=jinja), on=on)
    return dig(result.body, "spec", "note") if result.body is not None else None


def fault(text: str) -> str:
    """Why the value has none."""
    result = overridden(workload(), policy(overriders=note(text), jinja=True), on=EAST)
    assert result.problem is not None
    return result.problem.what


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
        pytest.param("{{ cluster.spec.zones | tojson }}", '["a","b"]', id="json"),
        pytest.param("{{ cluster.metadata.name.upper() }}", "EAST", id="method-of-a-text"),
        pytest.param("{{ cluster.metadata.name.replace('a', 'o') }}", "eost", id="replace"),
        pytest.param("{{ cluster.metadata.name | replace('e', 'E', 1) }}", "East", id="replace-some"),
        pytest.param("{{ cluster.metadata.labels.store | int + 1 }}", "13", id="arithmetic"),
        pytest.param("{{ 3.14159 | round(2) }} {{ 3.2 | round(0, 'ceil') }}", "3.14 4", id="rounded"),
        pytest.param("{{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** 3 }}", "3.5 2 8", id="numbers-as-json-has-them"),
        pytest.param("{{ 'a' + 'b' ~ 1 }}", "ab1", id="joined-texts"),
        pytest.param("{{ cluster.spec.region == 'eu' }}", "true", id="booleans-as-yaml-has-them"),
        pytest.param("{% if cluster.spec.region == 'eu' %}x{% else %}y{% endif %}", "x", id="if"),
        pytest.param("{{ 'x' if cluster.spec.provider is defined else 'y' }}", "y", id="is-defined"),
        pytest.param("{{ cluster.spec.provider | default('none') }}", "none", id="default"),
        pytest.param("a{# remark #}b\n", "ab\n", id="remarks-go-last-line-end-stays"),
        pytest.param("{{ cluster.spec.zones | map('upper') | join }}", "AB", id="map"),
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
    overriding = Overriding(index, workload())
    one, same, other = (
        overriding.on(cluster(name, region=region))
        for name, region in (("a", "eu"), ("b", "eu"), ("c", "us"))
    )
    assert one is same
    assert dig(other.body, "spec", "note") == "us"
    assert one.rules[0].values == ("eu",)


def test_an_expression_without_value_fails_its_cluster_alone() -> None:
    index = RuleIndex([policy(overriders=note("{{ cluster.spec.region }}"), jinja=True)])
    overriding = Overriding(index, workload())
    assert overriding.on(cluster("bare")).body is None
    assert overriding.on(EAST).body is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("{{ cluster.spec.provider }}", 'there is no "provider"; there is: ', id="absent-fact"),
        pytest.param("{{ nope }}", 'there is no "nope"', id="unknown-name"),
        pytest.param("{{ none }}", "the value is null", id="null"),
        pytest.param("{{ cluster.spec.zones }}", "only text and numbers", id="list"),
        pytest.param("{{ 1 +", "unexpected", id="syntax"),
        pytest.param("{{ 1 / 0 }}", "division by zero", id="division-by-zero"),
        pytest.param("{{ 'a' + 1 }}", "needs two numbers", id="text-and-number"),
        pytest.param("{{ 1e308 * 10 }}", "out of range", id="infinite"),
        pytest.param("{{ cluster.metadata.name | nope }}", "No filter named", id="unknown-filter"),
    ],
)
def test_expressions_without_a_value(text: str, reason: str) -> None:
    assert reason in fault(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{{ cluster.__class__.__mro__ }}", id="class"),
        pytest.param("{{ ''.__class__ }}", id="class-of-a-text"),
        pytest.param("{{ cluster['__class__'] }}", id="class-as-item"),
        pytest.param("{{ cluster.metadata.labels.clear() }}", id="changes-its-object"),
        pytest.param("{{ cluster.metadata.labels.pop('store') }}", id="takes-from-its-object"),
        pytest.param("{{ cluster.spec.zones.append('c') }}", id="changes-a-list"),
        pytest.param("{{ '{0.__class__}'.format(cluster) }}", id="format"),
        pytest.param("{{ '%999999999d' % 1 }}", id="percent"),
        pytest.param("{{ 'a' * 999999999 }}", id="long-text"),
        pytest.param("{{ [1] * 999999999 }}", id="long-list"),
        pytest.param("{{ 9 ** 9 ** 9 }}", id="great-power"),
        pytest.param("{{ 'a'.ljust(999999999) }}", id="wide-text"),
        pytest.param("{{ 'a' | center(999999999) }}", id="wide-filter"),
        pytest.param("{{ 'a' | indent(999999999) }}", id="indent"),
        pytest.param("{{ 'aaaaaaaa'" + " | replace('a', 'aaaaaaaa')" * 30 + " }}", id="growing-by-filter"),
        pytest.param("{{ 'aaaaaaaa'" + ".replace('a', 'aaaaaaaa')" * 30 + " }}", id="growing-by-method"),
        pytest.param("{{ '\"'" + " | tojson" * 60 + " }}", id="growing-by-json"),
        pytest.param("{{ [" + "'" + "a" * 60_000 + "'," * 1 + "'" + "a" * 60_000 + "'] | join }}", id="join"),
        pytest.param(("{{ 'aaaaaaaa' | replace('a', '" + "b" * 4000 + "') }}") * 5, id="long-result"),
        pytest.param("{% for i in 'aaaa' %}{% endfor %}", id="loop"),
        pytest.param("{% set x = 'a' %}", id="assignment"),
        pytest.param("{% macro m() %}{% endmacro %}", id="macro"),
        pytest.param("{% include 'x' %}", id="include"),
        pytest.param("{% import 'x' as y %}", id="import"),
        pytest.param("{{ range(9) | list }}", id="range"),
        pytest.param("{{ 1.5 | round(999999999, 'ceil') }}", id="rounded-to-many-places"),
        pytest.param("{{ lipsum() }}", id="lipsum"),
        pytest.param("{{ 'ab' | random }}", id="chance"),
        pytest.param("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", id="nested-parentheses"),
        pytest.param("{{ " + "not " * 5000 + "1 }}", id="nested-operators"),
        pytest.param("{{ 1 }}" * 3000, id="many"),
        pytest.param("{{ " + "9" * 5000 + " }}", id="long-number"),
    ],
)
def test_what_could_do_harm_is_refused(text: str) -> None:
    before = {**EAST.body}
    assert written(text) is None
    assert EAST.body == before


def test_a_rendered_label_must_be_one() -> None:
    overriders: Object = {"labelsOverrider": [{"operator": "add", "value": {"a": "{{ 'no label!' }}"}}]}
    result = overridden(workload(), policy(overriders=overriders, jinja=True), on=EAST)
    assert result.problem is not None
    assert '"no label!" cannot be the value of a label' in result.problem.what


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
        "OverridePolicy shop/p, rule 1: an expression has no value on cluster east: "
        'there is no "provider"; there is: region, syncMode, zones'
    )
    assert problem.excerpt.strip() == 'deep: "{{ cluster.spec.provider }}"'
    assert "default" in problem.fix


def test_jinja2_is_imported_when_it_is_needed() -> None:
    code = "import sys, renderer.override.apply; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
