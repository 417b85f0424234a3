"""fieldOverrider: JSON and YAML text in a field."""

from __future__ import annotations

import pytest

from renderer.document.patch import ABSENT
from renderer.document.values import Object, Value, dig
from renderer.model.override_result import Note, Remark
from tests.override.build import applied, config, only_step


def entry(form: str, *operations: tuple[str, str, Value], path: str | None = None) -> Object:
    """Overriders with one entry: operator, sub-path and value of each operation."""
    patch: Value = [
        {"operator": operator, "subPath": sub_path, **({} if operator == "remove" else {"value": value})}
        for operator, sub_path, value in operations
    ]
    return {"fieldOverrider": [{"fieldPath": path or f"/data/c.{form}", form: patch}]}


@pytest.mark.parametrize(
    ("text", "operations", "expected"),
    [
        pytest.param(
            "# c\nb: 1\na: yes\n", [("replace", "/b", 2)], "a: true\nb: 2\n", id="rewritten-and-sorted"
        ),
        pytest.param(
            "a: 0o17\n", [("add", "/b", "yes")], 'a: 15\nb: "yes"\n', id="values-are-quoted-as-needed"
        ),
        pytest.param("- 1\n", [("add", "/-", 2)], "- 1\n- 2\n", id="a-list"),
        pytest.param("a: 1\n---\nb: 1\n", [("add", "/c", 2)], "a: 1\nc: 2\n", id="only-the-first-document"),
        pytest.param(
            "a: 1\n", [("add", "/b", [1e6])], "a: 1\nb:\n- 1000000\n", id="numbers-as-json-spells-them"
        ),
        pytest.param("a: 1\n", [("replace", "", {"b": 1})], "b: 1\n", id="replaced-whole"),
    ],
)
def test_yaml(text: str, operations: list[tuple[str, str, Value]], expected: str) -> None:
    assert dig(applied(config(c_yaml=text), entry("yaml", *operations)).body, "data", "c.yaml") == expected


def test_json_keeps_what_it_does_not_touch() -> None:
    text = '{"b": 1.0, "a": "<"}'
    result = applied(config(c_json=text), entry("json", ("add", "/c", 2)))
    assert dig(result.body, "data", "c.json") == r'{"b":1.0,"a":"\u003c","c":2}'


def test_an_empty_json_text_is_left_alone() -> None:
    result = applied(config(c_json=""), entry("json", ("add", "/c", 2)))
    assert dig(result.body, "data", "c.json") == ""


def test_without_operations_the_text_is_emptied() -> None:
    result = applied(config(c_json="{}"), {"fieldOverrider": [{"fieldPath": "/data/c.json"}]})
    step = only_step(result)
    assert (step.before, step.after) == ("{}", "")


def test_yaml_goes_before_json() -> None:
    operation: Value = {"operator": "add", "subPath": "/a", "value": 1}
    other: Value = {"operator": "add", "subPath": "/a", "value": 2}
    both: Value = {"fieldPath": "/data/c.yaml", "yaml": [operation], "json": [other]}
    result = applied(config(c_yaml="{}"), {"fieldOverrider": [both]})
    assert dig(result.body, "data", "c.yaml") == "a: 1\n"


def test_steps_are_about_the_values_in_the_text() -> None:
    result = applied(
        config(c_json='{"a":{"x":1,"y":2}}'),
        entry("json", ("replace", "/a", {"x": 1}), ("add", "/b", 2), ("remove", "/b", None)),
    )
    assert [(step.path, step.sub_path, step.before, step.after) for step in result.steps] == [
        ("/data/c.json", "/a", {"x": 1, "y": 2}, {"x": 1}),
        ("/data/c.json", "/b", ABSENT, 2),
        ("/data/c.json", "/b", 2, ABSENT),
    ]
    assert result.steps[0].remarks == (Remark(Note.KEYS_LOST, ("y",)),)


@pytest.mark.parametrize(
    ("form", "text", "told"),
    [
        pytest.param("json", '{"a":1}', False, id="compact-json"),
        pytest.param("json", '{"a": 1}', True, id="spaced-json"),
        pytest.param("yaml", "a: 1\n", False, id="plain-yaml"),
        pytest.param("yaml", "a: 1 # why\n", True, id="yaml-with-a-comment"),
        pytest.param("yaml", "b: 1\na: 2\n", True, id="yaml-in-another-order"),
        pytest.param("yaml", 'a: "\\x7f"\n', True, id="yaml-that-cannot-be-written-as-it-is"),
    ],
)
def test_a_change_of_layout_is_told(form: str, text: str, told: bool) -> None:
    body = config(**{f"c_{form}": text})
    step = only_step(applied(body, entry(form, ("replace", "/a", 5))))
    assert step.has(Note.REFORMATTED) is told


def test_a_change_of_a_copy_is_told() -> None:
    step = only_step(applied(config(c_json="{}"), entry("json", ("add", "//a", 5))))
    assert (step.changed, step.remarks) == (False, (Remark(Note.NO_EFFECT),))


@pytest.mark.parametrize(
    ("overriders", "deepest", "missing", "reason", "fix"),
    [
        pytest.param(
            entry("json", ("add", "/a", 1), path="/data/nope"),
            "/data",
            "nope",
            'there is no "nope"',
            'correct the path, or write "/data/nope" into the template: there is nothing to change',
            id="no-such-field",
        ),
        pytest.param(
            entry("json", ("add", "/a", 1), path="/data"),
            "/data",
            "",
            "there is a map, not text",
            "use plaintext",
            id="no-text",
        ),
        pytest.param(
            entry("json", ("add", "/a", 1), path="data"), "", "data", "does not start", "", id="no-slash"
        ),
        pytest.param(
            entry("json", ("add", "/a/b", 1)),
            "",
            "a",
            'there is no "a"',
            'first add "/a" with value {}',
            id="parent",
        ),
        pytest.param(
            entry("yaml", ("replace", "/rep", 1)),
            "",
            "rep",
            'there is no "rep"',
            'write "/reps"',
            id="misspelt",
        ),
    ],
)
def test_failures(overriders: Object, deepest: str, missing: str, reason: str, fix: str) -> None:
    failure = applied(config(c_json="{}", c_yaml="reps: 1\n"), overriders).failure
    assert failure is not None
    assert (failure.deepest, failure.missing) == (deepest, missing)
    assert reason in failure.problem.what
    assert fix in failure.problem.fix


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        pytest.param(
            "json", "{", "cannot be patched as JSON: it is not JSON: it ends too early", id="bad-json"
        ),
        pytest.param("json", "5", "cannot be patched as JSON: it is a number", id="json-scalar"),
        pytest.param("json", "null", 'null has no "a"', id="json-null"),
        pytest.param("yaml", "[1", "cannot be patched as YAML", id="bad-yaml"),
        pytest.param("yaml", "5", "cannot be patched as YAML: it is a number", id="yaml-scalar"),
        pytest.param("yaml", "", 'null has no "a"', id="empty-yaml"),
    ],
)
def test_texts_that_cannot_be_patched(form: str, text: str, reason: str) -> None:
    result = applied(config(**{f"c_{form}": text}), entry(form, ("add", "/a", 1)))
    assert result.problem is not None
    assert reason in result.problem.what
