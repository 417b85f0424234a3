"""What a full disk leaves in a repository is removed, and what others are writing is not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from renderer.edge import leftovers
from renderer.edge.leftovers import clear_unfinished

NAMES = ("pack/tmp_pack_aB3", "pack/tmp_idx_x", "0f/tmp_obj_y")
pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="nobody tells what is open")


@pytest.fixture
def objects(tmp_path: Path) -> Path:
    """An object directory with unfinished files and with others."""
    for name in (*NAMES, "pack/pack-1.pack", "0f/0123", "info/tmp_obj_z"):
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(b"x")
    return tmp_path


def left(objects: Path) -> list[str]:
    """The unfinished files that are still there."""
    return [name for name in NAMES if (objects / name).exists()]


def test_what_is_unfinished_is_removed(objects: Path) -> None:
    clear_unfinished(objects, time.time() - 5)
    assert not left(objects)
    assert len([path for path in objects.rglob("*") if path.is_file()]) == 3


def test_what_somebody_is_writing_stays(objects: Path) -> None:
    with (objects / NAMES[0]).open("ab"):
        clear_unfinished(objects, time.time() - 5)
    assert left(objects) == [NAMES[0]]


def test_what_was_there_before_stays(objects: Path) -> None:
    clear_unfinished(objects, time.time() + 5)
    assert left(objects) == list(NAMES)


def test_what_belongs_to_somebody_else_stays(objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    clear_unfinished(objects, time.time() - 5)
    assert left(objects) == list(NAMES)


def test_where_nobody_knows_what_is_open_all_stays(
    objects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "_PROCESSES", tmp_path / "nothing")
    clear_unfinished(objects, time.time() - 5)
    assert left(objects) == list(NAMES)
