"""Tests of reading back what krender kept for itself."""

from __future__ import annotations

import pytest

from renderer.document.kept_json import kept_json


def test_what_was_kept_is_read_back() -> None:
    assert kept_json(b'{"format": "a/v1", "b": [1]}', "a/v1") == {"format": "a/v1", "b": [1]}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        pytest.param(b'{"format": "a/v2", "b": [1]}', "not of the format a/v1", id="another-version"),
        pytest.param(b'{"b": [1]}', "not of the format a/v1", id="no-version"),
        pytest.param(b'["a/v1"]', "not of the format a/v1", id="no-object"),
        pytest.param(b'{"format": "a/v1"', "Expecting", id="cut-short"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="a-bomb"),
        pytest.param(b"\xff", "codec", id="no-text"),
    ],
)
def test_anything_else_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        kept_json(data, "a/v1")
