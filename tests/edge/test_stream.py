"""Any change of trees as commands for fast-import; each import checks that git built the tree meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from renderer.edge import stream
from renderer.edge.command import Git
from renderer.edge.importer import Draft, import_commit
from renderer.edge.stored import Objects
from renderer.model.tree import EMPTY_TREE, Blob, Tree, tree_of, walk
from tests.repositories import files_on, git, is_sound

SOMEBODY = "Ada <ada@example.com>"

names = st.sampled_from(["a", "b", "c.d", 'q"', '"', "n\nl", "back\\slash", "ä", "-", ".krender-scratch"])
nodes = st.recursive(
    st.sampled_from([b"", b"1", b"2", b"\0\xff"]).map(Blob),
    lambda inner: st.dictionaries(names, inner, max_size=3).map(Tree),
    max_leaves=14,
)
trees = st.dictionaries(names, nodes, max_size=4).map(Tree)


class Importer:
    """A bare repository into which one tree after the other is imported."""

    def __init__(self, path: Path) -> None:
        git(path, "init", "-q", "--bare", "objects.git")
        self.path = path / "objects.git"
        self.objects = Objects(Git(self.path), "sha1")

    def put(self, tree: Tree, old: Tree | None = None, parent: str | None = None) -> tuple[str, Tree]:
        """Import a tree; returns the commit and the tree as it is stored."""
        draft = Draft(author=SOMEBODY, committer=SOMEBODY, date=1, message="m", parent=parent)
        commit = import_commit(Git(self.path), self.path, draft, old, tree, "sha1")
        return commit, self.objects.tree(tree.object_id("sha1").hex())


@pytest.fixture
def importer(tmp_path: Path) -> Iterator[Importer]:
    made = Importer(tmp_path)
    yield made
    made.objects.close()


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(trees, min_size=2, max_size=4))
def test_any_tree_follows_any_tree(importer: Importer, states: list[Tree]) -> None:
    commit, old = importer.put(states[0])
    for tree in states[1:]:
        commit, old = importer.put(tree, old, commit)
        assert old == tree
    assert {path: blob.data for path, blob in walk(states[-1])} == files_on(importer.path, commit)


def test_thousands_of_clusters(importer: Importer) -> None:
    """Half of them alike; then a few change, some go, and the rest stay as they are."""
    clusters = {f"clusters/c{n}/ns/{f}": b"%d" % (n if n % 2 else 0) for n in range(1000) for f in "xyz"}
    commit, old = importer.put(tree_of(clusters))
    changed = {path: data for path, data in clusters.items() if "c7" not in path}
    changed |= {f"clusters/c{n}/ns/x": b"changed" for n in range(20)}
    commit, stored = importer.put(tree_of(changed), old, commit)
    assert stored == tree_of(changed)
    assert git(importer.path, "rev-list", "--count", commit) == "2"
    assert is_sound(importer.path)


def commands(old: Tree, new: Tree) -> list[bytes]:
    """The edits of a change, without ids."""
    lines = b"".join(stream.edits(old, new, "sha1")).splitlines()
    return [b" ".join(word for word in line.split() if len(word) < 40) for line in lines]


def test_equal_directories_are_put_together_once() -> None:
    tree = tree_of({"clusters/a/ns/x": b"1", "clusters/b/ns/x": b"1", "clusters/c/ns/x": b"2"})
    assert commands(EMPTY_TREE, tree) == [
        b"M 100644 .krender-scratch/ns/x",
        b'ls ".krender-scratch"',
        b"D .krender-scratch",
        b"M 100644 .krender-scratch/ns/x",
        b'ls ".krender-scratch"',
        b"D .krender-scratch",
        b"M 040000 clusters/a",
        b"M 040000 clusters/b",
        b"M 040000 clusters/c",
    ]


def test_only_what_changed_is_sent(importer: Importer) -> None:
    before = tree_of({f"clusters/{c}/ns/{f}": f.encode() for c in "abc" for f in "xyz"})
    after = tree_of({**{path: blob.data for path, blob in walk(before)}, "clusters/b/ns/y": b"new"})
    _, old = importer.put(before)
    assert b"".join(stream.files(old, after, "sha1")) == b"blob\ndata 3\nnew\n"
    assert commands(old, after) == [
        b"M 040000 .krender-scratch",
        b"M 100644 .krender-scratch/ns/y",
        b'ls ".krender-scratch"',
        b"D .krender-scratch",
        b"M 040000 clusters/b",
    ]
    assert not commands(old, before)
    assert not list(stream.files(old, before, "sha1"))


def test_files_are_sent_in_columns() -> None:
    """All clusters of one workload in a row: each compresses against the one before."""
    tree = tree_of({f"clusters/{c}/ns/{f}": f"{f}{c}".encode() for c in "ab" for f in "xy"} | {"top": b"t"})
    sent = b"".join(stream.files(EMPTY_TREE, tree, "sha1")).replace(b"blob\ndata ", b"").split(b"\n")
    assert sent[1::2] == [b"xa", b"xb", b"ya", b"yb", b"t"]
