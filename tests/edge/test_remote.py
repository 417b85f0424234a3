"""The rendered branch of a remote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError
from renderer.edge.remote import PushedRepository, clone
from renderer.model.tree import Blob, Tree, placed
from tests.edge.test_git import DATE, ONE, TWO, put
from tests.repositories import contents, files_on, git, is_sound, new_repository

THREE = placed(TWO, "clusters/d/x", Blob(b"3"))


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A bare repository that others push to, too."""
    new_repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "--bare", "origin", "remote.git")
    return tmp_path / "remote.git"


@pytest.fixture
def here(remote: Path) -> Path:
    git(remote.parent, "clone", "-q", str(remote), "here")
    return remote.parent / "here"


def other(remote: Path) -> Path:
    """Another clone of the remote."""
    git(remote.parent, "clone", "-q", str(remote), "other")
    return remote.parent / "other"


def push(path: Path, tree: Tree, remote: str = "origin") -> str | None:
    """Publish to the remote."""
    with PushedRepository(path, remote=remote) as opened:
        return opened.commit(opened.tip(), tree, "render\n", DATE)


def test_the_branch_moves_at_the_remote_and_here(here: Path, remote: Path) -> None:
    first = push(here, ONE)
    second = push(here, TWO)
    assert files_on(remote, "rendered") == contents(TWO)
    for path in (here, remote):
        assert git(path, "rev-list", "rendered").split() == [second, first]
    assert git(here, "rev-parse", "origin/rendered") == second
    assert not (here / ".git/FETCH_HEAD").exists()
    assert is_sound(remote)


def test_what_others_pushed_is_gone_on_with(here: Path, remote: Path) -> None:
    first = push(here, ONE)
    second = push(other(remote), TWO)
    third = push(here, THREE)
    assert git(remote, "rev-list", "rendered").split() == [third, second, first]
    assert git(here, "rev-parse", "rendered") == third


@pytest.mark.parametrize("meanwhile", ["moved", "deleted", "reset", "created"])
def test_a_remote_that_moved_is_not_overwritten(here: Path, remote: Path, meanwhile: str) -> None:
    if meanwhile != "created":
        push(here, ONE)
        push(here, TWO)
    with PushedRepository(here) as opened:
        tip = opened.tip()
        match meanwhile:
            case "moved" | "created":
                push(other(remote), placed(TWO, "clusters/other", Blob(b"")))
            case "deleted":
                git(remote, "branch", "-q", "-D", "rendered")
            case "reset":
                git(remote, "branch", "-q", "-f", "rendered", "rendered~")
        before = git(remote, "for-each-ref")
        assert opened.commit(tip, THREE, "render\n", DATE) is None
        assert git(remote, "for-each-ref") == before
        if meanwhile in ("moved", "created"):
            assert opened.tip() != tip
            assert opened.commit(tip, ONE, "render\n", DATE) is None  # fetched, but planned before that
            assert git(remote, "for-each-ref") == before


def test_commits_that_were_not_pushed_go_along(here: Path, remote: Path) -> None:
    first = push(here, ONE)
    second = put(here, TWO)
    third = push(here, THREE)
    assert git(remote, "rev-list", "rendered").split() == [third, second, first]


def test_a_run_killed_after_the_push_is_made_good(here: Path, remote: Path) -> None:
    push(here, ONE)
    second = push(here, TWO)
    git(here, "branch", "-q", "-f", "rendered", "rendered~")
    third = push(here, THREE)
    assert git(here, "rev-list", "--max-count=2", "rendered").split() == [third, second]
    assert git(remote, "rev-parse", "rendered") == third


def test_branches_that_parted_are_one_clear_error(here: Path, remote: Path) -> None:
    push(here, ONE)
    push(other(remote), TWO)
    put(here, THREE)
    with pytest.raises(OutsideError, match="have parted"):
        push(here, ONE)


def test_a_shallow_clone_fetches_one_commit(remote: Path, here: Path, tmp_path: Path) -> None:
    push(here, ONE)
    second = push(here, TWO)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{remote}", "shallow")
    third = push(tmp_path / "shallow", THREE)
    assert git(tmp_path / "shallow", "rev-list", "rendered").split() == [third, second]
    assert git(remote, "rev-parse", "rendered~") == second


@pytest.mark.parametrize("objects", ["sha1", "sha256"])
def test_a_repository_is_published_to_by_its_address(tmp_path: Path, objects: str) -> None:
    new_repository(tmp_path / "far", f"--object-format={objects}")
    for number, tree in enumerate((ONE, TWO)):
        clone(f"file://{tmp_path / 'far'}", tmp_path / f"near-{number}.git")
        assert push(tmp_path / f"near-{number}.git", tree)
    assert files_on(tmp_path / "far", "rendered") == contents(TWO)
    assert git(tmp_path / "far", "rev-list", "--count", "rendered") == "2"


def test_a_linked_worktree_pushes(here: Path, remote: Path) -> None:
    git(here, "worktree", "add", "-q", "-b", "feature", "../linked")
    made = push(here.parent / "linked", ONE)
    assert git(remote, "rev-parse", "rendered") == made


def test_the_environment_of_a_hook_leads_nowhere_else(
    here: Path, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = new_repository(tmp_path / "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(elsewhere / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    made = push(here, ONE)
    monkeypatch.delenv("GIT_DIR")
    assert git(remote, "rev-parse", "rendered") == made
    assert "rendered" not in git(elsewhere, "for-each-ref")


def test_a_remote_that_refuses_is_heard(here: Path, remote: Path) -> None:
    hook = remote / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho not on a Friday\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(OutsideError) as caught:
        push(here, ONE)
    assert "refused the push to rendered" in caught.value.what
    assert "not on a Friday" in caught.value.why
    assert "rendered" not in git(here, "for-each-ref", "refs/heads")


def test_a_remote_that_cannot_be_reached(here: Path, remote: Path) -> None:
    remote.rename(remote.with_name("gone"))
    with pytest.raises(OutsideError):
        push(here, ONE)
    with pytest.raises(OutsideError):
        clone(str(remote), here.parent / "near")


def test_a_remote_that_is_not_configured(here: Path) -> None:
    with pytest.raises(OutsideError, match="no remote 'upstream'") as caught:
        push(here, ONE, remote="upstream")
    assert caught.value.why == "it has: origin"


def add_own(path: str, name: str) -> None:
    """Publish to the remote until it is through."""
    from renderer.model.published import Tip
    from renderer.model.tree import EMPTY_TREE, Tree
    from renderer.publish.message import Origin
    from renderer.publish.publisher import publish

    def plan(onto: Tip | None) -> Tree:
        clusters = onto.tree.child("clusters") if onto else None
        return placed(Tree({"clusters": clusters or EMPTY_TREE}), f"clusters/{name}", Blob(b""))

    with PushedRepository(Path(path)) as opened:
        tip = opened.tip()
        origin = Origin(version="1", input_digest="d", date=DATE)
        publish(opened, tip, plan(tip), origin, plan_again=plan, tries=30)


def test_pushers_at_once_lose_nothing(remote: Path, tmp_path: Path) -> None:
    script = "import sys; from tests.edge.test_remote import add_own; add_own(*sys.argv[1:])"
    running = []
    for number in range(3):
        git(tmp_path, "clone", "-q", str(remote), f"clone-{number}")
        line = [sys.executable, "-c", script, str(tmp_path / f"clone-{number}"), f"c{number}"]
        running.append(subprocess.Popen(line, stderr=subprocess.PIPE))
    said = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], said
    files = [path for path in files_on(remote, "rendered") if path.startswith("clusters/")]
    assert files == ["clusters/c0", "clusters/c1", "clusters/c2"]
    assert git(remote, "rev-list", "--count", "rendered") == "3"
