"""What a long run is doing, on a terminal: one line that is gone when there is something to say.

Shown from the second second on, and only if the errors go to a terminal. What is printed, a password that Git
asks for and a signature take the line away first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    import threading

    from rich.progress import Progress, TaskID

T = TypeVar("T")

PATIENCE = 1.0  # seconds before anything is shown


class _Line:
    """The line, from the first step on; it comes by itself after a while, in a thread of its own."""

    def __init__(self, terminal: TextIO) -> None:
        import threading

        self._terminal = terminal
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._shown: tuple[Progress, TaskID] | None = None
        self.doing = ""
        self._total: int | None = None
        self.done = 0

    def step(self, doing: str, total: int | None = None) -> None:
        """Tell what is being done now, and how much of it there is."""
        with self._lock:
            self.doing, self._total, self.done = doing, total, 0
            if self._shown is not None:
                progress, task = self._shown
                progress.reset(task, description=doing, total=total)
            elif self._timer is None:
                import threading

                self._timer = threading.Timer(PATIENCE, self._show)
                self._timer.daemon = True
                self._timer.start()

    def clear(self) -> None:
        """Take the line away until the next step."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._shown is not None:
                shown, self._shown = self._shown, None
                shown[0].stop()

    def _show(self) -> None:
        """Show it. Rich is imported here, where somebody waits anyway."""
        from rich.console import Console, RenderableType
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        class Plain(Console):
            def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002 - rich's signature
                """Leave the cursor: a run that is killed could not bring it back."""
                return False

        line = self

        class Counted(Progress):
            def get_renderables(self) -> Iterable[RenderableType]:
                """Look how far it is whenever the line is drawn, instead of being told each time."""
                for task in self.task_ids:
                    told = f"{line.doing}: {line.done:,}" if line.done else line.doing
                    self.update(task, completed=line.done, description=told)
                return super().get_renderables()

        with self._lock:
            if self._timer is None:  # it was cleared meanwhile
                return
            self._timer = None
            progress = Counted(
                TextColumn("{task.description}"),
                BarColumn(bar_width=30),
                TimeElapsedColumn(),
                console=Plain(file=self._terminal),
                transient=True,
                refresh_per_second=4,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._shown = progress, progress.add_task(self.doing, total=self._total)
            progress.start()


class _Clearing:
    """A stream that takes the line away before it writes."""

    def __init__(self, stream: TextIO, line: _Line) -> None:
        self._stream = stream
        self._line = line

    def write(self, text: str) -> int:
        self._line.clear()
        return self._stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


_line: _Line | None = None


def step(doing: str, total: int | None = None) -> None:
    """Tell what is being done now, and how much of it there is, if that is known."""
    if _line is not None:
        _line.step(doing, total)


def clear() -> None:
    """Take the line away until the next step: somebody else is about to write to the terminal."""
    if _line is not None:
        _line.clear()


def counted(items: Iterable[T]) -> Iterable[T]:
    """The items of a step, counted as they are taken."""
    return items if _line is None else _counted(items, _line)


def _counted(items: Iterable[T], line: _Line) -> Iterator[T]:
    for item in items:
        yield item
        line.done += 1


@contextmanager
def shown() -> Iterator[None]:
    """Show what is told inside, if the errors go to a terminal."""
    global _line
    terminal, out = sys.stderr, sys.stdout
    if terminal is None or not terminal.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    line = _line = _Line(terminal)
    sys.stderr = _Clearing(terminal, line)
    if out is not None:
        sys.stdout = _Clearing(out, line)
    try:
        yield
    finally:
        line.clear()
        sys.stderr, sys.stdout, _line = terminal, out, None
