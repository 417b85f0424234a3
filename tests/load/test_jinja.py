"""Tests of *.j2 files: what they give, where their errors are, and that no template can do harm."""

from __future__ import annotations

import pytest

from renderer.document.file import SourceFile
from renderer.document.limits import DEFAULT_LIMITS
from renderer.document.problem import InputError
from renderer.document.values import Object, Value, dig
from renderer.load.jinja import Rendered, parse_template
from tests.load.workspaces import lines, loaded, refused

VALUES: Object = {"x": 5, "name": "web", "list": [1, 2], "map": {"items": "i", "b": None}, "text": "a\nb"}
FLEET: list[Object] = [
    {"metadata": {"name": f"c{number}", "labels": {"tier": "ab"[number % 2]}}, "spec": {"wave": number}}
    for number in range(3)
]


def rendered(source: str, clusters: list[Object] | None = None) -> Rendered:
    """What a template gives."""
    file = parse_template(SourceFile(path="a.yaml.j2", data=source.encode()))
    return file.render(VALUES, FLEET if clusters is None else clusters)


def failure(source: str) -> str:
    """Where a template fails, and with what."""
    with pytest.raises(InputError) as caught:
        rendered(source).documents(DEFAULT_LIMITS)
    (line,) = lines(caught.value.problems)
    return line


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        pytest.param(
            "a: 1\nb: {{ values.nam }}\n",
            'a.yaml.j2:2:1: a.yaml.j2 cannot be rendered: there is no "nam"; did you mean "name"?',
            id="a-slip-in-a-value",
        ),
        pytest.param(
            "{{ clustrs }}",
            'a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: there is no "clustrs"; did you mean "clusters"?',
            id="a-slip-in-a-name",
        ),
        pytest.param(
            "\n{{ values.map.c }}",
            'a.yaml.j2:2:1: a.yaml.j2 cannot be rendered: there is no "c"; there is: b, items',
            id="what-there-is",
        ),
        pytest.param(
            "{{ values.x.y }}",
            'a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: a number has no "y"',
            id="an-attribute-of-a-number",
        ),
        pytest.param(
            "{% macro m() %}\n{{ 1 / 0 }}\n{% endmacro %}\n{{ m() }}",
            "a.yaml.j2:2:1: a.yaml.j2 cannot be rendered: division by zero",
            id="the-line-in-a-macro",
        ),
        pytest.param(
            "{{ [1, values.nope] | tojson }}",
            'a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: there is no "nope"; there is: list, ',
            id="json-of-what-there-is-not",
        ),
        pytest.param(
            "{{ values.map.keys() | tojson }}",
            "a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: a dict_keys cannot be written as JSON",
            id="json-of-what-is-no-json",
        ),
        pytest.param(
            "{{ values.list[7] }}",
            'a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: a list has no "7"',
            id="an-item-beyond-the-end",
        ),
        pytest.param(
            "{{ ['a'] | sum }}",
            "a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: unsupported operand type(s) for +",
            id="a-sum-of-texts",
        ),
        pytest.param(
            "{{ clusters | sum('spec.wve') }}",
            'a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: there is no "wve"; did you mean "wave"?',
            id="a-slip-in-a-path",
        ),
        pytest.param(
            "a\n{% if %}\n",
            "a.yaml.j2:2:1: a.yaml.j2 is no Jinja2 template: Expected an expression, got",
            id="syntax",
        ),
        pytest.param(
            "{{ 1 | centre }}",
            "a.yaml.j2:1:1: a.yaml.j2 is no Jinja2 template: No filter named 'centre'",
            id="no-such-filter",
        ),
        pytest.param(
            "\n{% include 'b.j2' %}",
            "a.yaml.j2:2:1: a.yaml.j2 is no Jinja2 template: a template stands alone",
            id="include",
        ),
        pytest.param(
            "{% import 'b.j2' as b %}",
            "a.yaml.j2:1:1: a.yaml.j2 is no Jinja2 template: a template stands alone",
            id="import",
        ),
        pytest.param(
            "{% extends 'b.j2' %}",
            "a.yaml.j2:1:1: a.yaml.j2 is no Jinja2 template: a template stands alone",
            id="extends",
        ),
        pytest.param(
            "a: {{ values.list }}",
            "a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: a list cannot be written as text",
            id="a-list-as-text",
        ),
        pytest.param(
            "a: {{ values.map.b }}",
            "a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: null cannot be written as text",
            id="null-as-text",
        ),
        pytest.param(
            "a: 1\n{% for i in [1] %}\nb: {{ i }}\n{% endfor %}\n\nc: {{ 1 }}: 2\n",
            "a.yaml.j2:6:5: ",
            id="yaml-errors-stand-at-the-line-of-the-template",
        ),
    ],
)
def test_where_a_template_fails(source: str, problem: str) -> None:
    assert failure(source).partition(" | ")[0].startswith(problem)


def test_yaml_errors_show_the_rendered_line() -> None:
    with pytest.raises(InputError) as caught:
        rendered("{% for i in [1, 2] %}\nb: {{ i }}\n{% endfor %}\n").documents(DEFAULT_LIMITS)
    (problem,) = caught.value.problems
    assert (problem.where.line, problem.excerpt) == (2, "b: 2")
    assert problem.what.endswith("(line 4 of the rendered text)")


def test_positions_in_rendered_documents_are_those_of_the_template() -> None:
    source = (
        "{% for c in clusters %}\n---\na: {{ c.metadata.name }}\n"
        "b: |\n  {{ values.text | indent(2) }}\nc: 1\n{% endfor %}\n"
    )
    documents = rendered(source).documents(DEFAULT_LIMITS)
    assert [dig(document.value, "a") for document in documents] == ["c0", "c1", "c2"]
    for document in documents:
        assert [document.where(f"/{key}").line for key in "abc"] == [3, 4, 6]
        assert document.excerpt(document.where("/c")) == "c: 1"
        assert document.below("/b", None).where().line == 4


MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n"
SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {values: {stores: 3}}\n"


def test_templates_of_a_workspace_know_values_and_clusters() -> None:
    source = MAP % "a" + "data:\n  count: '{{ values.stores }}'\n  names: {{ clusters[0].metadata.name }}\n"
    (template,) = loaded({"a.yaml.j2": source, "krender.yaml": SETTINGS}).templates
    data: Value = {"count": "3", "names": "east"}
    assert dig(template.body, "data") == data


def test_an_inventory_may_be_a_template_of_values() -> None:
    source = (
        "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nspec:\n  clusters:\n"
        "{% for n in range(values.stores) %}\n  - name: store-{{ n }}\n{% endfor %}\n"
    )
    user = MAP % "a" + "data: {count: '{{ clusters | length }}'}\n"
    workspace = loaded({"b.yaml.j2": source, "a.yaml.j2": user, "krender.yaml": SETTINGS})
    assert [cluster.name for cluster in workspace.clusters] == ["east", "store-0", "store-1", "store-2"]
    assert dig(workspace.templates[0].body, "data", "count") == "4"
    assert workspace.clusters[1].document is not None
    assert workspace.clusters[1].document.where().line == 6


def test_an_inventory_cannot_be_a_template_of_clusters() -> None:
    source = (
        "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\n"
        "spec: {clusters: [{name: '{{ clusters[0].metadata.name }}-2'}]}\n"
    )
    (problem,) = refused({"a.yaml.j2": source})
    assert problem.startswith("a.yaml.j2:1:1: a template that needs the clusters describes clusters | ")


def test_plain_files_are_never_templates() -> None:
    text = MAP % "a" + "data: {a: '{{ not.a.template }}', b: '{% if %}'}\n"
    (template,) = loaded({"a.yaml": text}).templates
    data: Value = {"a": "{{ not.a.template }}", "b": "{% if %}"}
    assert dig(template.body, "data") == data


def test_json_may_be_a_template() -> None:
    source = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": {{ "a" | tojson }}}}'
    (template,) = loaded({"a.json.j2": source}).templates
    assert template.identity.name == "a"


def test_problems_of_rendered_objects_stand_in_the_template() -> None:
    source = "{% for n in [1, 2] %}\n---\n" + MAP % "{{ n }}" + "{% endfor %}\n"
    assert refused({"a.yaml.j2": source}) == [
        'a.yaml.j2:5:12: the ConfigMap has the name 1, which is not a text | write it in quotes: "1"',
        'a.yaml.j2:5:12: the ConfigMap has the name 2, which is not a text | write it in quotes: "2"',
    ]
