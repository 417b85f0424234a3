"""labelsOverrider and annotationsOverrider."""

from __future__ import annotations

import pytest

from renderer.document.patch import ABSENT
from renderer.document.values import Object, Value, dig
from renderer.model.override_result import Note, Remark
from tests.override.build import applied, only_step, workload


def entry(operator: str, *, field: str = "labels", **value: str) -> Object:
    """Overriders with one entry for labels or annotations; `__` in a key stands for a slash."""
    entries: Value = {key.replace("__", "/"): text for key, text in value.items()}
    return {f"{field}Overrider": [{"operator": operator, "value": entries}]}


@pytest.mark.parametrize("field", ["labels", "annotations"])
@pytest.mark.parametrize(
    ("before", "overriders", "after"),
    [
        pytest.param({"a": "1"}, ("add", {"b": "2"}), {"a": "1", "b": "2"}, id="add"),
        pytest.param({"a": "1"}, ("add", {"a": "2"}), {"a": "2"}, id="add-overwrites"),
        pytest.param(None, ("add", {"a": "1"}), {"a": "1"}, id="add-makes-the-map"),
        pytest.param({"a": 1}, ("add", {"b": "2"}), {"b": "2"}, id="a-value-that-is-no-text-loses-the-map"),
        pytest.param("x", ("add", {"b": "2"}), {"b": "2"}, id="what-is-no-map-is-replaced"),
        pytest.param(None, ("add", {}), None, id="nothing-added-makes-no-map"),
        pytest.param(
            {"a": "1"}, ("replace", {"a": "2", "b": "2"}), {"a": "2"}, id="replace-skips-absent-keys"
        ),
        pytest.param(
            {"a": "1", "b": "2"}, ("remove", {"a": "other"}), {"b": "2"}, id="remove-looks-at-keys-only"
        ),
        pytest.param({"a": "1"}, ("remove", {"a": ""}), {}, id="removing-the-last-leaves-a-map"),
        pytest.param({"a": 1}, ("remove", {"a": ""}), {"a": 1}, id="an-unreadable-map-has-no-keys"),
        pytest.param({"x/y": "1"}, ("replace", {"x__y": "2"}), {"x/y": "2"}, id="slash-in-a-key"),
    ],
)
def test_entries(field: str, before: Value, overriders: tuple[str, dict[str, str]], after: Value) -> None:
    body = workload(labels=before) if field == "labels" else workload(annotations=before)
    operator, value = overriders
    result = applied(body, entry(operator, field=field, **value))
    assert dig(result.body, "metadata", field) == after


def test_metadata_that_is_no_map_is_skipped_without_an_error() -> None:
    body = {**workload(), "metadata": "x"}
    result = applied(body, entry("add", a="1"))
    assert result.body == body
    assert only_step(result).remarks == (Remark(Note.NO_TARGET, ("metadata",)),)


def test_missing_metadata_is_made() -> None:
    assert dig(applied({"kind": "X"}, entry("add", a="1")).body, "metadata") == {"labels": {"a": "1"}}


def test_what_happened_to_a_lost_map_is_told_once() -> None:
    result = applied(workload(labels={"a": 1, "b": "2"}), entry("add", c="3", d="4"))
    assert [step.remarks for step in result.steps] == [(Remark(Note.MAP_RESET, ("a", "b")),), ()]
    assert [step.before for step in result.steps] == [ABSENT, ABSENT]


def test_a_skipped_key_is_told() -> None:
    step = only_step(applied(workload(labels={"a": "1"}), entry("replace", x__y="2")))
    assert (step.path, step.changed) == ("/metadata/labels/x~1y", False)
    assert step.remarks == (Remark(Note.KEY_ABSENT, ("x/y",)),)


def test_a_tilde_is_not_escaped_so_unvalidated_keys_may_mean_another() -> None:
    result = applied(workload(labels={}), {"labelsOverrider": [{"operator": "add", "value": {"a~1b": "1"}}]})
    assert dig(result.body, "metadata", "labels") == {"a/b": "1"}
