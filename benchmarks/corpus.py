"""What rendering real manifests costs, cold: a fresh process that reads, decides and writes files.

python -m benchmarks.corpus [--runs N]

The workspaces are those of tests/corpus: Online Boutique, kube-prometheus and Karmada's samples on thirty
clusters. Each run writes into a new directory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from renderer.document.file import SourceFile
from tests.corpus.fleet import ABSENT, CORPUS, workspaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one process took: seconds of wall clock and of CPU, and its peak of memory in MiB."""

    wall: float
    cpu: float
    peak: float


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each workspace; the median is printed")
    runs = parser.parse_args().runs
    if not CORPUS.is_dir():
        print(ABSENT)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        for number, files in enumerate(workspaces()):
            root = Path(scratch) / f"workspace-{number}"
            _write(files, root)
            outputs = [Path(scratch) / f"out-{number}-{run}" for run in range(runs)]
            costs = [
                cost([sys.executable, "-m", "renderer", "render", str(root), "-o", str(o)]) for o in outputs
            ]
            print(f"{_size(root)} -> {_size(outputs[0])}: {_middle(costs)}")
    print(f"python -c pass: {_middle([cost([sys.executable, '-c', 'pass']) for _ in range(runs)])}")
    return 0


def cost(command: Sequence[str]) -> Cost:
    """Run a command to its end. Raises CalledProcessError where it fails.

    A process begins as a copy of the one that starts it: the peak is never seen to be below ours.
    """
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, list(command))
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024  # of ru_maxrss: bytes there, KiB elsewhere
    return Cost(wall=wall, cpu=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss / unit)


def _write(files: Iterable[SourceFile], root: Path) -> None:
    for file in files:
        target = root / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


def _size(root: Path) -> str:
    sizes = [path.stat().st_size for path in root.rglob("*") if path.is_file()]
    return f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"


def _middle(costs: Sequence[Cost]) -> str:
    wall, cpu = median(c.wall for c in costs), median(c.cpu for c in costs)
    return f"{wall:.2f} s, {cpu:.2f} s of CPU, {max(c.peak for c in costs):.0f} MiB at most"


if __name__ == "__main__":
    sys.exit(main())
