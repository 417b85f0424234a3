"""What changes from one tree to the next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.tree import EMPTY_TREE, Blob, Tree, tree_of, walk
from renderer.publish.changes import Changes, ClusterChanges, FileChanges, compare

BEFORE = {
    "clusters/a/ns/x": b"1",
    "clusters/a/ns/y": b"1",
    "clusters/b/ns/x": b"1",
    ".krender/owned": b"1",
    "delivery/app": b"1",
}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param(BEFORE, Changes(), id="nothing"),
        pytest.param(BEFORE | {".krender/owned": b"2"}, Changes(), id="the-record-follows-from-the-rest"),
        pytest.param(
            BEFORE | {"clusters/a/ns/x": b"2", "clusters/a/z": b""},
            Changes(
                clusters=(ClusterChanges(cluster="a", files=FileChanges(added=("z",), changed=("ns/x",))),)
            ),
            id="files-of-a-cluster",
        ),
        pytest.param(
            {path: data for path, data in BEFORE.items() if "/b/" not in path} | {"clusters/c/x": b""},
            Changes(
                clusters=(
                    ClusterChanges(cluster="b", files=FileChanges(removed=("ns/x",)), gone=True),
                    ClusterChanges(cluster="c", files=FileChanges(added=("x",)), new=True),
                )
            ),
            id="whole-clusters",
        ),
        pytest.param(
            {path: data for path, data in BEFORE.items() if path != "delivery/app"}
            | {"delivery/app/x": b"", ".krender/bindings/b": b""},
            Changes(
                elsewhere=FileChanges(
                    added=(".krender/bindings/b", "delivery/app/x"), removed=("delivery/app",)
                )
            ),
            id="elsewhere-and-a-file-that-becomes-a-directory",
        ),
    ],
)
def test_compare(after: dict[str, bytes], expected: Changes) -> None:
    assert compare(tree_of(BEFORE), tree_of(after), "sha1") == expected


def test_the_first_publish_adds_everything_but_the_record() -> None:
    assert compare(EMPTY_TREE, tree_of(BEFORE), "sha1").counts == (4, 0, 0)
    assert compare(tree_of(BEFORE), EMPTY_TREE, "sha1").counts == (0, 0, 4)


def test_clusters_that_change_alike_share_one_value() -> None:
    clusters = {f"clusters/{number}/x": b"%d" % number for number in range(50)}
    changes = compare(EMPTY_TREE, tree_of(clusters), "sha1")
    assert len({id(cluster.files) for cluster in changes.clusters}) == 1


names = st.sampled_from(["a", "b", "clusters", ".krender", "owned"])
nodes = st.recursive(
    st.sampled_from([b"1", b"2"]).map(Blob),
    lambda inner: st.dictionaries(names, inner, max_size=3).map(Tree),
    max_leaves=12,
)
trees = st.dictionaries(names, nodes, max_size=4).map(Tree)


@given(trees, trees)
def test_changes_are_the_difference_of_the_files(old: Tree, new: Tree) -> None:
    changes = compare(old, new, "sha1")
    added = set(changes.elsewhere.added)
    changed = set(changes.elsewhere.changed)
    removed = set(changes.elsewhere.removed)
    for cluster in changes.clusters:
        base = f"clusters/{cluster.cluster}"
        files = cluster.files
        added |= {f"{base}/{p}" if p else base for p in files.added}
        changed |= {f"{base}/{p}" if p else base for p in files.changed}
        removed |= {f"{base}/{p}" if p else base for p in files.removed}
    before, after = dict(walk(old)), dict(walk(new))
    before.pop(".krender/owned", None)
    after.pop(".krender/owned", None)
    assert added == after.keys() - before.keys()
    assert removed == before.keys() - after.keys()
    assert changed == {path for path in before.keys() & after.keys() if before[path] != after[path]}


def test_a_renamed_cluster_is_compared_with_what_it_was() -> None:
    old = tree_of({"clusters/a/x": b"1", "clusters/b/x": b"1", "clusters/b/y": b"1"})
    new = tree_of({"clusters/a/x": b"1", "clusters/c/x": b"1", "clusters/c/y": b"2"})
    assert compare(old, new, "sha1", {"b": "c"}).clusters == (
        ClusterChanges(cluster="c", files=FileChanges(changed=("y",)), was="b"),
    )
    moved = compare(
        old,
        tree_of({"clusters/a/x": b"1", "clusters/c": tree_of({"x": b"1", "y": b"1"})}),
        "sha1",
        {"b": "c"},
    )
    assert moved.clusters == (ClusterChanges(cluster="c", files=FileChanges(), was="b"),)
