"""When a directory last changed is what `git log` says of it, found for all of them at once."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from renderer.edge.command import Git
from renderer.edge.history import last_changes
from tests.repositories import commit, git, new_repository

NAMES = ("a", "b", "c", "d")


@pytest.fixture(params=["sha1", "sha256"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return new_repository(tmp_path / "repository", f"--object-format={request.param}")


def put(root: Path, path: str, text: str, date: int) -> None:
    """Commit one file."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    git(root, "add", "-A")
    commit(root, text, date)


def drop(root: Path, path: str, date: int) -> None:
    """Commit that a file or a directory is gone."""
    shutil.rmtree(root / path, ignore_errors=True)
    git(root, "add", "-A")
    commit(root, "gone", date)


def found(root: Path, path: str = "clusters", most: int = 5_000) -> Mapping[str, int]:
    """What is known of the directories there are now."""
    listed = git(root, "ls-tree", "--name-only", f"HEAD:{path}").split("\n")
    return last_changes(Git(root), git(root, "rev-parse", "HEAD"), path, listed, most)


def told(root: Path, path: str = "clusters") -> Mapping[str, int]:
    """What `git log` says of them."""
    listed = git(root, "ls-tree", "--name-only", f"HEAD:{path}").split("\n")
    log = ("log", "--first-parent", "-1", "--format=%ct", "HEAD", "--")
    return {name: int(git(root, *log, f":(top,literal){path}/{name}")) for name in listed}


@pytest.mark.parametrize("seed", range(4))
def test_what_git_says_of_each_is_found_for_all(repository: Path, seed: int) -> None:
    dice = random.Random(seed)
    put(repository, "clusters/z/x.yaml", "0", 1_000_000_000)
    for number in range(1, 40):
        date, name = 1_000_000_000 + number * 60, dice.choice(NAMES)
        match dice.randrange(8):
            case 0:
                drop(repository, f"clusters/{name}", date)
            case 1:
                drop(repository, "clusters", date)
                put(repository, "clusters/z/x.yaml", f"{number}", date + 1)
            case 2:
                put(repository, "elsewhere", f"{number}", date)
            case 3:
                git(repository, "checkout", "-qb", f"side{number}")
                put(repository, f"clusters/{name}/x.yaml", f"{number}", date)
                git(repository, "checkout", "-q", "main")
                git(repository, "merge", "-q", "--no-ff", "--no-edit", f"side{number}")
            case _:
                put(repository, f"clusters/{name}/ns/x.yaml", f"{number % 3}", date)
    assert found(repository) == told(repository)


def test_a_path_is_no_pattern_and_leads_from_the_top(repository: Path) -> None:
    put(repository, "a*/b/clusters/x/y.yaml", "1", 1_100_000_000)
    put(repository, "ab/b/clusters/x/y.yaml", "1", 1_200_000_000)
    path = "a*/b/clusters"
    assert found(repository, path) == {"x": 1_100_000_000}
    inner = Git(repository / "ab")
    assert last_changes(inner, git(repository, "rev-parse", "HEAD"), path, ["x"]) == {"x": 1_100_000_000}


def test_what_lies_too_far_back_is_not_known(repository: Path) -> None:
    for number, name in enumerate(("old", "a", "b", "a")):
        put(repository, f"clusters/{name}/x.yaml", f"{number}", 1_100_000_000 + number)
    assert found(repository, most=3) == {"a": 1_100_000_003, "b": 1_100_000_002}
    assert found(repository, most=4) == {"a": 1_100_000_003, "b": 1_100_000_002, "old": 1_100_000_000}


def test_what_is_older_than_a_shallow_history_is_not_known(repository: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("old", "a", "b")):
        put(repository, f"clusters/{name}/x.yaml", f"{number}", 1_100_000_000 + number)
    for depth, known in ((1, {}), (2, {"b": 1_100_000_002}), (9, told(repository))):
        clone = tmp_path / f"clone{depth}"
        git(tmp_path, "clone", "-q", f"--depth={depth}", f"file://{repository}", str(clone))
        assert found(clone) == known


def test_a_shallow_history_that_made_the_path_knows_all(repository: Path, tmp_path: Path) -> None:
    put(repository, "elsewhere", "1", 1_100_000_000)
    put(repository, "clusters/a/x.yaml", "1", 1_100_000_001)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{repository}", str(clone))
    assert found(clone) == {"a": 1_100_000_001}


def test_nothing_is_known_of_what_is_not_there(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    assert last_changes(Git(repository), head, "clusters", ["a"]) == {}
    put(repository, "clusters/a", "a file", 1_100_000_000)
    put(repository, "clusters/b/x.yaml", "1", 1_100_000_001)
    assert found(repository) == {"a": 1_100_000_000, "b": 1_100_000_001}
