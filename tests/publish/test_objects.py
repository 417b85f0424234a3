"""Objects are counted by their files, in the directories of clusters only."""

from __future__ import annotations

from renderer.model.tree import EMPTY_TREE, tree_of
from renderer.publish.changes import compare
from renderer.publish.objects import objects_in, objects_of

BEFORE = {
    "clusters/a/ns/x.yaml": b"1",
    "clusters/a/ns/y.yaml": b"1",
    "clusters/a/kustomization.yaml": b"1",
    "clusters/gone/_cluster/z.yaml": b"1",
    "clusters/gone/ns/x.yaml": b"1",
    ".krender/bindings/ns/x.yaml": b"1",
}
AFTER = {
    "clusters/a/ns/x.yaml": b"2",
    "clusters/a/kustomization.yaml": b"2",
    "clusters/b/ns/x.yaml": b"1",
    "clusters/c/ns/x.yaml": b"1",
    "clusters/c/.keep": b"",
    ".krender/bindings/ns/x.yaml": b"2",
}


def test_a_commit_is_counted_by_objects_on_clusters() -> None:
    assert objects_in(compare(tree_of(BEFORE), tree_of(AFTER), "sha1")) == (2, 1, 3)
    assert objects_in(compare(EMPTY_TREE, tree_of(BEFORE), "sha1")) == (4, 0, 0)
    assert objects_in(compare(tree_of(BEFORE), tree_of(BEFORE), "sha1")) == (0, 0, 0)


def test_files_that_were_written_are_counted_the_same_way() -> None:
    added = [path for path in AFTER if path not in BEFORE]
    changed = [path for path in AFTER if BEFORE.get(path, AFTER[path]) != AFTER[path]]
    removed = [path for path in BEFORE if path not in AFTER]
    assert objects_of(added, changed, removed) == (2, 1, 3)
