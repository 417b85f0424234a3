"""Replacing directories, on systems and file systems of all kinds."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

import pytest

from renderer.edge import workbench
from renderer.edge.errors import OutsideError
from renderer.edge.workbench import Workbench, exchange, flush


class LibraryWith:
    """The C library with only some of its functions."""

    def __init__(self, *names: str) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        for name in names:
            setattr(self, name, getattr(library, name))


def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two directories that can be told apart."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    (one / "1").touch()
    return one, other


@pytest.mark.parametrize("names", [("renameat2",), ("syscall",)], ids=["renameat2", "bare-system-call"])
def test_directories_change_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    if not hasattr(ctypes.CDLL(None), "renameat2"):
        pytest.skip("not Linux with a recent C library")
    one, other = two(tmp_path)
    library = LibraryWith(*names)
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    assert exchange(one, other)
    assert (other / "1").exists()
    assert not (one / "1").exists()


def test_what_cannot_be_exchanged_is_told_from_what_must_not(tmp_path: Path) -> None:
    one, _ = two(tmp_path)
    with pytest.raises(FileNotFoundError):
        exchange(one, tmp_path / "missing")


def test_a_system_that_cannot_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = LibraryWith()
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    monkeypatch.setattr(workbench, "_SYSCALLS", {})
    assert not exchange(*two(tmp_path))


def test_a_file_system_that_cannot_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "_SWAP", 1 << 30)  # a flag that every file system refuses
    assert not exchange(*two(tmp_path))


def test_without_syncfs_everything_is_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed = []
    library = LibraryWith()
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    monkeypatch.setattr(os, "sync", lambda: flushed.append(True))
    flush(tmp_path)
    assert flushed


def test_a_move_that_fails_puts_the_old_state_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "exchange", lambda *_: False)
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").touch()
    bench = Workbench(target)
    monkeypatch.setattr(workbench, "flush", lambda _: None)  # there is no new state at all
    with pytest.raises(FileNotFoundError), bench:
        bench.swap()
    assert (target / "old").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_bench_that_stays_taken_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "_PATIENCE", 0.05)
    again = Workbench(tmp_path / "out")
    with Workbench(tmp_path / "out"), pytest.raises(OutsideError, match="another krender"):
        again.__enter__()
    with again:
        pass


def test_a_bench_that_cannot_be_cleared_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".krender-out/next").mkdir(parents=True)

    def refuse(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(workbench, "_remove", refuse)
        with pytest.raises(OSError, match="Input/output"), Workbench(tmp_path / "out"):
            pass
    with Workbench(tmp_path / "out"):  # nobody holds it any more
        pass


def test_leftovers_are_cleared_also_where_they_are_read_only(tmp_path: Path) -> None:
    deep = tmp_path / ".krender-out/next/deep"
    deep.mkdir(parents=True)
    (deep / "file").touch()
    (deep / "link").symlink_to(tmp_path)
    deep.chmod(0o500)
    with Workbench(tmp_path / "out"):
        pass
    assert not any(tmp_path.iterdir())


def test_directories_are_opened_before_they_are_removed(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a/b").chmod(0)
    (tmp_path / "a").chmod(0o400)
    workbench._open_up(tmp_path)
    assert [oct(path.stat().st_mode)[-3:] for path in (tmp_path / "a", tmp_path / "a/b")] == ["700", "700"]
