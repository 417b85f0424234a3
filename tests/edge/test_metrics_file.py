"""A file of metrics is replaced in one step, and whoever collects it may read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError
from renderer.edge.metrics_file import check_metrics_file, write_metrics


def test_the_file_is_readable_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write_metrics(tmp_path / "a.prom", "a 1\n")
    finally:
        os.umask(old)
    assert (tmp_path / "a.prom").stat().st_mode & 0o777 == 0o644
    assert [path.name for path in tmp_path.iterdir()] == ["a.prom"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "a.prom").symlink_to("real/b.prom")
    write_metrics(tmp_path / "a.prom", "a 1\n")
    assert (tmp_path / "a.prom").is_symlink()
    assert (tmp_path / "real" / "b.prom").read_text() == "a 1\n"


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    write_metrics(tmp_path / "a.prom", "a 1\n")
    with pytest.raises(UnicodeEncodeError):  # which no label can cause: any failure will do
        write_metrics(tmp_path / "a.prom", "\ud800")
    assert (tmp_path / "a.prom").read_text() == "a 1\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.prom"]


def test_what_cannot_be_written_is_told_when_the_run_is_over(tmp_path: Path) -> None:
    (tmp_path / "a.prom").mkdir()
    with pytest.raises(OutsideError, match="cannot write the metrics") as told:
        write_metrics(tmp_path / "a.prom", "a 1\n")
    assert told.value.why == "the run itself is over: only its metrics are missing"


@pytest.mark.parametrize(
    ("place", "what"),
    [
        pytest.param("nowhere/a.prom", "there is no directory", id="no-directory"),
        pytest.param("folder", "is no regular file", id="a-directory-in-its-place"),
        pytest.param("null", "is no regular file", id="a-device-in-its-place"),
    ],
)
def test_a_file_that_cannot_be_is_told_before_the_run(tmp_path: Path, place: str, what: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "null").symlink_to(os.devnull)
    with pytest.raises(OutsideError, match=what):
        check_metrics_file(tmp_path / place)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_may_not_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutsideError, match="cannot be written into"):
            check_metrics_file(tmp_path / "a.prom")
    finally:
        tmp_path.chmod(0o700)
