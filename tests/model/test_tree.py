"""Trees of files as values."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.tree import EMPTY_TREE, Blob, Tree, count, digest, placed, tree_of, walk

names = st.sampled_from(["a", "a.b", "a-b", "b", "ä", "z", "a0"])
folders = st.recursive(
    st.binary(max_size=3).map(Blob),
    lambda inner: st.dictionaries(names, inner, max_size=4).map(Tree),
    max_leaves=12,
)
trees = st.dictionaries(names, folders, max_size=5).map(Tree)


@given(trees)
def test_a_tree_is_what_it_walks_in_byte_order(tree: Tree) -> None:
    files = dict(walk(tree))
    assert [path.encode() for path in files] == sorted(path.encode() for path in files)
    again = tree_of({path: blob.data for path, blob in reversed(files.items())})
    assert again == tree
    assert digest(again) == digest(tree)
    assert count(tree) == len(files)


@given(trees, trees)
def test_digests_are_equal_exactly_where_trees_are(one: Tree, other: Tree) -> None:
    assert (digest(one) == digest(other)) == (one == other) == (dict(walk(one)) == dict(walk(other)))


@given(trees)
def test_every_file_is_found_by_its_path(tree: Tree) -> None:
    for path, blob in walk(tree):
        assert tree.at(path) is blob
        assert tree.at(f"{path}/below") is None


def test_ids_are_gits(tmp_path: Path) -> None:
    tree = tree_of({"a/x": b"1", "a.b": b"2", "a-b/c/d": b"", "ä": b"3"})
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    for path, blob in walk(tree):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(blob.data)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    written = subprocess.run(["git", "write-tree"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert written.stdout.strip() == tree.object_id("sha1").hex()


def test_a_blob_in_parts_is_the_blob_of_their_join() -> None:
    assert Blob(b"a", b"b") == Blob(b"ab")
    assert Blob(b"a", b"b").object_id("sha1") == Blob(b"ab").object_id("sha1")
    assert len({Blob(b"a", b"b"), Blob(b"ab"), Blob(b"")}) == 2
    assert Blob().data == b""


def test_directories_without_files_are_dropped() -> None:
    assert tree_of({"a/b": EMPTY_TREE}) == EMPTY_TREE


def test_shared_directories_stay_shared() -> None:
    shared = tree_of({"x": b"1"})
    tree = tree_of({"clusters/a": shared, "clusters/b": shared})
    assert tree.at("clusters/a") is tree.at("clusters/b") is shared
    assert count(tree) == 2


def test_placing_a_file_shares_the_rest() -> None:
    before = tree_of({"a/x": b"1", "b/y": b"2"})
    after = placed(before, "a/deep/z", Blob(b"3"))
    assert dict(walk(after)) == {"a/x": Blob(b"1"), "a/deep/z": Blob(b"3"), "b/y": Blob(b"2")}
    assert after["b"] is before["b"]
    assert "deep" not in dict(walk(before))


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0b", ".git", ".GIT"])
def test_names_that_are_no_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        Tree({name: Blob(b"")})


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a": b"", "a/b": b""}, id="a-file-is-no-directory"),
        pytest.param({"a/b": b"", "a": b""}, id="a-directory-is-no-file"),
        pytest.param({"a": tree_of({"x": b""}), "a/b": b""}, id="a-finished-directory-is-closed"),
        pytest.param({"a//b": b""}, id="an-empty-segment"),
        pytest.param({"../b": b""}, id="a-way-out"),
    ],
)
def test_paths_that_contradict_each_other_are_refused(files: dict[str, bytes | Blob | Tree]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        tree_of(files)


def test_placing_below_a_file_is_refused() -> None:
    with pytest.raises(ValueError, match="is a file"):
        placed(tree_of({"a": b""}), "a/b", Blob(b""))
