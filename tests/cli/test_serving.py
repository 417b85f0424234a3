"""A follower keeps the last good snapshot, and says what it knows."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from renderer.cli.serving import Follower, say
from renderer.edge.errors import OutsideError
from renderer.edge.followed import Followed
from renderer.view.serve.ledger import Ledger
from renderer.view.serve.question import question
from tests.cli.conftest import Run
from tests.cli.serving import TOKEN, publish, reset
from tests.repositories import git, new_repository
from tests.view.serve.fleets import files

ALL = question([], "argocd")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "fleet")


def follower(repository: Path, state: Path | None = None, path: str = "") -> Follower:
    return Follower(
        followed=Followed(str(repository), "rendered"),
        branch="rendered",
        path=path,
        ledger=Ledger(),
        most_age=600,
        state=state,
    )


def test_a_look_takes_the_whole_commit_or_nothing(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    follows = follower(repository)
    assert follows.standing().state == "not ready"
    follows.look()
    follows.look()
    assert "there is no branch rendered yet" in follows.standing().failure
    good = publish(repository, files("ab"))
    follows.look()
    standing = follows.standing()
    assert (standing.state, standing.served().commit) == ("ready", good)
    assert dict(standing.changed) == {"a": 1_700_000_000}
    publish(repository, {**files("ab"), "delivery/argocd/parameters/a/krender.app.json": b"{}"})
    follows.look()
    standing = follows.standing()
    assert (standing.state, standing.served().commit) == ("degraded", good)
    reset(repository, good)
    follows.look()
    assert follows.standing().state == "ready", "the same commit is good again"
    told = capsys.readouterr().err
    assert told.count("there is no branch") == 1, "what stays so is told once"
    assert told.count(f"serving 2 units of {good}") == 2


def test_where_nothing_is_remembered_the_commit_before_is_what_lists_are_compared_with(
    repository: Path,
) -> None:
    publish(repository, files("abc"))
    publish(repository, files("abcd"))
    follows = follower(repository)
    follows.look()
    assert follows.ledger.before is not None
    assert len(follows.ledger.before.units) == 3


def test_a_commit_before_that_is_no_good_is_no_matter(repository: Path) -> None:
    publish(repository, {"delivery/argocd/parameters/a/krender.app.json": b"{}"})
    publish(repository, files("a"))
    follows = follower(repository)
    follows.look()
    assert (follows.standing().state, follows.ledger.before) == ("ready", None)


def test_what_was_served_is_written_when_it_has_changed(repository: Path, tmp_path: Path) -> None:
    publish(repository, files("ab"))
    state = tmp_path / "state" / "served.json"
    state.parent.mkdir()
    follows = follower(repository, state)
    follows.remember()
    follows.look()
    before = state.stat().st_mtime_ns
    follows.look()
    assert state.stat().st_mtime_ns == before
    follows.ledger.remember(ALL, ("a", "b"))
    follows.look()
    again = follower(repository, state)
    again.remember()
    assert again.ledger.names == {ALL: ("a", "b")}
    follows.ledger.remember(ALL, ("a",))
    state.unlink()
    state.parent.rmdir()
    follows.look()
    assert follows.standing().state == "degraded", "what cannot be remembered is told"
    state.parent.mkdir()
    follows.end()
    assert state.exists()


def test_a_memory_that_is_damaged_is_no_memory(repository: Path, tmp_path: Path, run: Run) -> None:
    state = tmp_path / "state"
    state.write_text("{}")
    with pytest.raises(OutsideError, match="does not tell what was served"):
        follower(repository, state).remember()
    (tmp_path / "token").write_text(TOKEN)
    ran = run("serve", "--repo", repository, "--token-file", tmp_path / "token", "--state", state)
    assert (ran.code, "does not tell what was served" in ran.err) == (3, True)


def test_a_directory_of_the_branch_is_followed(repository: Path) -> None:
    publish(repository, files("ab"))
    tree = git(repository, "rev-parse", "rendered^{tree}")
    whole = git(repository, "mktree", given=f"040000 tree {tree}\tfleet\n")
    git(repository, "update-ref", "refs/heads/rendered", git(repository, "commit-tree", "-m", "x", whole))
    follows = follower(repository, path="fleet")
    follows.look()
    assert len(follows.standing().served().units) == 2
    assert list(follows.standing().changed) == ["a"]


def test_secrets_of_an_address_are_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    follows = Follower(
        followed=Followed(f"file://ada:hunter2@{tmp_path}/nowhere", "rendered"),
        branch="rendered",
        path="",
        ledger=Ledger(),
        most_age=600,
    )
    follows.look()
    assert "cannot be reached" in follows.failure
    assert "hunter2" not in follows.failure + capsys.readouterr().err


def test_a_log_that_nobody_reads_is_no_reason_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError(text)

    monkeypatch.setattr(sys, "stderr", Gone())
    say("hello")


def test_looks_that_hang_are_noticed(repository: Path) -> None:
    follows = follower(repository)
    follows.ended = time.monotonic() - 601
    assert not follows.standing().is_alive
