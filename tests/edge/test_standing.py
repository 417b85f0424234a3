"""An answer stands as long as nothing that it depends on is touched, and not a moment longer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.edge import standing
from renderer.edge.cache import cache
from renderer.edge.standing import Watched, note, recall
from tests.repositories import commit, git, new_repository

ASKED = ("render", "here")
Touch = Callable[[Path], object]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of its own, and files that need not be old."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(standing, "MARGIN", 0.02)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with a file, and one in it with another; not new any more."""
    place = tmp_path / "place"
    (place / "in").mkdir(parents=True)
    (place / "file").write_text("one")
    (place / "in/file").write_text("two")
    (tmp_path / "link").symlink_to(place)
    time.sleep(0.05)
    return place


def noted(place: Path, *, holds: bool = True) -> None:
    """Have an answer noted down that depends on all of it."""
    watched = Watched(str(place), ["", "file", "in", "in/file"])
    note(ASKED, "nothing to do", [watched], (), lambda: holds)


def same_size_and_times(place: Path) -> None:
    """Another content, made to look like the old one."""
    before = (place / "file").stat()
    (place / "file").write_text("two")
    os.utime(place / "file", ns=(before.st_atime_ns, before.st_mtime_ns))


def put_in_its_place(place: Path) -> None:
    """A file moved over another one."""
    shutil.copy2(place / "file", place.parent / "other")
    (place.parent / "other").replace(place / "file")


def turned(place: Path) -> None:
    """What the directory's name leads to is another one with the same content."""
    shutil.copytree(place, place.parent / "twin")
    place.rename(place.parent / "old")
    (place.parent / "twin").rename(place)


def linked_elsewhere(place: Path) -> None:
    """The link leads elsewhere."""
    shutil.copytree(place, place.parent / "twin")
    (place.parent / "link").unlink()
    (place.parent / "link").symlink_to("twin")


@pytest.mark.parametrize(
    "touch",
    [
        pytest.param(lambda place: (place / "in/file").write_text("new"), id="an-edit"),
        pytest.param(lambda place: (place / "in/file").unlink(), id="a-file-that-is-gone"),
        pytest.param(lambda place: (place / "in/new").write_text(""), id="a-new-file"),
        pytest.param(lambda place: (place / "in/new").mkdir(), id="a-new-directory"),
        pytest.param(same_size_and_times, id="an-edit-made-to-look-old"),
        pytest.param(put_in_its_place, id="a-file-moved-over-another"),
        pytest.param(turned, id="another-directory-in-its-place"),
        pytest.param(lambda place: shutil.rmtree(place), id="nothing-in-its-place"),
    ],
)
def test_whatever_is_touched_is_looked_into_again(place: Path, touch: Touch) -> None:
    noted(place)
    assert recall(ASKED) == "nothing to do"
    touch(place)
    assert recall(ASKED) is None


def test_a_link_on_the_way_that_leads_elsewhere_is_noticed(place: Path) -> None:
    noted(place.parent / "link")
    assert recall(ASKED) == "nothing to do"
    linked_elsewhere(place)
    assert recall(ASKED) is None


def test_what_has_just_changed_is_not_noted_down(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "MARGIN", 60)
    noted(place)
    assert recall(ASKED) is None


def test_what_does_not_hold_at_a_second_look_is_not_noted_down(place: Path) -> None:
    noted(place, holds=False)
    assert recall(ASKED) is None


def test_another_command_line_directory_or_user_has_no_answer(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(place)
    assert recall((*ASKED, "--dry-run")) is None
    for name in ("HOME", "SOURCE_DATE_EPOCH"):
        with monkeypatch.context() as other:
            other.setenv(name, "1")
            assert recall(ASKED) is None
    assert recall(ASKED)
    monkeypatch.chdir(tmp_path)
    assert recall(ASKED) is None


@pytest.mark.parametrize("left", [0, 1, 20, -1])
def test_half_a_note_is_none(place: Path, left: int) -> None:
    noted(place)
    (found,) = (cache() / "standing").iterdir()
    found.write_bytes(found.read_bytes()[:left])
    assert recall(ASKED) is None


def test_an_answer_about_a_branch_stands_as_long_as_git_says_the_same(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "repository")
    time.sleep(0.05)
    asked = (str(repository), "rev-parse", "main")
    watched = Watched(str(repository), ["policy.yaml"])
    note(ASKED, "published", [watched], asked, lambda: True)
    assert recall(ASKED) == "published"
    commit(repository, "Second", 1_000_000_001)
    assert recall(ASKED) is None
    git(repository, "reset", "-q", "--soft", "HEAD~")
    assert recall(ASKED) == "published"
    git(repository, "branch", "-m", "other")
    assert recall(ASKED) is None


def test_without_git_there_is_no_answer_about_a_branch(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    note(ASKED, "published", [Watched(str(place), ["file"])], (str(place), "version"), lambda: True)
    assert recall(ASKED) is None


def test_only_the_newest_notes_are_kept(place: Path) -> None:
    for number in range(35):
        note(("render", str(number)), "x", [Watched(str(place), ["file"])], (), lambda: True)
    assert len(list((cache() / "standing").iterdir())) == 30
    assert recall(("render", "34")) == "x"
    assert recall(("render", "0")) is None


def test_next_to_nothing_is_imported(place: Path) -> None:
    noted(place)
    script = (
        "import sys; before = {*sys.modules}; from renderer.edge.standing import recall\n"
        "assert recall(sys.argv[1:]); print(*{*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", script, *ASKED], check=True, capture_output=True, text=True)
    found = {name for name in done.stdout.split() if not name.startswith("renderer")}
    assert found <= {"__future__", "_struct", "struct", "zlib"}
