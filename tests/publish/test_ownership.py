"""What is krender's on the branch, and what is not."""

from __future__ import annotations

import pytest

from renderer.model.errors import StoppedError
from renderer.model.owned import OWNED_PATH, names_of
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Tree, placed, tree_of, walk
from renderer.publish.changes import Changes
from renderer.publish.message import Origin, message
from renderer.publish.ownership import is_all_krenders, settle

OLD = {"clusters/a/x": b"1", "clusters/a/y": b"1", "clusters/b/x": b"1"}
NEW = {"clusters/a/x": b"2", "clusters/c/x": b"1"}


def published(files: dict[str, bytes], foreign: dict[str, bytes]) -> Tip:
    """What lies on the branch after krender wrote the files and others put theirs beside them."""
    tree = tree_of(files)
    record = placed(tree, OWNED_PATH, Blob(names_of(tree)))
    return Tip(commit="c", tree=tree_of({path: blob.data for path, blob in walk(record)} | foreign))


def settled(tip: Tip | None, tree: Tree, *, adopt: bool = False) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files to commit but the record, and what is foreign."""
    result = settle(tip, tree, branch="rendered", algorithm="sha1", adopt=adopt)
    files = {path: blob.data for path, blob in walk(result.tree)}
    assert files.pop(OWNED_PATH) == names_of(tree)
    return files, result.foreign


@pytest.mark.parametrize(
    ("foreign", "listed"),
    [
        pytest.param({}, (), id="nothing"),
        pytest.param({"README.md": b"r"}, ("README.md",), id="at-the-top"),
        pytest.param({"clusters/a/z": b"z"}, ("clusters/a/z",), id="beside-krenders"),
        pytest.param({"clusters/b/z": b"z"}, ("clusters/b/z",), id="in-a-directory-that-krender-leaves"),
        pytest.param({"docs/a": b"", "docs/b/c": b""}, ("docs/",), id="a-whole-directory"),
        pytest.param({"clusters/c/z/y": b"z"}, ("clusters/c/z/",), id="in-a-directory-that-is-new"),
        pytest.param({".krender/mine": b"z"}, (".krender/mine",), id="beside-the-record"),
    ],
)
def test_foreign_files_are_kept_and_listed(foreign: dict[str, bytes], listed: tuple[str, ...]) -> None:
    assert settled(published(OLD, foreign), tree_of(NEW)) == (NEW | foreign, listed)


def test_what_krender_wrote_is_replaced_even_if_edited() -> None:
    """Unlike in a directory: on a branch the edit stays in the history."""
    tip = published(OLD, {"clusters/a/x": b"edited", "clusters/b/x": b"edited"})
    assert settled(tip, tree_of(NEW)) == (NEW, ())


def test_directories_without_foreign_files_stay_shared() -> None:
    tree = tree_of(NEW)
    tip = published(OLD, {"README.md": b""})
    assert settle(tip, tree, branch="rendered", algorithm="sha1").tree["clusters"] is tree["clusters"]


@pytest.mark.parametrize(
    ("foreign", "blocked", "adoptable"),
    [
        pytest.param({"clusters/c/x": b"mine"}, "clusters/c/x", True, id="a-file-of-that-name"),
        pytest.param({"clusters/c": b"mine"}, "clusters/c", False, id="a-file-where-a-directory-goes"),
        pytest.param({"clusters/c/x/y": b"mine"}, "clusters/c/x", False, id="a-directory-where-a-file-goes"),
    ],
)
def test_a_foreign_file_in_the_way_is_never_overwritten(
    foreign: dict[str, bytes], blocked: str, adoptable: bool
) -> None:
    with pytest.raises(StoppedError) as caught:
        settled(published(OLD, foreign), tree_of(NEW))
    assert caught.value.objects == (blocked,)
    if adoptable:
        assert settled(published(OLD, foreign), tree_of(NEW), adopt=True) == (NEW, ())
    else:
        with pytest.raises(StoppedError):
            settled(published(OLD, foreign), tree_of(NEW), adopt=True)


def test_a_foreign_file_with_the_very_same_content_becomes_krenders() -> None:
    assert settled(published(OLD, {"clusters/c/x": b"1"}), tree_of(NEW)) == (NEW, ())


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(None, id="no-record"),
        pytest.param(b"{}", id="a-damaged-record"),
        pytest.param(b"<<<<<<< ours", id="a-merge-conflict"),
    ],
)
def test_a_branch_that_krender_did_not_create_needs_adoption(record: bytes | None) -> None:
    files = {"README.md": b"r", "clusters/a/x": b"theirs"} | ({OWNED_PATH: record} if record else {})
    tip = Tip(commit="c", tree=tree_of(files))
    with pytest.raises(StoppedError) as caught:
        settled(tip, tree_of(NEW))
    assert "--adopt" in caught.value.fix
    assert settled(tip, tree_of(NEW), adopt=True) == (NEW | {"README.md": b"r"}, ("README.md",))


def test_a_new_branch_is_krenders() -> None:
    assert settled(None, tree_of(NEW)) == (NEW, ())
    assert settled(None, EMPTY_TREE) == ({}, ())


def test_only_a_commit_of_krenders_own_is_believed_without_looking() -> None:
    tip = published(OLD, {"README.md": b"r"})
    text = message(Changes(), Origin(version="1", input_digest="d", date=1), tip.tree.object_id("sha1").hex())
    believed = Tip(commit="c", tree=tip.tree, message=text)
    assert is_all_krenders(believed, "sha1")
    amended = Tip(commit="c", tree=placed(tip.tree, "more", Blob(b"")), message=text)
    assert not is_all_krenders(amended, "sha1")
    assert not is_all_krenders(tip, "sha1")
