"""Tests of *.j2 files: what they give, where their errors are, and that no template can do harm."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("source", "text"),
    [
        pytest.param("a: {{ values.x }}\n", "a: 5\n", id="a-value"),
        pytest.param("{{ values.map.items }}", "i", id="a-key-comes-before-a-method"),
        pytest.param("{{ values['name'].upper() }}", "WEB", id="a-method-of-text"),
        pytest.param("{{ true }} {{ 1 == 2 }}", "true false", id="booleans-as-yaml-has-them"),
        pytest.param("{{ values.list | tojson }}", "[1, 2]", id="lists-as-json"),
        pytest.param("{{ values.map | tojson }}", '{"items": "i", "b": null}', id="maps-keep-their-order"),
        pytest.param("{{ '<&>' | tojson }}", '"<&>"', id="nothing-is-escaped-for-html"),
        pytest.param("{{ 'é' | tojson }}", '"é"', id="json-keeps-letters"),
        pytest.param("{{ nope | default('d') }}", "d", id="default"),
        pytest.param("{{ values.text | indent(2) }}", "a\n  b", id="indent"),
        pytest.param("{{ values.text | indent(2, first=true) }}", "  a\n  b", id="indent-the-first-line-too"),
        pytest.param(
            "{{ '%03d' % 7 }} {{ '%s' | format('x') }} {{ '{}'.format(1) }}", "007 x 1", id="formats"
        ),
        pytest.param(
            "{{ 'a-b'.replace('-', '+') }} {{ 'aa' | replace('a', 'b', 1) }}", "a+b ba", id="replace"
        ),
        pytest.param("{{ clusters | join(',', 'spec.wave') }}", "0,1,2", id="join-by-a-path"),
        pytest.param("{{ ','.join(['a', 'b']) }} {{ [1, 2] | join('-') }}", "a,b 1-2", id="join"),
        pytest.param(
            "{{ clusters | map(attribute='metadata.name') | join(' ') }}", "c0 c1 c2", id="clusters"
        ),
        pytest.param(
            "{{ clusters | selectattr('metadata.labels.tier', 'eq', 'a') | sum('spec.wave') }}",
            "2",
            id="select-and-sum",
        ),
        pytest.param(
            "{% for tier, members in clusters | groupby('metadata.labels.tier') %}"
            "{{ tier }}{{ members | length }}{% endfor %}",
            "a2b1",
            id="group",
        ),
        pytest.param(
            "{% for c in 'abc' %}{{ loop.index }}{{ ',' if not loop.last }}{% endfor %}", "1,2,3", id="loop"
        ),
        pytest.param(
            "{% macro m(obj, context=1) %}{{ obj }}{% endmacro %}{{ m(obj=3, context=4) }}", "3", id="macro"
        ),
        pytest.param("{% set ns = namespace(n=0) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}", "1", id="namespace"),
        pytest.param("{% filter upper %}abc{% endfilter %}", "ABC", id="filter-block"),
        pytest.param("{% set x %}a{{ 1 }}{% endset %}{{ x }}", "a1", id="set-block"),
        pytest.param("{% raw %}{{ x }}{% endraw %}", "{{ x }}", id="raw"),
        pytest.param("{{ [1, 2, 3][1:] | tojson }} {{ 'abc'[0] }}", "[2, 3] a", id="slices"),
        pytest.param("{{ 7 // 2 }} {{ 2 ** 3 }} {{ 1.5 | round | int }}", "3 8 2", id="arithmetic"),
        pytest.param("\ufeffa\r\nb\n", "a\nb\n", id="bom-and-windows-line-ends"),
        pytest.param("a\n\n", "a\n\n", id="line-ends-stay"),
    ],
)
def test_what_a_template_gives(source: str, text: str) -> None:
    assert rendered(source).text == text


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
            "a.yaml.j2:1:1: a.yaml.j2 cannot be rendered: a text cannot be added up",
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
            "a.yaml.j2:1:1: a.yaml.j2 is no Jinja2 template: No filter named 'centre'.",
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


def grown(first: str, step: str) -> str:
    """A template in which x is made of itself, sixty times over."""
    step = step.replace("x", "n.x")
    loop = f"{{% for i in range(60) %}}{{% set n.x = {step} %}}{{% endfor %}}"
    return f"{{% set n = namespace(x={first}) %}}{loop}"


HOSTILE = [
    pytest.param("{{ 'x' * 10**9 }}", id="a-long-text"),
    pytest.param("{{ 10**9 * 'x' }}", id="a-long-text-the-other-way"),
    pytest.param("{{ [1] * 10**9 }}", id="a-long-list"),
    pytest.param("{{ 9**9**9**9**9 }}", id="a-power"),
    pytest.param(grown("9", "x * x"), id="squares"),
    pytest.param("{% for i in range(9**5) %}{% for j in range(9**5) %}{% endfor %}{% endfor %}", id="loops"),
    pytest.param("{{ range(10**30) }}", id="a-range"),
    pytest.param(grown("'ab'", "x ~ x"), id="concatenation"),
    pytest.param(grown("'ab'", "x + x"), id="addition"),
    pytest.param(
        "{% set n = namespace(x='ab') %}{% for i in range(60) %}"
        "{% set y %}{{ n.x }}{{ n.x }}{% endset %}{% set n.x = y %}{% endfor %}",
        id="set-blocks",
    ),
    pytest.param(grown("[1]", "[x, x]"), id="a-tree-of-aliases"),
    pytest.param(grown("{}", "{'a': x, 'b': x}"), id="a-tree-of-maps"),
    pytest.param(grown("1", "dict(a=x, b=x)"), id="a-tree-by-calls"),
    pytest.param(grown("1", "(x, x)"), id="a-tree-of-tuples"),
    pytest.param(grown("[1]", "{'a': x, 'b': x} | dictsort"), id="a-tree-by-filters"),
    pytest.param("{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}", id="recursion"),
    pytest.param("{% macro f(n) %}{{ f(n-1) ~ f(n-1) if n }}{% endmacro %}{{ f(60) }}", id="a-tree-of-calls"),
    pytest.param(
        "{% macro m() %}{% for i in range(90000) %}%s{% endfor %}{% endmacro %}{% set y = m() %}"
        .replace("%s", "x" * 1000),
        id="long-plain-text",
    ),
    pytest.param("{% for i in range(99) %}{{ 'x' * 4000000 }}{% endfor %}", id="a-large-result"),
    pytest.param("{{ '%999999999d' % 1 }}", id="a-wide-format"),
    pytest.param("{{ '%*d' % (999999999, 1) }}", id="a-computed-width"),
    pytest.param("{{ '{:>999999999}'.format(1) }}", id="a-wide-brace-format"),
    pytest.param("{{ '{:{}}'.format(1, 999999999) }}", id="a-computed-brace-width"),
    pytest.param("{{ '{0.__class__}'.format(1) }}", id="a-format-that-looks-inside"),
    pytest.param("{{ '%s' % (values.list,) }}", id="a-format-of-a-list"),
    pytest.param("{{ 'a'.ljust(10**9) }}", id="a-padded-text"),
    pytest.param("{{ ('a' * 9999).replace('a', 'b' * 9999) }}", id="a-large-replacement"),
    pytest.param("{{ range(9999) | map('string') | join('x' * 99999) }}", id="a-large-join"),
    pytest.param("{{ 'a' | indent(10**9) }}", id="a-wide-indent"),
    pytest.param("{{ [1] | tojson(indent=10**9) }}", id="a-wide-json"),
    pytest.param("{{ 1.5 | round(10**9) }}", id="many-places"),
    pytest.param("{{ ''.__class__.__mro__ }}", id="a-class"),
    pytest.param("{{ values.__class__ }}", id="a-class-of-a-map"),
    pytest.param("{{ values.pop('x') }}", id="a-change"),
    pytest.param("{{ dict.update(values, {}) }}", id="a-change-through-the-class"),
    pytest.param("{{ namespace.__init__.__globals__ }}", id="globals"),
    pytest.param("{{ m.__call__ }}{% macro m() %}{% endmacro %}", id="a-macros-insides"),
    pytest.param("{{ values | attr('__class__') }}", id="attr"),
    pytest.param("{{ lipsum() }}", id="chance"),
    pytest.param("{{ [1, 2] | random }}", id="random"),
    pytest.param("{{ ['a', 'b'] | map('krender.made') }}", id="a-step-of-the-meter"),
    pytest.param("{{ 1 is in(2) }}", id="in-nothing"),
    pytest.param("{{ " + "(" * 400 + ")" * 400 + " }}", id="brackets"),
    pytest.param("{{ " + "-" * 9000 + "1 }}", id="signs"),
    pytest.param("{{ " + "+".join(["1"] * 9000) + " }}", id="a-long-sum"),
    pytest.param("{% if 1 %}" * 400 + "{% endif %}" * 400, id="blocks"),
    pytest.param("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", id="a-recursive-loop"),
    pytest.param("{% block b %}{{ self.b() }}{% endblock %}", id="a-block"),
    pytest.param("{% autoescape true %}{% endautoescape %}", id="autoescape"),
    pytest.param("{{ values.list.append(1) }}", id="append"),
    pytest.param("x" * 2_000_000, id="a-large-source"),
    pytest.param("\udc80", id="not-utf8"),
]  # fmt: skip


@pytest.mark.parametrize("source", HOSTILE)
def test_a_hostile_template_is_refused_soon(source: str) -> None:
    started = time.process_time()
    with pytest.raises(InputError) as caught:
        parse_template(SourceFile(path="a.j2", data=source.encode("utf-8", "surrogateescape"))).render(
            VALUES, FLEET
        )
    assert len(lines(caught.value.problems)) == 1
    assert time.process_time() - started < 20


def test_the_values_are_never_changed() -> None:
    before = repr(VALUES)
    rendered("{% set values = 1 %}{% set c = clusters %}{{ values }}")
    assert repr(VALUES) == before


def test_a_fleet_is_no_hostile_amount() -> None:
    source = (
        "{% for c in clusters %}{% if c.metadata.labels.tier == 'a' %}\n---\n"
        "name: {{ c.metadata.name }}-{{ values.x }}\nwave: {{ c.spec.wave }}\n{% endif %}{% endfor %}\n"
        "{{ clusters | map(attribute='metadata.name') | sort | length }}"
    )
    fleet: list[Object] = [
        {"metadata": {"name": f"c{n}", "labels": {"tier": "ab"[n % 2]}}, "spec": {"wave": n}}
        for n in range(10_000)
    ]
    assert rendered(source, fleet).text.count("\n---\n") == 5_000


@given(st.text("{}%#- \nabc.()[]|'1+~=", max_size=40))
def test_any_text_gives_a_result_or_a_problem(source: str) -> None:
    try:
        rendered(source)
    except InputError as error:
        lines(error.problems)


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
