"""Running krender's own commands, as a user would type them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    printed: str
    said: str


def run_krender(*arguments: str, extra: Mapping[str, str]) -> Ran:
    """Run a command to its end, with more in its environment."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "renderer", *arguments],
        env=os.environ | dict(extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Ran(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )
