"""One publish of a fleet, step by step, for `benchmarks.fleet`: prints what each step took as JSON.

python -m benchmarks.fleet_worker WORKSPACE [--floor]
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from benchmarks.commit import PEAKS, Watched, contents, cpu
from renderer import __version__, pipeline
from renderer.cli.settling import settles
from renderer.edge import command
from renderer.edge.files import read_workspace
from renderer.edge.git import GitRepository
from renderer.layout.layout import lay_out
from renderer.load.workspace import load
from renderer.override.step import with_manifests
from renderer.publish.message import Origin
from renderer.publish.publisher import publish, published_at
from renderer.schedule.previous import read_previous

P = ParamSpec("P")
T = TypeVar("T")


class Clock:
    """CPU seconds by step."""

    def __init__(self) -> None:
        """Begin with what starting took."""
        self.spent = {"start-up": cpu()}

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Count what is done inside for the step."""
        began = cpu()
        yield
        self.spent[step] = self.spent.get(step, 0.0) + cpu() - began

    def timed(self, step: str, function: Callable[P, T]) -> Callable[P, T]:
        """The function, counted."""

        def call(*arguments: P.args, **options: P.kwargs) -> T:
            with self.timing(step):
                return function(*arguments, **options)

        return call


def main(root: Path, *, floor: bool) -> None:
    """Publish once and print."""
    clock = Clock()
    with clock.timing("load"):
        workspace = load(read_workspace(root))
    with GitRepository(root) as repository:
        with clock.timing("read back"):
            tip = repository.tip()
            previous = read_previous(published_at(tip))
        with (
            clock.timing("decide"),
            patch.object(pipeline, "with_manifests", clock.timed("override", with_manifests)),
            patch.object(pipeline, "lay_out", clock.timed("lay out", lay_out)),
        ):
            plan = pipeline.render(workspace, previous)
        with clock.timing("ids"):
            plan.tree.object_id(repository.algorithm)
        origin = Origin(
            version=__version__,
            input_digest=workspace.digest,
            date=1_700_000_000,
            settled=clock.timed("settle", partial(settles, plan)),
        )
        with clock.timing("commit"):
            assert publish(repository, tip, plan.tree, origin).commit
    amounts = clock.spent
    amounts["decide"] -= amounts["override"] + amounts["lay out"]
    amounts["commit"] -= amounts["settle"]
    amounts["python MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    amounts["git MiB"] = max(PEAKS, default=0) / 1024
    if floor:
        with clock.timing("floor"):
            for data in contents(plan.tree):
                hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).digest()
                zlib.compress(data, 1)
        amounts["objects MB"] = _size(root)
        subprocess.run(["git", "-C", str(root), "repack", "-adq"], check=True)
        amounts["repacked MB"] = _size(root)
    print(json.dumps(amounts))


def _size(root: Path) -> float:
    """Megabytes of objects in the repository."""
    objects = (root.parent / ".git" / "objects").rglob("*")
    return sum(path.stat().st_size for path in objects if path.is_file()) / 1e6


if __name__ == "__main__":
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    command.Child = Watched  # type: ignore[misc]
    main(Path(sys.argv[1]), floor="--floor" in sys.argv[2:])
