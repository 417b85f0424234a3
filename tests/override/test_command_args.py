"""commandOverrider and argsOverrider."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.model.override_result import Note, Remark
from renderer.override.command_args import bad_verb
from tests.override.build import applied, only_step, overridden, policy, workload

ARGS = "/spec/template/spec/containers/0/args"


def entry(operator: str, *words: str, name: str = "app", field: str = "args") -> Object:
    """Overriders with one entry for args or command."""
    return {f"{field}Overrider": [{"containerName": name, "operator": operator, "value": list(words)}]}


def container(args: Value = None, name: str = "app") -> dict[str, Value]:
    """A container, with args unless they are None."""
    made: dict[str, Value] = {"name": name, "image": "a:1"}
    return made if args is None else {**made, "args": args}


@pytest.mark.parametrize(
    ("args", "operator", "words", "after"),
    [
        pytest.param(["--a"], "add", ["--b"], ["--a", "--b"], id="add-appends"),
        pytest.param(["--a"], "add", ["--a"], ["--a", "--a"], id="add-does-not-look"),
        pytest.param(["a", "b", "a"], "remove", ["a"], ["b"], id="remove-takes-all-occurrences"),
        pytest.param(["--a=b"], "remove", ["--a"], ["--a=b"], id="remove-wants-the-whole-word"),
        pytest.param(["a"], "remove", ["a"], [], id="remove-leaves-an-empty-list"),
        pytest.param([], "add", ["a"], ["a"], id="add-to-an-empty-list"),
        pytest.param(None, "add", ["a", "b"], ["a", "b"], id="add-where-there-is-none"),
        pytest.param(None, "remove", ["a"], [], id="remove-where-there-is-none-writes-an-empty-list"),
    ],
)
def test_args(args: Value, operator: str, words: list[str], after: list[str]) -> None:
    step = only_step(applied(workload(container(args)), entry(operator, *words)))
    assert (step.path, step.after) == (ARGS, after)


@pytest.mark.parametrize(
    ("operator", "words", "absent"),
    [
        pytest.param("remove", ["--a"], ("--a",), id="a-part-of-a-word"),
        pytest.param("remove", ["--a=b", "--c"], ("--c",), id="one-of-two"),
        pytest.param("remove", ["--a=b"], (), id="the-whole-word"),
        pytest.param("add", ["--a"], (), id="add-looks-for-nothing"),
    ],
)
def test_words_that_are_not_there_are_told(operator: str, words: list[str], absent: tuple[str, ...]) -> None:
    step = only_step(applied(workload(container(["--a=b"])), entry(operator, *words)))
    assert step.remarks == ((Remark(Note.WORD_ABSENT, absent),) if absent else ())


def test_command_is_another_field() -> None:
    step = only_step(applied(workload(container(["x"])), entry("add", "sh", field="command")))
    assert (step.path, step.overrider, step.after) == (
        "/spec/template/spec/containers/0/command",
        "commandOverrider",
        ["sh"],
    )


def test_null_counts_as_absent() -> None:
    body = workload({"name": "app", "image": "a:1", "args": None})
    assert only_step(applied(body, entry("add", "x"))).after == ["x"]


def test_every_container_of_the_name_is_changed() -> None:
    result = applied(workload(container(), container(name="side"), container()), entry("add", "x"))
    assert [step.path for step in result.steps] == [ARGS, ARGS.replace("0", "2")]


@pytest.mark.parametrize(
    ("body", "remark"),
    [
        pytest.param(
            workload(container(name="side")), Remark(Note.NO_CONTAINER, ("side",)), id="no-such-name"
        ),
        pytest.param(
            {**workload(), "kind": "CronJob"}, Remark(Note.NO_TARGET, ("CronJob",)), id="other-kind"
        ),
        pytest.param({**workload(), "spec": {}}, Remark(Note.NO_TARGET, ("Deployment",)), id="no-template"),
        pytest.param(
            {**workload(), "spec": None}, Remark(Note.NO_TARGET, ("Deployment",)), id="null-on-the-way"
        ),
    ],
)
def test_nothing_to_do_is_no_error(body: Object, remark: Remark) -> None:
    result = applied(body, entry("add", "x"))
    assert result.body == body
    assert only_step(result).remarks == (remark,)


@pytest.mark.parametrize(
    ("spec", "deepest", "reason"),
    [
        pytest.param(
            {"template": {"spec": {"containers": "x"}}}, "/spec/template/spec/containers", "text", id="text"
        ),
        pytest.param(
            {"template": {"spec": {"containers": None}}}, "/spec/template/spec/containers", "null", id="null"
        ),
        pytest.param({"template": "x"}, "/spec/template", "text, not a map", id="no-map-on-the-way"),
        pytest.param(
            {"template": {"spec": {"containers": ["x"]}}},
            "/spec/template/spec/containers/0",
            "the container is text",
            id="container-is-text",
        ),
        pytest.param(
            {"template": {"spec": {"containers": [{"name": "app", "args": "x"}]}}},
            ARGS,
            "it is text, not a list",
            id="args-are-text",
        ),
    ],
)
def test_other_shapes_are_errors(spec: Value, deepest: str, reason: str) -> None:
    failure = applied({**workload(), "spec": spec}, entry("add", "x")).failure
    assert failure is not None
    assert failure.deepest == deepest
    assert reason in failure.problem.what


@pytest.mark.parametrize(
    ("value", "reread", "expected"),
    [
        pytest.param(8080, False, "%!s(int64=8080)", id="integer"),
        pytest.param(True, False, "%!s(bool=true)", id="boolean"),
        pytest.param(1.5, False, "%!s(float64=1.5)", id="float"),
        pytest.param(None, False, "%!s(<nil>)", id="null"),
        pytest.param(1.0, False, "%!s(float64=1)", id="integral-float"),
        pytest.param(1.0, True, "%!s(int64=1)", id="integral-float-after-a-patch"),
        pytest.param(1e20, True, "%!s(float64=1e+20)", id="too-large-for-an-integer"),
        pytest.param(2**63, False, "%!s(float64=9.223372036854776e+18)", id="integer-beyond-int64"),
        pytest.param(1e6, False, "%!s(float64=1e+06)", id="exponent"),
        pytest.param(["x", 1, None], False, "[x %!s(int64=1) <nil>]", id="list"),
        pytest.param({"b": None, "a": ["x"]}, False, "map[a:[x] b:<nil>]", id="map"),
    ],
)
def test_what_is_no_text_becomes_the_words_for_a_bad_verb(value: Value, reread: bool, expected: str) -> None:
    assert bad_verb(value, reread=reread) == expected


def test_odd_words_are_noted() -> None:
    step = only_step(applied(workload(container(["a", 1.0])), entry("add", "b")))
    assert step.after == ["a", "%!s(float64=1)", "b"]
    assert step.remarks == (Remark(Note.NOT_TEXT, ("%!s(float64=1)",)),)


def test_numbers_are_read_anew_by_every_rule_before() -> None:
    body = workload(container(["a", 1.0]))
    result = overridden(body, policy("a", {"plaintext": []}), policy("b", entry("add", "b")))
    assert only_step(result).after == ["a", "%!s(int64=1)", "b"]
