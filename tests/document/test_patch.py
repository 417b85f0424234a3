"""JSON patches as Karmada's library applies them, and the laws any patch keeps."""

from __future__ import annotations

import contextlib
import copy
from dataclasses import dataclass
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.document.patch import ABSENT, Change, PatchError, apply_patch
from renderer.document.values import Value, dig

DOCUMENT: Value = {
    "a": {"b": 1, "": {"q": 1}},
    "l": [1, {"k": 2}, [3]],
    "n": None,
    "s": "x",
    "x/y": {"~1": True},
}


@dataclass(frozen=True, slots=True)
class Op:
    """One operation."""

    operator: str
    path: str
    value: Value = None


def add(path: str, value: Value = 9) -> Op:
    return Op("add", path, value)


def replace(path: str, value: Value = 9) -> Op:
    return Op("replace", path, value)


def remove(path: str) -> Op:
    return Op("remove", path)


@pytest.mark.parametrize(
    ("document", "operations", "expected"),
    [
        pytest.param({"a": 1}, [add("/b", 2)], {"a": 1, "b": 2}, id="add-sets-a-key"),
        pytest.param({"a": 1}, [add("/a", 2)], {"a": 2}, id="add-overwrites"),
        pytest.param({"a": {"x": 1}}, [add("/a", {"y": 2})], {"a": {"y": 2}}, id="add-replaces-a-map-whole"),
        pytest.param({"a": None}, [add("/a", {})], {"a": {}}, id="add-over-null"),
        pytest.param({"a": [1, 3]}, [add("/a/1", 2)], {"a": [1, 2, 3]}, id="add-inserts-before"),
        pytest.param({"a": [1]}, [add("/a/1", 2)], {"a": [1, 2]}, id="add-at-the-length-appends"),
        pytest.param({"a": [1]}, [add("/a/-", 2)], {"a": [1, 2]}, id="dash-appends"),
        pytest.param({"a": [1]}, [add("/a/-1", 2)], {"a": [1, 2]}, id="minus-one-appends"),
        pytest.param({"a": [1]}, [add("/a/-2", 2)], {"a": [2, 1]}, id="minus-two-inserts-before-the-last"),
        pytest.param({"a": [1, 3]}, [add("/a/01", 2)], {"a": [1, 2, 3]}, id="leading-zero"),
        pytest.param({"a": [1, 3]}, [add("/a/+1", 2)], {"a": [1, 2, 3]}, id="plus"),
        pytest.param({"a": [[1], [2]]}, [add("/a/-1/0", 0)], {"a": [[1], [0, 2]]}, id="walks-negative-index"),
        pytest.param(
            {"a": 1}, [add("spec/b", 2)], {"a": 1, "b": 2}, id="part-before-the-first-slash-is-lost"
        ),
        pytest.param({"a": 1}, [add("/~01", 2)], {"a": 1, "~1": 2}, id="escapes-in-one-pass"),
        pytest.param({"a": 1}, [add("/x~1y", 2)], {"a": 1, "x/y": 2}, id="slash-in-a-key"),
        pytest.param({"a": 1}, [add("/", 2)], {"a": 1, "": 2}, id="trailing-slash-is-the-empty-key"),
        pytest.param({"a": 1}, [add("", {"b": 2})], {"b": 2}, id="add-the-whole-document"),
        pytest.param({"a": 1}, [add("", [2])], [2], id="the-whole-document-may-become-a-list"),
        pytest.param({"a": 1}, [replace("/a", None)], {"a": None}, id="replace-with-null"),
        pytest.param({"a": None}, [replace("/a", 1)], {"a": 1}, id="replace-null"),
        pytest.param({"a": {}}, [replace("/a/", 1)], {"a": {"": 1}}, id="replace-an-absent-empty-key"),
        pytest.param({"a": [1, 2]}, [replace("/a/-1", 3)], {"a": [1, 3]}, id="replace-the-last"),
        pytest.param({"a": 1}, [replace("", {})], {}, id="replace-the-whole-document"),
        pytest.param({"a": 1}, [replace("", None)], None, id="replace-may-leave-null"),
        pytest.param({"a": 1, "b": 2}, [remove("/a")], {"b": 2}, id="remove-a-key"),
        pytest.param({"a": {"b": 1}}, [remove("/a/b")], {"a": {}}, id="removing-the-last-key-leaves-a-map"),
        pytest.param({"a": [1, 2]}, [remove("/a/-2")], {"a": [2]}, id="remove-by-negative-index"),
        pytest.param({"": 1, "b": 2}, [remove("")], {"b": 2}, id="remove-of-nothing-is-of-the-empty-key"),
        pytest.param({"a": {"": 1}}, [remove("/a/")], {"a": {}}, id="remove-an-empty-key"),
        pytest.param({"a": 1}, [add("//x", 2)], {"a": 1}, id="double-slash-changes-a-copy"),
        pytest.param(
            {"a": {}}, [add("//a/x", 1), remove("//a/x")], {"a": {}}, id="the-copy-lives-for-the-whole-patch"
        ),
        pytest.param(
            {}, [add("", {"k": {}}), add("//k/x", 1)], {"k": {}}, id="an-added-document-has-a-copy-too"
        ),
        pytest.param(
            {},
            [add("/x", {"a": {}}), add("/x/a/b", []), add("/x/a/b/-", 1), replace("/x/a/b/0", {"z": 1})],
            {"x": {"a": {"b": [{"z": 1}]}}},
            id="operations-build-on-each-other",
        ),
        pytest.param([1, [2]], [add("/1/-", 3), remove("/0")], [[2, 3]], id="a-document-may-be-a-list"),
        pytest.param(None, [replace("", {"a": 1})], {"a": 1}, id="a-null-document-can-be-replaced"),
        pytest.param({"a": 1}, [], {"a": 1}, id="an-empty-patch-changes-nothing"),
    ],
)
def test_apply(document: Value, operations: list[Op], expected: Value) -> None:
    assert apply_patch(document, operations).document == expected


@pytest.mark.parametrize(
    ("operations", "index", "deepest", "missing", "reason"),
    [
        pytest.param([add("/m/x")], 0, "", "m", 'there is no "m"', id="no-parents-are-made"),
        pytest.param([add("/n/x")], 0, "", "n", '"n" is null, which has nothing below it', id="below-null"),
        pytest.param([add("/s/x")], 0, "", "s", '"s" is text, which has nothing below it', id="below-text"),
        pytest.param(
            [add("/l/0/x")], 0, "/l", "0", '"0" is a number, which has nothing below it', id="below-a-number"
        ),
        pytest.param([add("/a//x")], 0, "/a", "", 'there is no ""', id="empty-part-below-the-root"),
        pytest.param([add("///x")], 0, "", "", 'there is no ""', id="the-copy-has-no-copy"),
        pytest.param([add("/l/4")], 0, "/l", "4", "there is no element 4, the list has 3", id="past-the-end"),
        pytest.param([add("/l/-5")], 0, "/l", "-5", "there is no element -5, the list has 3", id="before-it"),
        pytest.param(
            [add("/l/-1/9/x")], 0, "/l/2", "9", "there is no element 9, the list has 1", id="resolved-so-far"
        ),
        pytest.param([add("/l/x")], 0, "/l", "x", '"x" is no index of a list', id="no-index"),
        pytest.param([add("/l/")], 0, "/l", "", '"" is no index of a list', id="empty-index"),
        pytest.param([replace("/l/-")], 0, "/l", "-", '"-" is no index of a list', id="dash-is-for-add"),
        pytest.param(
            [replace("/l/3")], 0, "/l", "3", "there is no element 3, the list has 3", id="replace-end"
        ),
        pytest.param([replace("/a/c")], 0, "/a", "c", 'there is no "c"', id="replace-needs-the-key"),
        pytest.param([remove("/a/c")], 0, "/a", "c", 'there is no "c"', id="remove-needs-the-key"),
        pytest.param([remove("/")], 0, "", "", 'there is no ""', id="remove-needs-the-empty-key"),
        pytest.param(
            [remove("/l/-4")], 0, "/l", "-4", "there is no element -4, the list has 3", id="remove-out"
        ),
        pytest.param([add("spec")], 0, "", "spec", 'a path starts with "/"', id="path-without-slash"),
        pytest.param([remove("")], 0, "", "", "the whole document cannot be removed", id="remove-all"),
        pytest.param(
            [add("", 5)], 0, "", "", "a whole document is a map or a list, not a number", id="add-a-scalar"
        ),
        pytest.param(
            [replace("", "t")],
            0,
            "",
            "",
            "a whole document is a map or a list, not text",
            id="replace-scalar",
        ),
        pytest.param([add("", None)], 0, "", "", "the whole document is null", id="add-null"),
        pytest.param([replace("", None), add("/a")], 1, "", "a", 'null has no "a"', id="after-null"),
        pytest.param([replace("", {}), add("//a")], 1, "", "", 'there is no ""', id="replaced-has-no-copy"),
        pytest.param(
            [add("/a/c", 1), remove("/a/c"), remove("/a/c")],
            2,
            "/a",
            "c",
            'there is no "c"',
            id="third-operation",
        ),
    ],
)
def test_refusals_say_where(
    operations: list[Op], index: int, deepest: str, missing: str, reason: str
) -> None:
    before = copy.deepcopy(DOCUMENT)
    with pytest.raises(PatchError) as caught:
        apply_patch(DOCUMENT, operations)
    error = caught.value
    assert (error.index, error.deepest, error.missing, error.reason) == (index, deepest, missing, reason)
    assert (error.operator, error.path) == (operations[index].operator, operations[index].path)
    assert str(error) == f'{error.operator} "{error.path}": {reason}'
    assert before == DOCUMENT


def test_a_null_document_takes_nothing_else() -> None:
    with pytest.raises(PatchError, match='null has no "a"'):
        apply_patch(None, [add("/a")])


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        pytest.param(add("/a/b", 2), Change("/a/b", 1, 2), id="overwritten"),
        pytest.param(add("/a/c", None), Change("/a/c", ABSENT, None), id="null-is-not-absent"),
        pytest.param(remove("/n"), Change("/n", None, ABSENT), id="removed-null"),
        pytest.param(add("/l/-", 2), Change("/l/3", ABSENT, 2), id="appended-at-its-index"),
        pytest.param(add("/l/-1/k", 2), None, id="refused"),
        pytest.param(replace("/l/-2/k", 3), Change("/l/1/k", 2, 3), id="negative-index-on-the-way"),
        pytest.param(replace("/l/01", 3), Change("/l/1", {"k": 2}, 3), id="odd-spelling-of-an-index"),
        pytest.param(add("x/s", 3), Change("/s", "x", 3), id="cut-path"),
        pytest.param(add("x/x~1y", 3), Change("/x~1y", {"~1": True}, 3), id="cut-path-is-escaped-again"),
        pytest.param(add("/x~1y/~01", 3), Change("/x~1y/~01", True, 3), id="escapes"),
        pytest.param(add("//s", 3), Change("//s", "x", 3, lost=True), id="lost-in-a-copy"),
        pytest.param(replace("", {}), Change("", DOCUMENT, {}), id="whole-document"),
    ],
)
def test_changes_tell_before_and_after(operation: Op, expected: Change | None) -> None:
    if expected is None:
        with pytest.raises(PatchError):
            apply_patch(DOCUMENT, [operation])
        return
    assert apply_patch(DOCUMENT, [operation]).changes == (expected,)


def test_absence_has_a_name() -> None:
    assert repr(Change("/a", ABSENT, None)) == "Change(path='/a', before=ABSENT, after=None, lost=False)"


def test_what_is_not_on_the_path_is_shared() -> None:
    after = apply_patch(DOCUMENT, [add("/a/b", 2)]).document
    assert dig(after, "l") is dig(DOCUMENT, "l")
    assert dig(after, "a", "") is dig(DOCUMENT, "a", "")


def test_a_value_of_the_patch_is_never_changed() -> None:
    value: Value = {"k": []}
    patched = apply_patch({}, [add("/x", value), add("/y", value), add("/x/k/-", 1)])
    assert patched.document == {"x": {"k": [1]}, "y": {"k": []}}
    assert value == {"k": []}


scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab~/", max_size=3)
keys = st.sampled_from(["a", "b", "", "~", "/", "0", "1", "a/b"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
documents = st.dictionaries(keys, values, max_size=4)
parts = st.sampled_from(["a", "b", "~0", "~1", "0", "1", "-", "a~1b", "-1"])
paths = st.lists(parts, min_size=1, max_size=4).map(lambda found: "/" + "/".join(found))
operations = st.builds(Op, st.sampled_from(["add", "replace", "remove"]), paths, values)


@given(documents, st.lists(operations, max_size=4))
def test_a_patch_never_changes_its_input(document: dict[str, Any], patch: list[Op]) -> None:
    before = copy.deepcopy((document, patch))
    with contextlib.suppress(PatchError):
        apply_patch(document, patch)
    assert (document, patch) == before


def within_rfc(patch: list[Op]) -> bool:
    """Whether the standard and the library agree about these paths: only negative indexes differ."""
    return all("/-1" not in op.path for op in patch)


@given(documents, st.lists(operations, max_size=4).filter(within_rfc))
def test_where_the_standard_is_kept_the_result_is_that_of_jsonpatch(
    document: dict[str, Any], patch: list[Op]
) -> None:
    standard = jsonpatch.JsonPatch([{"op": op.operator, "path": op.path, "value": op.value} for op in patch])
    try:
        expected = standard.apply(document)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError, KeyError):
        with pytest.raises(PatchError):
            apply_patch(document, patch)
        return
    assert apply_patch(document, patch).document == expected


@given(documents, st.lists(operations, min_size=1, max_size=3))
def test_changes_retell_the_patch(document: dict[str, Any], patch: list[Op]) -> None:
    """Each change says what is at its path before and after its operation."""
    current: Value = document
    try:
        changes = apply_patch(document, patch).changes
    except PatchError:
        return
    for operation, change in zip(patch, changes, strict=True):
        current = apply_patch(current, [operation]).document
        if change.after is not ABSENT:
            assert apply_patch(current, [Op("replace", change.path, change.after)]).document == current
