"""What starting costs, and saying that there is nothing to do: `python -m benchmarks.startup [--runs N]`.

CPU of whole processes, as multiples of `python -c pass` in the same run (medians; the commands take turns):
`--version`, a render of the quickstart, and `publish` and `render` of a workspace of 1,000 templates and
10,000 clusters that have nothing to do; and the hook `krender-check`, on that workspace and the quickstart.
The exit code is 1 where a goal is missed. What must not be imported on the way is looked at, too: a library
that creeps in shows there even on a noisy machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.fleet_workspace import template
from renderer.edge.standing import MARGIN

TEMPLATES = 1_000
CLUSTERS = 10_000
HEAVY = ("click", "yaml", "git", "jinja2", "json", "rich", "lupa", "jsonschema", "renderer.pipeline")
QUICKSTART = Path(__file__).parents[1] / "policies" / "quickstart"

_CLUSTER = "  - {name: store-%05d, region: r%d}\n"
_POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: some, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]
  placement: {clusterAffinity: {clusterNames: [store-00000, store-00001]}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A command, and how many times `python -c pass` it may take, and milliseconds (0: no matter)."""

    line: tuple[str, ...]
    must: float = 0
    milliseconds: float = 0


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "workspace"
        _write(root)
        publish = ("publish", str(root))
        render = ("render", str(root), "-o", f"{root}/out")
        # A first render writes, and a second one notes that there was nothing to do. What was found out by
        # reading all files is noted in its turn once these are not new any more.
        for line in (publish, render, render):
            _run([sys.executable, "-m", "renderer", *line])
        time.sleep(2 * MARGIN)
        for line in (publish, render):
            _run([sys.executable, "-m", "renderer", *line])
        check = _hooked(root)
        small = Path(scratch) / "quickstart"
        shutil.copytree(QUICKSTART, small)
        subprocess.run(["git", "init", "-q", str(small)], check=True)
        _run([sys.executable, "-m", "renderer", "render", str(small), "-o", f"{small}/out"])
        hook = _hooked(small)
        goals = {
            "--version": Goal(line=("--version",), must=6),
            "render of the quickstart": Goal(
                line=("render", str(QUICKSTART), "-o", f"{scratch}/quick", "--fresh")
            ),
            "publish, nothing to do": Goal(line=publish, must=10, milliseconds=150),
            "render, nothing to do": Goal(line=render, must=10, milliseconds=150),
            "krender-check, nothing to do": Goal(line=check),
            "the same, on the quickstart": Goal(line=hook, milliseconds=150),
        }
        crept = [module for line in (publish, render, hook) for module in _imported(line)]
        missed = _judged(goals, _medians(goals, runs))
    if crept:
        print(f"imported where nothing is to do: {', '.join(crept)}")
    return 1 if missed or crept else 0


def _hooked(root: Path) -> tuple[str, ...]:
    """What the hook runs on a workspace whose result lies in it, once all of that is in Git."""
    check = ("check", str(root), "-o", f"{root}/out", "--stale", "--tracked")
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    _run([sys.executable, "-m", "renderer", *check])
    return check


def _medians(goals: Mapping[str, Goal], runs: int) -> Mapping[str, float]:
    """CPU seconds of each command, and of `pass`."""
    lines: dict[str, Sequence[str]] = {"pass": [sys.executable, "-c", "pass"]}
    lines |= {name: [sys.executable, "-m", "renderer", *goal.line] for name, goal in goals.items()}
    spent: dict[str, list[float]] = {name: [] for name in lines}
    for _ in range(runs):
        for name, line in lines.items():
            spent[name].append(_run(line))
    return {name: median(times) for name, times in spent.items()}


def _judged(goals: Mapping[str, Goal], spent: Mapping[str, float]) -> bool:
    """Print the figures; whether one is above its goal."""
    base = spent["pass"]
    print(f"{'python -c pass':<30}{base * 1e3:8.1f} ms of CPU")
    missed = False
    for name, goal in goals.items():
        ratio, milliseconds = spent[name] / base, spent[name] * 1e3
        above = bool(goal.must and ratio > goal.must)
        above = above or bool(goal.milliseconds and milliseconds > goal.milliseconds)
        missed = missed or above
        wanted = f"(goal {goal.must:g})" if goal.must else ""
        print(f"{name:<30}{milliseconds:8.1f} ms {ratio:6.1f} x {wanted}{' MISSED' if above else ''}")
    return missed


def _run(line: Sequence[str]) -> float:
    """CPU seconds of a process and its children."""
    # Compiled files are kept, as an installed krender has them.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=kept)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, list(line))
    return usage.ru_utime + usage.ru_stime


def _imported(line: Sequence[str]) -> list[str]:
    """The heavy modules that a command imports; `json` may be needed to read the record of a directory."""
    script = (
        "import sys; from renderer.cli.noop import nothing_to_do\n"
        "assert nothing_to_do(sys.argv[1:]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, *line], check=True, capture_output=True, text=True)
    found = done.stdout.split()
    return [name for name in HEAVY if name in found and not (name == "json" and line[0] != "publish")]


def _write(root: Path) -> None:
    """The workspace, in a repository."""
    (root / "apps").mkdir(parents=True)
    for number in range(TEMPLATES):
        (root / "apps" / f"app-{number:03}.yaml").write_text(template(number))
    inventory = "apiVersion: krender.io/v1alpha1\nkind: ClusterInventory\nmetadata: {name: fleet}\n"
    clusters = "".join(_CLUSTER % (number, number % 20) for number in range(CLUSTERS))
    (root / "fleet.yaml").write_text(f"{inventory}spec:\n  clusters:\n{clusters}")
    (root / "policy.yaml").write_text(_POLICY)
    (root / ".krenderignore").write_text("/out/\n")
    (root / "namespace.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)


if __name__ == "__main__":
    sys.exit(main())
