"""Publishing to a repository by its address."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from renderer.edge.address import cloned, is_address, shown_address
from renderer.edge.errors import OutsideError
from renderer.edge.remote import PushedRepository
from renderer.model.tree import Tree
from tests.edge.test_git import DATE, ONE, TWO
from tests.repositories import contents, files_on, git, new_repository


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return new_repository(tmp_path / "far")


def push(address: str, tree: Tree) -> str | None:
    """Publish as a command does."""
    with cloned(address, "rendered") as place, PushedRepository(place) as opened:
        return opened.commit(opened.tip(), tree, "render\n", DATE)


def clones(far: Path) -> list[Path]:
    """The clones that are kept."""
    return sorted((far.parent / "cache/krender/repositories").glob("*.git"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://git.example/fleet.git", True),
        ("ssh://git@git.example:22/fleet.git", True),
        ("file:///srv/fleet", True),
        ("git@git.example:team/fleet.git", True),
        ("../fleet", False),
        ("/srv/fleet", False),
        ("fleet", False),
        ("./odd:name", False),
        ("sub/git@host:path", False),
    ],
)
def test_addresses_are_told_from_paths(text: str, *, expected: bool) -> None:
    assert is_address(text) is expected


def test_a_path_with_a_colon_that_exists_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd:name").mkdir()
    assert not is_address("odd:name")


def test_what_is_shown_of_an_address_has_no_password() -> None:
    assert shown_address("https://bot:hunter2@git.example/f.git") == "https://git.example/f.git"
    assert shown_address("git@git.example:f.git") == "git@git.example:f.git"


def test_a_clone_is_kept_for_the_next_time(far: Path) -> None:
    address = f"file://{far}"
    first = push(address, ONE)
    (kept,) = clones(far)
    (kept / "marker").write_text("")
    second = push(address, TWO)
    assert files_on(far, "rendered") == contents(TWO)
    assert git(far, "rev-list", "rendered").split() == [second, first]
    assert clones(far) == [kept]
    assert (kept / "marker").exists()


def test_what_a_clone_has_and_the_remote_has_not_counts_for_nothing(far: Path) -> None:
    address = f"file://{far}"
    first = push(address, ONE)
    push(address, TWO)
    git(far, "update-ref", "refs/heads/rendered", str(first))
    third = push(address, TWO)
    assert git(far, "rev-list", "rendered").split() == [third, first]


@pytest.mark.parametrize("damage", ["half", "another-remote"])
def test_a_clone_that_is_none_is_made_anew(far: Path, damage: str) -> None:
    address = f"file://{far}"
    push(address, ONE)
    (kept,) = clones(far)
    if damage == "half":
        (kept / "HEAD").unlink()
    else:
        git(kept, "config", "remote.origin.url", "file:///nowhere")
    assert push(address, TWO)
    assert files_on(far, "rendered") == contents(TWO)


def test_a_clone_in_use_is_left_alone(far: Path) -> None:
    address = f"file://{far}"
    push(address, ONE)
    (kept,) = clones(far)
    with cloned(address, "rendered") as mine:
        assert mine == kept
        with cloned(address, "rendered") as other:
            assert other != kept
        assert not other.exists()
    lock = os.open(kept.with_suffix(".lock"), os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # it was given back
    os.close(lock)


def test_without_a_cache_a_clone_is_made_for_once(far: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (far.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(far.parent / "file"))
    assert push(f"file://{far}", ONE)
    assert files_on(far, "rendered") == contents(ONE)


def test_the_cache_is_in_the_home_unless_somebody_says_otherwise(
    far: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(far.parent / "home"))
    with cloned(f"file://{far}", "rendered") as place:
        assert place.is_relative_to(far.parent / "home/.cache/krender")


def test_an_address_where_nothing_is(far: Path) -> None:
    with pytest.raises(OutsideError) as caught, cloned(f"file://{far}-gone", "rendered"):
        pass
    assert caught.value.what == f"the repository file://{far}-gone cannot be reached"
    assert clones(far) == []
