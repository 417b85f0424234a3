"""Running git, and what it means when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.edge.command import Git, refusal
from renderer.edge.errors import OutsideError, telling
from renderer.edge.place import parsed


@pytest.mark.parametrize(
    ("said", "what", "fix"),
    [
        ("fatal: not a git repository (or any...)", "no Git repository is there", "git init"),
        ("error: write error: No space left on device", "the disk is full", "free some space"),
        ("fatal: Unable to create '/r/x.lock': File exists.\n", "another Git process holds a lock", "remove"),
        ("error: object file .git/objects/1 is corrupt", "it is damaged", "git fsck"),
        ("fatal: could not fetch 1 from promisor remote", "could not fetch an object", "connection"),
        ("fatal: detected dubious ownership in repository at '/r'", "does not trust it", "safe.directory"),
        ("fatal: something new", "`git update-ref` failed in /r", ""),
        ("", "`git update-ref` failed in /r", ""),
    ],
)
def test_what_git_says_is_told_in_a_users_words(said: str, what: str, fix: str) -> None:
    error = refusal(Path("/r"), ("-c", "a=b", "update-ref"), said)
    assert what in error.what
    assert fix in error.fix
    assert (" ".join(said.split()) or "nothing") in error.why


def test_a_place_where_git_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutsideError, match="is no directory"):
        Git(tmp_path / "missing").ask("version")
    with pytest.raises(OutsideError, match="git cannot be run"):
        Git(tmp_path / "file").ask("version")


def test_an_error_without_a_meaning_keeps_its_own_words() -> None:
    with pytest.raises(OutsideError, match="cannot read it: odd"), telling("read it"):
        raise OSError("odd")


def test_commits_are_read_whatever_they_hold() -> None:
    commit = parsed(b"tree t\nauthor a <a> 1 +0000\ncommitter b <b> 2 -0130\ngpgsig x\n y\n\ntext\n\nmore\n")
    assert (commit.tree, commit.date, commit.message) == ("t", 2, "text\n\nmore\n")
    assert parsed(b"tree t\ncommitter broken\nencoding nobody-knows\n\n\xff").message == "\ufffd"
    assert parsed(b"tree t\ncommitter broken\n\n").date == 0
    assert commit.author == "a <a>"
    assert parsed(b"tree t\nauthor J\xfc <j> 1 +0000\nencoding latin-1\n\n").author == "Jü <j>"
    assert parsed(b"tree t\nauthor <j> 1 +0000\n\n").author == ""
