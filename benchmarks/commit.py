"""What a commit of a fleet costs: `python -m benchmarks.commit [CLUSTERS ...]`.

A hundred manifests of 1.6 KB a cluster, all distinct, are committed by krender and by fast-import with the
data inline (cluster by cluster, a flat folder), and compared with the floor: SHA-1 and zlib -1 of the same
bytes. Then a hundred files are changed. CPU seconds are those of Python and Git together, of one run.
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from renderer.edge import command
from renderer.edge.command import Child
from renderer.edge.git import GitRepository
from renderer.model.tree import Blob, Tree, placed
from renderer.publish.message import Origin
from renderer.publish.publisher import publish

WORKLOADS = 100
ORIGIN = Origin(version="0", input_digest="0", date=1_700_000_000)
_PART = (
    b"        - name: SETTING_%02d\n          value: https://service-%02d.shop.svc.cluster.local:8443/v1\n"
)


def cpu() -> float:
    """CPU seconds of this process and of its ended children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def fleet(clusters: int, *, distinct: bool = True) -> Tree:
    """A fleet whose manifests share all text but a cluster's own values, or all of it."""
    parts = [_manifest(workload) for workload in range(WORKLOADS)]
    same = _store(b"store", parts)
    names = [f"store-{number:05}" for number in range(clusters)]
    return Tree(
        {"clusters": Tree({name: _store(name.encode(), parts) if distinct else same for name in names})}
    )


def _store(name: bytes, parts: Sequence[tuple[bytes, bytes]]) -> Tree:
    """One cluster's directory."""
    files = {
        f"deployment.apps.app-{n:03}.yaml": Blob(head, name, tail) for n, (head, tail) in enumerate(parts)
    }
    return Tree({"shop": Tree(files)})


def _manifest(workload: int) -> tuple[bytes, bytes]:
    """The text before and after a cluster's own value."""
    head = (
        b"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%03d\n  labels:\n    store: "
        % workload
    )
    return head, b"\nspec:\n" + b"".join(_PART % (n, (n * workload) % 97) for n in range(17))


def floor(tree: Tree) -> None:
    """Hash and compress every file once."""
    for data in contents(tree):
        hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).digest()
        zlib.compress(data, 1)


def inline(tree: Tree, repository: Path) -> None:
    """What one would write first: each file with its data where it belongs."""
    child = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--done"], cwd=repository, stdin=subprocess.PIPE, bufsize=1 << 18
    )
    assert child.stdin is not None
    child.stdin.write(b"commit refs/heads/inline\ncommitter a <a@b> 1 +0000\ndata 0\n\n")
    clusters = tree["clusters"]
    assert isinstance(clusters, Tree)
    for cluster, directory in clusters.items():
        assert isinstance(directory, Tree)
        shop = directory["shop"]
        assert isinstance(shop, Tree)
        for name, blob in shop.items():
            assert isinstance(blob, Blob)
            path = f"clusters/{cluster}/shop/{name}".encode()
            child.stdin.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path, len(blob.data), blob.data))
    child.stdin.write(b"done\n")
    child.stdin.close()
    assert child.wait() == 0


def put(tree: Tree, repository: Path) -> None:
    """Publish as krender does."""
    with GitRepository(repository) as opened:
        assert publish(opened, opened.tip(), tree, ORIGIN).commit


def changed(tree: Tree) -> Tree:
    """The fleet with one file of each of a hundred clusters changed."""
    for number in range(100):
        path = f"clusters/store-{number * 7 % 1000:05}/shop/deployment.apps.app-050.yaml"
        tree = placed(tree, path, Blob(b"changed: %d\n" % number))
    return tree


def contents(tree: Tree) -> Iterator[bytes]:
    """The content of every file, one after the other."""
    for node in tree.values():
        if isinstance(node, Tree):
            yield from contents(node)
        else:
            yield node.data


@contextmanager
def _repository() -> Iterator[Path]:
    """An empty repository that goes away."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["git", "init", "-q", "--bare", directory], check=True)
        yield Path(directory)


def _timed(work: Callable[[], None]) -> float:
    """CPU seconds of some work."""
    before = cpu()
    work()
    return cpu() - before


def measure(clusters: int) -> None:
    """Print one table."""
    files = clusters * WORKLOADS
    print(f"{clusters} clusters x {WORKLOADS} files")

    def row(what: str, seconds: float, base: float) -> None:
        each = seconds / files * 1e6
        print(f"  {what:<44} {seconds:8.3f} CPU s {each:8.2f} us/file {seconds / base:6.2f} x floor")

    tree = fleet(clusters)
    base = _timed(lambda: floor(tree))
    row("floor: SHA-1 and zlib -1", base, base)
    with _repository() as repository:
        row("all distinct, first commit", _timed(lambda: put(tree, repository)), base)
        size = sum(path.stat().st_size for path in repository.rglob("objects/**/*") if path.is_file())
        print(f"  objects on disk: {size / 1e6:.1f} MB")
        after = changed(tree)
        row("100 files changed (ids of the rest known)", _timed(lambda: put(after, repository)), base)
        row("nothing changed (a new process's first look)", _timed(lambda: _look(clusters, repository)), base)
    with _repository() as repository:
        row("fast-import inline, cluster by cluster", _timed(lambda: inline(tree, repository)), base)
    same = fleet(clusters, distinct=False)
    with _repository() as repository:
        row("all clusters identical", _timed(lambda: put(same, repository)), base)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"  peak memory so far: Python {own / 1024:.0f} MiB, git {max(PEAKS, default=0) / 1024:.0f} MiB")


PEAKS: list[int] = []  # KiB, of each git that was fed


class Watched(Child):
    """Notes how much memory a git used: what getrusage tells of children counts the Python they began as."""

    def end(self) -> int:
        """Look just before the end."""
        if not self.feed.closed:
            self.feed.flush()
            status = Path(f"/proc/{self.number}/status").read_text()
            PEAKS.extend(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
        return super().end()


def _look(clusters: int, repository: Path) -> None:
    """Compare a freshly built fleet with what is published, of which a hundred files are not the same."""
    with GitRepository(repository) as opened:
        tip = opened.tip()
        assert tip is not None
        assert tip.tree["clusters"].object_id("sha1") != fleet(clusters).object_id("sha1")


if __name__ == "__main__":
    os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
    command.Child = Watched  # type: ignore[misc]
    for count in [int(argument) for argument in sys.argv[1:]] or [1000, 10_000]:
        measure(count)
