"""Rules without effect, and effects that a later rule undoes."""

from __future__ import annotations

import pytest

from renderer.document.values import Object, Value
from renderer.override.effects import Fate, never_applied, undone, without_effect
from renderer.override.order import RuleIndex
from tests.override.build import config, overridden, policy, workload


def patch(*operations: tuple[str, str, Value]) -> Object:
    """A plaintext of these operations."""
    entries: Value = [
        {"operator": operator, "path": path, "value": value} for operator, path, value in operations
    ]
    return {"plaintext": entries}


def labels(operator: str, **value: str) -> Object:
    """An overrider of labels."""
    return {"labelsOverrider": [{"operator": operator, "value": dict(value)}]}


def image(component: str, value: str) -> Object:
    """An overrider of images."""
    return {"imageOverrider": [{"component": component, "operator": "replace", "value": value}]}


def args(operator: str, *words: str) -> Object:
    """An overrider of args."""
    return {"argsOverrider": [{"containerName": "app", "operator": operator, "value": list(words)}]}


def text(operator: str, sub_path: str, value: Value) -> Object:
    """An overrider of the JSON text in a ConfigMap."""
    operation: Value = {"operator": operator, "subPath": sub_path, "value": value}
    return {"fieldOverrider": [{"fieldPath": "/data/c.json", "json": [operation]}]}


@pytest.mark.parametrize(
    ("body", "first", "second", "fates"),
    [
        pytest.param(
            workload(),
            patch(("replace", "/spec/replicas", 5)),
            patch(("replace", "/spec/replicas", 7)),
            [Fate.OVERWRITTEN],
            id="same-field",
        ),
        pytest.param(
            workload(),
            patch(("replace", "/spec/replicas", 5)),
            patch(("replace", "/spec/replicas", 3)),
            [Fate.RESTORED],
            id="back-to-what-it-was",
        ),
        pytest.param(
            workload(),
            patch(("replace", "/spec/replicas", 5)),
            patch(("replace", "/spec/replicas", 5)),
            [],
            id="the-same-again",
        ),
        pytest.param(
            workload(), labels("add", a="1"), labels("remove", a=""), [Fate.RESTORED], id="added-and-removed"
        ),
        pytest.param(workload(), labels("add", a="1"), labels("add", b="2"), [], id="other-keys"),
        pytest.param(
            workload(labels={"a": "1"}),
            labels("add", b="2"),
            patch(("replace", "/metadata/labels", {"a": "1"})),
            [Fate.RESTORED],
            id="replaced-with-the-map-around-it",
        ),
        pytest.param(
            workload(labels={"a": "1"}),
            labels("add", b="2"),
            patch(("replace", "/metadata/labels", {"b": "2"})),
            [],
            id="kept-in-the-map-around-it",
        ),
        pytest.param(workload(), image("Registry", "m.io"), image("Tag", "2"), [], id="parts-of-an-image"),
        pytest.param(
            workload(),
            image("Tag", "2"),
            image("Tag", "3"),
            [Fate.OVERWRITTEN],
            id="the-same-part-of-an-image",
        ),
        pytest.param(
            workload(),
            image("Tag", "2"),
            patch(("replace", "/spec/template/spec/containers/0/image", "x")),
            [Fate.OVERWRITTEN],
            id="image-overwritten-whole",
        ),
        pytest.param(workload(), args("add", "a"), args("add", "b"), [], id="words-side-by-side"),
        pytest.param(
            workload(), args("add", "a"), args("remove", "a"), [Fate.OVERWRITTEN], id="word-taken-away"
        ),
        pytest.param(
            workload({"name": "app", "image": "a", "args": ["x"]}),
            args("remove", "x"),
            args("add", "x"),
            [Fate.RESTORED],
            id="word-put-back",
        ),
        pytest.param(
            config(c_json='{"a":1}'),
            text("replace", "/a", 2),
            text("replace", "/a", 3),
            [Fate.OVERWRITTEN],
            id="in-text",
        ),
        pytest.param(
            config(c_json='{"a":1}'), text("replace", "/a", 2), text("add", "/b", 3), [], id="beside-it"
        ),
        pytest.param(
            config(c_json='{"a":1}'),
            text("add", "/b", 2),
            patch(("replace", "/data/c.json", "{}")),
            [Fate.OVERWRITTEN],
            id="text-replaced",
        ),
        pytest.param(
            {"kind": "X", "metadata": {"namespace": "shop"}, "list": [1]},
            patch(("add", "/list/0", 2)),
            patch(("add", "/list/0", 3)),
            [],
            id="inserted-before-it",
        ),
        pytest.param(
            workload(),
            patch(("replace", "/spec/replicas", 3)),
            patch(("replace", "/spec/replicas", 4)),
            [],
            id="no-op",
        ),
    ],
)
def test_undone(body: Object, first: Object, second: Object, fates: list[Fate]) -> None:
    result = overridden(body, policy("a", first), policy("b", second))
    found = undone(result.steps)
    assert [item.fate for item in found] == fates
    assert all((item.step.rule.name, item.by.rule.name) == ("a", "b") for item in found)


def test_a_rule_may_correct_itself() -> None:
    twice = patch(("replace", "/spec/replicas", 5), ("replace", "/spec/replicas", 6))
    assert undone(overridden(workload(), policy("a", twice)).steps) == ()


def test_each_effect_is_undone_once() -> None:
    result = overridden(
        workload(),
        *(policy(name, patch(("replace", "/spec/replicas", int(name)))) for name in ("5", "6", "7")),
    )
    assert [(item.step.rule.name, item.by.rule.name) for item in undone(result.steps)] == [
        ("5", "6"),
        ("6", "7"),
    ]


def test_without_effect() -> None:
    result = overridden(
        workload(),
        policy("a", patch(("replace", "/spec/replicas", 3))),
        policy("b", patch(("replace", "/spec/replicas", 4))),
        policy("c", {}),
    )
    assert [rule.name for rule in without_effect(result)] == ["a", "c"]


def test_never_applied() -> None:
    policies = [
        policy("a", labels("add", a="1")),
        policy("b", labels("add", b="1"), target={"clusterNames": ["nowhere"]}),
        policy("c", patch(("remove", "/spec/nope", None))),
        policy("d", labels("add", d="1")),
    ]
    result = overridden(workload(), *policies)
    assert [rule.name for rule in never_applied(RuleIndex(policies).rules, [result])] == ["b", "d"]
