"""What templates may say, what is refused, and that none can do harm."""

from __future__ import annotations

import copy
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.values import Object
from renderer.expression.template import ExpressionError, parse

VALUES: Object = {"x": 5, "name": "web", "list": [1, 2], "map": {"items": "i", "b": None}, "text": "a\nb"}
FLEET: list[Object] = [
    {"metadata": {"name": f"c{number}", "labels": {"tier": "ab"[number % 2]}}, "spec": {"wave": number}}
    for number in range(3)
]
KNOWN = ("clusters", "values")


def rendered(source: str, clusters: list[Object] = FLEET, work: int = 5_000_000) -> str:
    """What a template gives."""
    return parse(source, KNOWN, work).text({"values": VALUES, "clusters": clusters})


def failure(source: str) -> ExpressionError:
    """Why a template gives nothing."""
    with pytest.raises(ExpressionError) as caught:
        rendered(source)
    return caught.value


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
            "{{ '2024-%03d' % 7 }} {{ '%s' | format('x') }} {{ '%(a)s%%' | format(a=1) }}",
            "2024-007 x 1%",
            id="formats",
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
        pytest.param("{{ 4 / 2 }} {{ 7 / 2 }} {{ 1e30 }}", "2 3.5 1e+30", id="numbers-as-json-has-them"),
        pytest.param("{{ 3.14159 | round(2) }} {{ 3.2 | round(0, 'ceil') }}", "3.14 4", id="rounded"),
        pytest.param("{{ values.map.get('c', 'd') }}{{ 'a' + 'b' ~ 1 }}", "dab1", id="joined"),
        pytest.param("{{ 'x' if nope is defined else 'y' }}", "y", id="is-defined"),
        pytest.param("{{ '%s-%s' % (1, 'a') }}{% set a, b = 1, 2 %}{{ a + b }}", "1-a3", id="tuples"),
        pytest.param("{{ {'a': [1]} == {'a': [1]} }} {{ 1 in [1] }}", "true true", id="comparison"),
        pytest.param(
            "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}x{% endcall %}",
            "<x>",
            id="call-block",
        ),
        pytest.param("{% for i in range(9) if i is even %}{{ i }}{% endfor %}", "02468", id="filtered-loop"),
        pytest.param("a{# remark #}b\n\n", "ab\n\n", id="remarks-go-line-ends-stay"),
    ],
)
def test_what_a_template_gives(source: str, text: str) -> None:
    assert rendered(source) == text


@pytest.mark.parametrize(
    ("source", "line", "reason", "hint"),
    [
        pytest.param("\n{{ nope }}", 2, 'there is no "nope"', "there is: clusters, values", id="a-name"),
        pytest.param("{{ clustrs }}", 1, 'there is no "clustrs"', 'did you mean "clusters"?', id="a-slip"),
        pytest.param("{{ values.map.c }}", 1, 'there is no "c"', "there is: b, items", id="a-key"),
        pytest.param("{{ values['a\nb'] }}", 1, 'there is no "a\\nb"', "there is: list, ", id="a-line-end"),
        pytest.param("{{ {}.x }}", 1, 'there is no "x"', "", id="a-key-of-nothing"),
        pytest.param("{{ values.x.y }}", 1, 'a number has no "y"', "", id="an-attribute-of-a-number"),
        pytest.param("{{ values.map.b }}", 1, "null cannot be written as text", "", id="null"),
        pytest.param("{{ values.list }}", 1, "a list cannot be written as text", "", id="a-list"),
        pytest.param("{{ 'a' + 1 }}", 1, 'can only concatenate str (not "int") to str', "", id="types"),
        pytest.param("{{ 1e308 * 10 }}", 1, "the number is out of range", "", id="infinity"),
        pytest.param("{{ 1 +", 1, "unexpected 'end of template'", "", id="syntax"),
        pytest.param("{{ '%d%' % 1 }}", 1, "a format is too wide, or none", "", id="no-format"),
    ],
)
def test_why_a_template_gives_nothing(source: str, line: int, reason: str, hint: str) -> None:
    error = failure(source)
    assert (error.line, error.reason) == (line, reason)
    assert error.hint.startswith(hint)
    assert error.absent is reason.startswith("there is no ")


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
    pytest.param(
        "{% for i in range(99999) %}" + "{% if values.x %}{% endif %}" * 999 + "{% endfor %}",
        id="a-long-loop",
    ),
    pytest.param(
        "{% macro m() %}" + "{% if values.x %}{% endif %}" * 999 + "{% endmacro %}"
        "{% for i in range(99999) %}{% if m() %}{% endif %}{% endfor %}",
        id="a-long-macro",
    ),
    pytest.param(
        "{% set t = (1,) * 99999 %}{% for i in range(99999) %}{% if values[t] %}{% endif %}{% endfor %}",
        id="a-long-key",
    ),
    pytest.param(
        "{% set n = namespace(t=1) %}{% for i in range(60) %}"
        "{% set n.t = ({n.t: n.t} | dictsort)[0] %}{% endfor %}",
        id="a-tree-of-keys",
    ),
    pytest.param(
        "{% set t = 'x' * 999999 %}{% for i in range(99999) %}{% if t.find('y') %}{% endif %}{% endfor %}",
        id="a-long-search",
    ),
    pytest.param("{{ 'x' * -10**9 }}{{ 'x' * 10**8 }}", id="a-text-that-pays-back"),
    pytest.param("{% for i in range(99999) if clusters[0].metadata.labels.tier == 'a' or "
        + " or ".join(["values.x == 6"] * 999) + " %}{% endfor %}", id="a-long-condition"),
    pytest.param("{{ [[1] * 99999] * 99999 | sum(start=[]) }}", id="a-sum-of-lists"),
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
    pytest.param("{{ '%(a)9999d' % {'a': 1} }}", id="a-wide-named-format"),
    pytest.param("{{ ('%(a)s' * 99999) % {'a': 'x' * 999999} }}", id="a-format-that-repeats"),
    pytest.param("{{ '{0.__class__}'.format(1) }}", id="brace-formats"),
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
]  # fmt: skip


@pytest.mark.parametrize("source", HOSTILE)
def test_a_hostile_template_is_refused_soon(source: str) -> None:
    started = time.process_time()
    assert failure(source).reason
    assert time.process_time() - started < 20


def test_the_values_are_never_changed() -> None:
    before = copy.deepcopy(VALUES)
    rendered("{% set values = 1 %}{% set c = clusters %}{{ values }}{{ c | length }}")
    assert before == VALUES


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
    assert rendered(source, fleet).count("\n---\n") == 5_000


@given(st.text("{}%#- \nabc.()[]|'1+~=", max_size=40))
def test_any_text_gives_a_result_or_a_problem(source: str) -> None:
    with suppress(ExpressionError):
        rendered(source)


def test_a_smaller_budget_is_used_up_sooner() -> None:
    source = "{% for i in range(9999) %}{{ i }}{% endfor %}"
    assert rendered(source)
    with pytest.raises(ExpressionError, match="too much time"):
        rendered(source, work=50_000)


def test_each_rendering_has_a_budget_of_its_own() -> None:
    template = parse("{% for i in range(999) %}{{ i }}{% endfor %}", KNOWN, 20_000)
    assert len({template.text({}) for _ in range(9)}) == 1


def test_jinja2_is_imported_when_it_is_needed() -> None:
    code = "import sys, renderer.pipeline, renderer.load.workspace; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
