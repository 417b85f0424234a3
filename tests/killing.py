"""Processes that are killed while they work.

A small server, started once, forks a process for each attempt and kills it with SIGKILL after a delay;
forking the test process itself would not do, because test runners have threads.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from types import TracebackType

# Whether there is time for many kills.
THOROUGH = bool(os.environ.get("KRENDER_THOROUGH"))


class Killer:
    """Runs `module:function(*arguments)` in a process of its own and kills it, children and all."""

    def __init__(self, function: str) -> None:
        """Start the server for one function."""
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.killing", function],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Killer:
        """Use it in a with statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server."""
        self._server.communicate()

    def run(self, *arguments: str, after: float | None = None, alone: bool = False) -> float:
        """Run once and kill after so many seconds (None: let it finish). Returns how long it ran.

        `alone` kills the process but not its children. Raises AssertionError where it failed by itself.
        """
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([arguments, after, alone]) + "\n")
        self._server.stdin.flush()
        status, duration = json.loads(self._server.stdout.readline())
        assert status in (0, -signal.SIGKILL), f"the process ended with {status}"
        return float(duration)


def moments(count: int, duration: float, seed: int) -> Iterator[float]:
    """Delays spread evenly over a run of that duration and a little beyond, in random order."""
    dice = random.Random(seed)
    delays = [duration * 1.15 * (step + dice.random()) / count for step in range(count)]
    dice.shuffle(delays)
    yield from delays


def _serve(function: str) -> None:
    """Answer one request a line until the input ends."""
    module, _, name = function.partition(":")
    _adopt_orphans()
    work = getattr(importlib.import_module(module), name)
    for line in sys.stdin:
        arguments, after, alone = json.loads(line)
        began = time.monotonic()
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            os.close(0)  # the server's input is not the child's to read
            os.open(os.devnull, os.O_RDONLY)
            work(*arguments)
            os._exit(0)
        with contextlib.suppress(PermissionError):
            os.setpgid(child, child)
        if after is not None:
            time.sleep(after)
            with contextlib.suppress(ProcessLookupError):
                (os.kill if alone else os.killpg)(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        _await_orphans(child)
        print(json.dumps([os.waitstatus_to_exitcode(status), time.monotonic() - began]), flush=True)


def _adopt_orphans() -> None:
    """Become the parent of what the killed leave behind, where the system can do that."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _await_orphans(group: int) -> None:
    """Wait until nothing is left of a process group: what it still does belongs to the run."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return
        time.sleep(0.002)


if __name__ == "__main__":
    _serve(sys.argv[1])
