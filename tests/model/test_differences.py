"""What differs between two trees, directory by directory."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.model.differences import by_id, by_name, directory_changes, file_differences, merged
from renderer.model.tree import Tree, tree_of, walk

SHA1 = by_id("sha1")


def told(old: Tree, new: Tree, renamed: Mapping[str, str] | None = None) -> list[tuple[object, ...]]:
    """Every change of a file: path, contents, clusters."""
    found = merged(
        (
            item
            for change in directory_changes(old, new, SHA1, renamed)
            for item in file_differences(change, SHA1)
        ),
        SHA1,
    )
    return [(i.path, i.before and i.before.data, i.after and i.after.data, i.clusters) for i in found]


@pytest.mark.parametrize(
    ("old", "new", "renamed", "expected"),
    [
        pytest.param({"a/x": b"1"}, {"a/x": b"1"}, {}, [], id="nothing"),
        pytest.param(
            {"a/x": b"1", "b/x": b"1"},
            {"a/x": b"2", "b/x": b"2"},
            {},
            [("x", b"1", b"2", ("a", "b"))],
            id="alike",
        ),
        pytest.param(
            {"a/x": b"1", "b/x": b"1", "b/y": b""},
            {"a/x": b"2", "b/x": b"2", "b/y": b"9"},
            {},
            [("x", b"1", b"2", ("a", "b")), ("y", b"", b"9", ("b",))],
            id="alike-in-one-file-of-two",
        ),
        pytest.param(
            {"a/x": b"1"},
            {"b/x": b"1"},
            {},
            [("x", b"1", None, ("a",)), ("x", None, b"1", ("b",))],
            id="moved",
        ),
        pytest.param({"a/x": b"1"}, {"b/x": b"2"}, {"a": "b"}, [("x", b"1", b"2", ("b",))], id="renamed"),
        pytest.param({"a/x": b"1"}, {"b/x": b"1"}, {"a": "b"}, [], id="renamed-and-no-more"),
        pytest.param(
            {"a/x": b"1"},
            {"a/x/y": b"2"},
            {},
            [("x", b"1", None, ("a",)), ("x/y", None, b"2", ("a",))],
            id="a-folder-now",
        ),
    ],
)
def test_differences(
    old: dict[str, bytes], new: dict[str, bytes], renamed: dict[str, str], expected: list[tuple[object, ...]]
) -> None:
    one, other = (tree_of({f"clusters/{path}": data for path, data in files.items()}) for files in (old, new))
    assert told(one, other, renamed) == expected


def test_by_name_alone_contents_do_not_count() -> None:
    one = tree_of({"clusters/a/x": b"1", "clusters/b/x": b"1"})
    other = tree_of({"clusters/a/x": b"2", "clusters/b/y": b"1"})
    (change,) = directory_changes(one, other, by_name)
    assert change.clusters == ("b",)
    assert [item.path for item in file_differences(change, by_name)] == ["x", "y"]


fleets = st.dictionaries(
    st.builds("clusters/{}/{}/{}".format, *(st.sampled_from("abc"),) * 3), st.sampled_from([b"1", b"2"])
).map(lambda files: tree_of(dict(files)))


@given(fleets, fleets)
def test_differences_are_those_of_the_files(old: Tree, new: Tree) -> None:
    one, other = ({path: blob.data for path, blob in walk(tree)} for tree in (old, new))
    expected = {
        (path, one.get(path), other.get(path))
        for path in {**one, **other}
        if one.get(path) != other.get(path)
    }
    assert {
        (f"clusters/{cluster}/{path}", before, after)
        for path, before, after, clusters in told(old, new)
        for cluster in (clusters if isinstance(clusters, tuple) else ())
    } == expected
