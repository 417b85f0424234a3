"""The origin of a value is found again however the overrides moved it about."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.patch import ABSENT, PatchError, apply_patch
from renderer.document.pointer import look_up
from renderer.document.values import Object, Value
from renderer.model.cluster import Cluster
from renderer.model.override_result import Overridden, Step, same
from renderer.model.overrides import PatchOperation
from renderer.override.apply import override
from renderer.override.order import RuleIndex
from renderer.view.explain.history import history, leaves, undone, value_at
from tests.override.build import policy, workload

HERE = Cluster(name="here")


def patched(body: Object, operations: list[Object]) -> Overridden:
    """The body after a policy of plaintext operations."""
    one = policy(overriders={"plaintext": operations})
    return override(RuleIndex([one]), body, HERE)


def told(body: Object, pointer: str, *operations: Object) -> list[tuple[str, Value | str, Value | str]]:
    """Path, before and after of every event in the history of a pointer; ABSENT as text."""
    result = patched(body, list(operations))
    found = history(result.body, result.steps, pointer)
    return [(event.step.path, shown(event.before), shown(event.after)) for event in found.events]


def shown(value: object) -> Value | str:
    return "absent" if value is ABSENT else value  # type: ignore[return-value]


def operation(operator: str, path: str, value: Value = None) -> Object:
    return {"operator": operator, "path": path, **({} if operator == "remove" else {"value": value})}


APP = workload({"name": "app", "image": "a:1"}, {"name": "log", "image": "l:1"})
CONTAINERS = "/spec/template/spec/containers"


@pytest.mark.parametrize(
    ("pointer", "operations", "expected"),
    [
        pytest.param("/spec/replicas", [], [], id="untouched"),
        pytest.param(
            "/spec/replicas",
            [operation("replace", "/spec/replicas", 5), operation("replace", "/spec/replicas", 6)],
            [("/spec/replicas", 3, 5), ("/spec/replicas", 5, 6)],
            id="oldest-first",
        ),
        pytest.param(
            "/spec/replicas", [operation("replace", "/spec/replicas", 3)], [], id="the-same-value-is-no-event"
        ),
        pytest.param(
            "/spec/replicas",
            [operation("replace", "/spec", {"replicas": 9})],
            [("/spec", 3, 9)],
            id="written-with-its-parent",
        ),
        pytest.param(
            "/spec/paused",
            [operation("add", "/spec/paused", True), operation("remove", "/spec/paused")],
            [("/spec/paused", "absent", True), ("/spec/paused", True, "absent")],
            id="added-and-removed",
        ),
        pytest.param(
            f"{CONTAINERS}/2/image",
            [operation("add", f"{CONTAINERS}/0", {"name": "first"})],
            [],
            id="moved-back-by-an-insertion",
        ),
        pytest.param(
            f"{CONTAINERS}/0/image",
            [operation("remove", f"{CONTAINERS}/0"), operation("replace", f"{CONTAINERS}/0/image", "l:2")],
            [(f"{CONTAINERS}/0/image", "l:1", "l:2")],
            id="moved-forward-by-a-removal",
        ),
        pytest.param(
            f"{CONTAINERS}/0/name",
            [
                operation("replace", f"{CONTAINERS}/0/name", "gone"),
                operation("add", f"{CONTAINERS}/0", {"name": "first"}),
            ],
            [(f"{CONTAINERS}/0", "absent", "first")],
            id="what-another-element-was-is-not-its-history",
        ),
        pytest.param(
            f"{CONTAINERS}/1",
            [operation("remove", f"{CONTAINERS}/1")],
            [(f"{CONTAINERS}/1", {"name": "log", "image": "l:1"}, "absent")],
            id="the-last-element-removed",
        ),
        pytest.param(
            CONTAINERS,
            [operation("remove", f"{CONTAINERS}/1")],
            [(f"{CONTAINERS}/1", {"name": "log", "image": "l:1"}, "absent")],
            id="a-change-inside",
        ),
        pytest.param(
            "/spec/replicas",
            [operation("replace", "", {**APP, "spec": {"replicas": 4}})],
            [("", 3, 4)],
            id="written-with-the-whole-object",
        ),
        pytest.param(
            "/spec/x", [operation("replace", "//spec/replicas", 1)], [], id="a-change-that-nobody-sees"
        ),
    ],
)
def test_events(pointer: str, operations: list[Object], expected: list[object]) -> None:
    assert told(APP, pointer, *operations) == expected


def test_the_origin_is_where_the_value_stood_before() -> None:
    result = patched(APP, [operation("add", f"{CONTAINERS}/0", {"name": "first"})])
    found = history(result.body, result.steps, f"{CONTAINERS}/2/image")
    assert (found.origin, found.start) == (f"{CONTAINERS}/1/image", "l:1")


def test_an_element_that_a_step_brought_has_no_origin() -> None:
    result = patched(APP, [operation("add", f"{CONTAINERS}/0", {"name": "first"})])
    assert history(result.body, result.steps, f"{CONTAINERS}/0/name").origin is None


def test_a_patched_text_is_told_by_what_was_done_in_it() -> None:
    body: Object = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c", "namespace": "shop"},
        "data": {"menu.yaml": "price: 1\n"},
    }
    patch: Value = [{"subPath": "/price", "operator": "replace", "value": 2}]
    one = policy(overriders={"fieldOverrider": [{"fieldPath": "/data/menu.yaml", "yaml": patch}]})
    result = override(RuleIndex([one]), body, HERE)
    found = history(result.body, result.steps, "/data/menu.yaml")
    assert found.text_was_patched
    assert [(e.inside, e.before, e.after) for e in found.events] == [(True, 1, 2)]
    assert history(result.body, result.steps, "/metadata/name").events == ()


# The law: every scalar of the template and of every operation is one of a kind, so that the scalar itself
# tells where it came from.


@st.composite
def trees(draw: st.DrawFn, depth: int = 2) -> Value:
    if depth == 0 or draw(st.booleans()):
        return "scalar"
    if draw(st.booleans()):
        return [draw(trees(depth - 1)) for _ in range(draw(st.integers(0, 3)))]
    return {key: draw(trees(depth - 1)) for key in draw(st.lists(st.sampled_from("abc~"), unique=True))}


def numbered(value: Value, numbers: count[int]) -> Value:
    """The tree with a number of its own for every scalar."""
    if isinstance(value, dict):
        return {key: numbered(item, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [numbered(item, numbers) for item in value]
    return next(numbers)


@st.composite
def patches(draw: st.DrawFn) -> tuple[Value, list[Step]]:
    numbers = count()
    body: Value = {
        "l": numbered([draw(trees()) for _ in range(3)], numbers),
        "m": numbered(draw(trees()), numbers),
    }
    template, steps = body, list[Step]()
    for _ in range(draw(st.integers(0, 8))):
        path = draw(st.sampled_from([*_places(body), "/l/-", "/l/0", "/n"]))
        operator = draw(st.sampled_from(["add", "replace", "remove"]))
        value = numbered(draw(trees(1)), numbers)
        try:
            done = apply_patch(body, [PatchOperation(path=path, operator=operator, value=value)])
        except PatchError:
            continue
        body, (change,) = done.document, done.changes
        rule = RuleIndex([policy(overriders={})]).rules[0]
        steps.append(
            Step(
                rule=rule,
                overrider="plaintext",
                index=len(steps),
                operator=operator,
                path=change.path,
                before=change.before,
                after=change.after,
            )
        )
    return template, steps


def _places(value: Value, pointer: str = "") -> list[str]:
    found = [pointer] if pointer else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        found += _places(item, f"{pointer}/{str(key).replace('~', '~0')}")
    return found


@given(patches())
def test_steps_can_be_undone(made: tuple[Value, list[Step]]) -> None:
    template, steps = made
    body = final(template, steps)
    for step in reversed(steps):
        body = undone(body, step) if step.changed else body
    assert same(body, template)


@given(patches())
def test_every_scalar_is_traced_to_who_wrote_it(made: tuple[Value, list[Step]]) -> None:
    template, steps = made
    body = final(template, steps)
    for pointer in leaves(body):
        value = look_up(body, pointer)
        if not isinstance(value, int):
            continue
        found = history(body, steps, pointer)
        if found.events:
            last = found.events[-1]
            assert value in scalars(last.step.after)
            assert last.after == value
        else:
            assert found.origin is not None
            assert value_at(template, found.origin) == value


def final(template: Value, steps: list[Step]) -> Value:
    for step in steps:
        value: Value = None if step.after is ABSENT else step.after
        operation = PatchOperation(path=step.path, operator=step.operator, value=value)
        template = apply_patch(template, [operation]).document
    return template


def scalars(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in scalars(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in scalars(item)]
    return [value]
