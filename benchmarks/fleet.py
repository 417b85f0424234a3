"""What publishing a fleet costs, step by step: `python -m benchmarks.fleet [--clusters N …] [--workloads M]`.

Each step is timed in a fresh process, in CPU seconds of Python and Git together; the median of the runs is
printed. The large run is

    python -m benchmarks.fleet --clusters 1000 10000 --workloads 100 --runs 5

Beside it stand, in the same run, the floor (SHA-1 and zlib -1 of the same bytes), `kubectl kustomize` of one
overlay a cluster where kubectl is on PATH, and CSafeLoader + jsonpatch + CSafeDumper of each manifest.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TypeAlias

from benchmarks.fleet_workspace import REGIONS, SHAPES, edit_policy, store, template, write_workspace

# step: CPU seconds, or another amount that its name tells
Amounts: TypeAlias = dict[str, float]

STEPS = ("load", "read back", "decide", "override", "lay out", "ids", "settle", "commit")
_OVERLAYS = 3


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--clusters", type=int, nargs="+", default=[200])
    parser.add_argument("--workloads", type=int, default=20)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES)
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    base = median(_cpu([sys.executable, "-c", "pass"])[0] for _ in range(max(asked.runs, 5)))
    print(f"python -c pass: {base * 1e3:.1f} ms of CPU")
    totals: dict[tuple[int, str], float] = {}
    for clusters in asked.clusters:
        files = clusters * asked.workloads
        for shape in asked.shapes:
            print(f"\n{clusters} clusters x {asked.workloads} workloads, {shape}:")
            first, later, noop = _measured(clusters, asked.workloads, shape, asked.runs)
            totals[clusters, shape] = _show(first, later, noop, files, base)
        _show_peers(clusters, asked.workloads, asked.runs, totals)
    _show_growth(asked.clusters, totals)


def _measured(clusters: int, workloads: int, shape: str, runs: int) -> tuple[Amounts, Amounts, Amounts]:
    """Medians of a first publish, of one after an edit, and of one that has nothing to do."""
    firsts, laters, noops = [], [], []
    for number in range(runs):
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch) / "workspace"
            write_workspace(root, clusters, workloads, shape)
            subprocess.run(["git", "init", "-q", scratch], check=True)
            firsts.append(_worker(root, floor=True))
            noops += [_noop(root) for _ in range(2)]
            edit_policy(root, clusters, number)
            laters.append(_worker(root, floor=False))
    return _medians(firsts), _medians(laters), _medians(noops)


def _worker(root: Path, *, floor: bool) -> Amounts:
    """Publish once in a process of its own."""
    line = [sys.executable, "-m", "benchmarks.fleet_worker", str(root), *(["--floor"] if floor else [])]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    amounts: Amounts = json.loads(done.stdout)
    return amounts


def _noop(root: Path) -> Amounts:
    """`krender publish` once more, as a user runs it."""
    seconds, peak = _cpu([sys.executable, "-m", "renderer", "publish", str(root)])
    return {"seconds": seconds, "python MiB": peak}


def _cpu(line: Sequence[str]) -> tuple[float, float]:
    """CPU seconds of a process with its children, and its peak of memory in MiB."""
    # Compiled files are kept, as an installed krender has them.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL, env=kept)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, list(line))
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024  # of ru_maxrss: bytes there, KiB elsewhere
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def _medians(runs: Sequence[Mapping[str, float]]) -> Amounts:
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _show(first: Amounts, later: Amounts, noop: Amounts, files: int, base: float) -> float:
    """Print one fleet; returns the CPU seconds of its first publish."""
    floor = first["floor"]
    for name, run in (("first publish", first), ("policy edit, 100 files", later)):
        whole = sum(run[step] for step in STEPS)
        steps = ", ".join(f"{step} {run[step]:.3f}" for step in STEPS)
        each = whole / files * 1e6
        print(f"  {name:<23}{whole:9.3f} CPU s {each:8.2f} us/file {whole / floor:6.2f} x floor")
        print(f"    {steps}; start-up {run['start-up']:.3f}")
        print(f"    peak: Python {run['python MiB']:.0f} MiB, git {run['git MiB']:.0f} MiB")
    print(f"  floor{'':<18}{floor:9.3f} CPU s {floor / files * 1e6:8.2f} us/file")
    rendered = first["decide"] + first["override"] + first["lay out"]
    print(f"  rendered, not committed: {files / rendered:.0f} manifests per CPU s")
    print(
        f"  edit against first publish: {_share(later, first, STEPS):.5f}, "
        f"commit alone {_share(later, first, ('commit',)):.5f}"
    )
    print(
        f"  nothing to do: {noop['seconds'] * 1e3:.1f} ms of CPU, {noop['seconds'] / base:.1f} x python -c "
        f"pass, {noop['python MiB']:.0f} MiB"
    )
    stored, packed = first["objects MB"], first["repacked MB"]
    print(f"  objects on disk: {stored:.2f} MB, {stored / packed:.2f} x those after repack -ad")
    return sum(first[step] for step in STEPS)


def _share(one: Amounts, other: Amounts, steps: Sequence[str]) -> float:
    return sum(one[step] for step in steps) / sum(other[step] for step in steps)


def _show_growth(sizes: Sequence[int], totals: Mapping[tuple[int, str], float]) -> None:
    """Print how the cost of a file grows with the fleet."""
    small, large = min(sizes), max(sizes)
    for shape in SHAPES if small != large else ():
        if (small, shape) in totals:
            ratio = (totals[large, shape] / large) / (totals[small, shape] / small)
            print(f"{shape}: a file of {large} clusters costs {ratio:.2f} x one of {small}")


def _show_peers(clusters: int, workloads: int, runs: int, totals: Mapping[tuple[int, str], float]) -> None:
    """Print what others take for the same manifests, and what distinct ones cost beside few."""
    print(
        f"\n{clusters} clusters x {workloads} workloads, the same by others ({_OVERLAYS} clusters measured):"
    )
    peers = {"CSafeLoader + jsonpatch + CSafeDumper": median(_library(workloads) for _ in range(runs))}
    if shutil.which("kubectl"):
        peers["kubectl kustomize"] = median(_kustomize(workloads) for _ in range(runs))
    for name, seconds in peers.items():
        print(f"  {name:<40}{1 / seconds:9.0f} manifests per CPU s")
    if (clusters, "few") in totals and (clusters, "all") in totals:
        print(f"  few distinct against all: {totals[clusters, 'few'] / totals[clusters, 'all']:.3f}")


def _library(workloads: int) -> float:
    """CPU seconds a manifest of what one would write first."""
    import jsonpatch
    import yaml

    began = time.process_time()
    for cluster in range(_OVERLAYS):
        patch = jsonpatch.JsonPatch(list(_operations(cluster)))
        for number in range(workloads):
            body = patch.apply(yaml.load(template(number), Loader=yaml.CSafeLoader))
            image = body["spec"]["template"]["spec"]["containers"][0]
            image["image"] = image["image"].replace("registry.example", _registry(cluster))
            yaml.dump(body, Dumper=yaml.CSafeDumper, sort_keys=False)
    return (time.process_time() - began) / (_OVERLAYS * workloads)


def _operations(cluster: int) -> Iterator[Mapping[str, str]]:
    """What a cluster has of its own, as a JSON patch."""
    yield {"op": "add", "path": "/metadata/labels/store", "value": store(cluster)}
    path = "/spec/template/spec/containers/0/env/0/value"
    yield {"op": "replace", "path": path, "value": store(cluster)}


def _registry(cluster: int) -> str:
    return f"r{cluster % REGIONS}.mirror.example"


def _kustomize(workloads: int) -> float:
    """CPU seconds a manifest of one overlay a cluster."""
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch) / "base"
        base.mkdir()
        names = [f"app-{number:03}" for number in range(workloads)]
        for number, name in enumerate(names):
            (base / f"{name}.yaml").write_text(template(number))
        (base / "kustomization.yaml").write_text(
            json.dumps({"resources": [f"{name}.yaml" for name in names]})
        )
        spent = 0.0
        for cluster in range(_OVERLAYS):
            overlay = Path(scratch) / store(cluster)
            overlay.mkdir()
            images = [
                {"name": f"registry.example/team/{name}", "newName": f"{_registry(cluster)}/team/{name}"}
                for name in names
            ]
            patches = [{"target": {"kind": "Deployment"}, "patch": json.dumps(list(_operations(cluster)))}]
            wanted = {"resources": ["../base"], "images": images, "patches": patches}
            (overlay / "kustomization.yaml").write_text(json.dumps(wanted))
            spent += _cpu(["kubectl", "kustomize", str(overlay)])[0]
    return spent / (_OVERLAYS * workloads)


if __name__ == "__main__":
    main()
