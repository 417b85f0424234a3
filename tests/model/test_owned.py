"""The record of what krender wrote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.owned import Directory, contents_of, decode, names_of
from renderer.model.tree import Blob, Tree, digest, tree_of, walk

names = st.sampled_from(["a", "b", 'quo"te', "ä", "new\nline"])
nodes = st.recursive(
    st.sampled_from([b"1", b"2"]).map(Blob),
    lambda inner: st.dictionaries(names, inner, max_size=3).map(Tree),
    max_leaves=10,
)
trees = st.dictionaries(names, nodes, max_size=4).map(Tree)


def recorded(directory: Directory, below: str = "") -> dict[str, str]:
    """All paths of a record with their digests."""
    paths: dict[str, str] = {}
    for name, record in directory.entries.items():
        if isinstance(record, str):
            paths[below + name] = record
        else:
            paths |= recorded(record, f"{below}{name}/")
    return paths


@given(trees)
def test_a_record_names_exactly_what_the_tree_holds(tree: Tree) -> None:
    assert recorded(decode(names_of(tree))) == {path: "" for path, _ in walk(tree)}
    assert recorded(decode(contents_of(tree))) == {path: digest(blob) for path, blob in walk(tree)}


@given(trees, trees)
def test_records_are_equal_exactly_where_what_they_record_is(one: Tree, other: Tree) -> None:
    assert (names_of(one) == names_of(other)) == ([p for p, _ in walk(one)] == [p for p, _ in walk(other)])
    assert (contents_of(one) == contents_of(other)) == (one == other)


def test_equal_directories_are_listed_once() -> None:
    files = {f"file-{number}": b"" for number in range(100)}
    ten = tree_of({f"clusters/c{number}": tree_of(files) for number in range(10)})
    twenty = tree_of({f"clusters/c{number}": tree_of(files) for number in range(20)})
    assert len(json.loads(names_of(twenty))["directories"]) == 3
    assert len(names_of(twenty)) - len(names_of(ten)) < 10 * 40


def test_content_does_not_change_a_record_of_names() -> None:
    assert names_of(tree_of({"a/b": b"1"})) == names_of(tree_of({"a/b": b"2"}))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff", id="no-text"),
        pytest.param(b"[]", id="no-object"),
        pytest.param(b'{"format": "krender.io/owned/v2"}', id="another-format"),
        pytest.param(b'{"format": "krender.io/owned/v1"}', id="no-directories"),
        pytest.param(b'{"format": "krender.io/owned/v1", "directories": {}}', id="no-root"),
        pytest.param(b'{"format": "krender.io/owned/v1", "root": "x", "directories": {}}', id="missing-root"),
        pytest.param(
            b'{"format": "krender.io/owned/v1", "root": "x", "directories": {"x": {"a/": "x"}}}',
            id="a-directory-inside-itself",
        ),
        pytest.param(
            b'{"format": "krender.io/owned/v1", "root": "x", "directories": {"x": {"a": 1}}}',
            id="a-digest-that-is-no-text",
        ),
        pytest.param(
            b'{"format": "krender.io/owned/v1", "root": "x", "directories": {"x": {"a/": null}}}',
            id="a-directory-without-id",
        ),
        pytest.param(b'{"format": ' + b"[" * 100_000, id="nested-too-deeply"),
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(data)
