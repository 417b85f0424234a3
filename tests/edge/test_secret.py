"""Tokens that are replaced while a server runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError
from renderer.edge.secret import SecretFile, variable


def words(text: str) -> Sequence[bytes]:
    if not text.split():
        raise ValueError("there is none")
    return tuple(word.encode() for word in text.split())


def test_a_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    place = tmp_path / "token"
    place.write_text("one")
    secret = SecretFile(place, words)
    assert secret.tokens() == secret.tokens() == (b"one",)
    place.write_text("one three")
    assert secret.tokens() == (b"one", b"three")


def test_a_file_is_replaced_as_kubernetes_does_it(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "token").write_text(name)
    (tmp_path / "..data").symlink_to("first")
    (tmp_path / "token").symlink_to("..data/token")
    secret = SecretFile(tmp_path / "token", words)
    assert secret.tokens() == (b"first",)
    (tmp_path / "new").symlink_to("second")
    (tmp_path / "new").rename(tmp_path / "..data")
    assert secret.tokens() == (b"second",)


def test_what_cannot_be_read_lets_nobody_in_until_it_can(tmp_path: Path) -> None:
    place = tmp_path / "token"
    place.write_text("one")
    secret = SecretFile(place, words)
    place.write_text(" ")
    assert secret.tokens() == ()
    place.unlink()
    assert secret.tokens() == ()
    place.write_text("two")
    assert secret.tokens() == (b"two",)


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_start_needs_tokens(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "token").write_text(text)
    with pytest.raises(OutsideError, match="token"):
        SecretFile(tmp_path / "token", words)


def test_a_variable_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert variable("KRENDER_TEST_TOKEN", words) is None
    monkeypatch.setenv("KRENDER_TEST_TOKEN", "one")
    assert variable("KRENDER_TEST_TOKEN", words) == (b"one",)
    assert "KRENDER_TEST_TOKEN" not in os.environ
    monkeypatch.setenv("KRENDER_TEST_TOKEN", "")
    with pytest.raises(OutsideError, match="in the variable KRENDER_TEST_TOKEN"):
        variable("KRENDER_TEST_TOKEN", words)
