"""A branch is followed wherever it is, without anything of it being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError
from renderer.edge.followed import Followed
from renderer.edge.git import GitRepository
from renderer.model.tree import Tree
from tests.edge.test_git import DATE, ONE, TWO
from tests.repositories import git, new_repository


@pytest.fixture
def there(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "there")


def publish(path: Path, tree: Tree) -> str:
    with GitRepository(path) as repository:
        made = repository.commit(repository.tip(), tree, "render\n", DATE)
    assert made
    return made


def seen(followed: Followed) -> tuple[str | None, str | None]:
    """The commit on the branch, and the one before it."""
    with followed.open() as repository:
        tip = repository.tip()
        before = repository.before(tip) if tip else None
        return tip.commit if tip else None, before.commit if before else None


@pytest.mark.parametrize("how", ["path", "address", "remote"])
def test_a_branch_is_followed(there: Path, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place, remote = str(there), None
    if how == "address":
        place = f"file://{there}"
    elif how == "remote":
        git(tmp_path, "clone", "-q", str(there), "here")
        place, remote = str(tmp_path / "here"), "origin"
    followed = Followed(place, "rendered", remote)
    assert seen(followed) == (None, None), "there is no such branch yet"
    first = publish(there, ONE)
    assert seen(followed) == (first, None)
    second = publish(there, TWO)
    assert seen(followed) == seen(followed) == (second, first)
    git(there, "update-ref", "refs/heads/rendered", first)
    assert seen(followed) == (first, None), "a branch that was reset is followed, too"
    git(there, "update-ref", "-d", "refs/heads/rendered")
    assert seen(followed)[0] is None
    followed.close()


def test_an_address_knows_what_a_tip_was_made_on_from_the_first_look(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, second = publish(there, ONE), publish(there, TWO)
    followed = Followed(f"file://{there}", "rendered")
    assert seen(followed) == (second, first)
    followed.close()


def test_a_whole_clone_stays_whole(there: Path, tmp_path: Path) -> None:
    for _ in range(2):
        publish(there, ONE)
        publish(there, TWO)
    git(tmp_path, "clone", "-q", str(there), "here")
    before = git(tmp_path / "here", "for-each-ref", "refs/heads")
    seen(Followed(str(tmp_path / "here"), "rendered", "origin"))
    assert git(tmp_path / "here", "rev-parse", "--is-shallow-repository") == "false"
    assert git(tmp_path / "here", "for-each-ref", "refs/heads") == before, "nothing of its own was moved"


def test_what_cannot_be_reached_can_be_later(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = publish(there, ONE)
    there.rename(tmp_path / "away")
    for place in (str(there), f"file://{there}"):
        followed = Followed(place, "rendered")
        with pytest.raises(OutsideError):
            seen(followed)
        (tmp_path / "away").rename(there)
        assert seen(followed)[0] == made
        there.rename(tmp_path / "away")
        followed.close()
