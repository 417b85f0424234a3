"""A long run says what it is doing, on a terminal only, and leaves nothing of that behind."""

from __future__ import annotations

import io
import os
import pty
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

import pytest

from renderer.edge import progress
from renderer.edge.progress import clear, counted, shown, step


@dataclass
class Terminal:
    """A terminal whose screen can be read."""

    master: int
    stream: TextIO

    @contextmanager
    def shown(self) -> Iterator[None]:
        """What is told inside goes there, not what is printed; set up now, as pytest undoes it before."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stderr", self.stream)
            patch.setattr(sys, "stdout", io.StringIO())
            with shown():
                yield

    def text(self) -> str:
        """What has been written to it."""
        os.set_blocking(self.master, False)
        found = b""
        try:
            while True:
                found += os.read(self.master, 65536)
        except (BlockingIOError, OSError):
            return found.decode()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    """A terminal for errors; the output goes elsewhere."""
    master, slave = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    with open(slave, "w", encoding="utf-8") as stream:  # noqa: PTH123 - it has no path
        yield Terminal(master, stream)
    os.close(master)


def wait_for(terminal: Terminal, text: str) -> str:
    """What is on the terminal once a text has come; rich is imported first."""
    seen = ""
    for _ in range(200):
        seen += terminal.text()
        if text in seen:
            return seen
        time.sleep(0.05)
    raise AssertionError(f"{text!r} never came: {seen!r}")


def test_what_takes_long_is_told_with_its_number(terminal: Terminal) -> None:
    with terminal.shown():
        step("rendering")
        wait_for(terminal, "rendering")
        step("writing files", 1000)
        for number in counted(range(1000)):
            if number == 500:
                wait_for(terminal, "writing files: 500")
        clear()
        assert "\x1b[2K" in terminal.text()  # the line is wiped
        assert "\x1b[?25l" not in terminal.text()  # the cursor stays


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_is_printed_takes_the_line_away_first(terminal: Terminal, stream: str) -> None:
    with terminal.shown():
        step("rendering")
        wait_for(terminal, "rendering")
        print("a message", file=getattr(sys, stream))
        sys.stderr.flush()
        after = terminal.text().rpartition("\x1b[2K")[2]
        assert after == ("a message\r\n" if stream == "stderr" else "")
        time.sleep(0.5)
        assert "rendering" not in terminal.text()
        step("writing files")
        wait_for(terminal, "writing files")


def test_what_is_done_soon_is_not_told(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 30)
    with terminal.shown():
        step("rendering")
        step("writing files")
    assert terminal.text() == ""
    assert list(counted([1, 2])) == [1, 2]


def test_elsewhere_nothing_is_told(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with terminal.shown():
        step("rendering")
        clear()
        assert list(counted([1, 2])) == [1, 2]
        time.sleep(0.2)
    assert terminal.text() == ""


def test_without_any_output_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with shown():
        step("rendering")
