"""A snapshot is whole, or an error says what is wrong with the commit."""

from __future__ import annotations

import json

import pytest

from renderer.model.errors import OutsideError
from renderer.model.owned import OWNED_PATH
from renderer.model.published import Tip
from renderer.model.tree import Blob, Tree, placed, tree_of
from renderer.view.serve.snapshot import by_engine, snapshot_of
from tests.view.serve.fleets import COMMIT, body, files, published, snapshot, tip

FILE = "delivery/argocd/parameters/{}/krender.app.json"


class Link(Blob):
    """A blob that is no plain file."""

    @property
    def mode(self) -> str:
        return "120000"


def test_units_are_in_order_of_engine_and_name() -> None:
    found = snapshot_of(tip({**files(["b", "a"], "flux"), **files(["d", "c"])}), "sha1")
    assert [(unit.engine, unit.name) for unit in found.units] == [
        ("argocd", "c"),
        ("argocd", "d"),
        ("flux", "a"),
        ("flux", "b"),
    ]
    assert (found.commit, found.date, found.clusters) == (COMMIT, 1_700_000_000, ("a",))
    assert dict(by_engine(found)) == {"argocd": 2, "flux": 2}


def test_all_that_a_file_says_is_kept() -> None:
    (unit,) = snapshot(["a"], ignored=[{"kind": "Deployment"}]).units
    assert json.loads(unit.text) == body("a", ignored=[{"kind": "Deployment"}])


def test_a_commit_without_units_is_whole_too() -> None:
    assert snapshot([]).units == ()


def test_units_may_lie_in_a_directory_of_the_branch() -> None:
    whole = placed(Tree({}), "fleet/shop", published(files(["a"])))
    assert len(snapshot_of(Tip(commit=COMMIT, tree=whole), "sha1", "fleet/shop").units) == 1
    with pytest.raises(OutsideError, match="was not written by krender"):
        snapshot_of(Tip(commit=COMMIT, tree=whole), "sha1")


def test_what_others_put_there_is_no_unit() -> None:
    tree = placed(published(files(["a"])), FILE.format("b"), Blob(json.dumps(body("b")).encode()))
    assert [unit.name for unit in snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1").units] == ["a"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        pytest.param(None, "is missing", id="a-missing-file"),
        pytest.param(b"", "is no JSON", id="an-empty-file"),
        pytest.param(b'{"name": "a"', "is no JSON", id="half-a-file"),
        pytest.param(b"\xff\xfe", "is no JSON", id="no-text"),
        pytest.param(b"[" * 100_000, "is no JSON", id="a-file-that-is-nested-too-deeply"),
        pytest.param(b'{"x": NaN}', "is no JSON", id="a-number-that-is-none"),
        pytest.param(b"[]", "is no JSON object", id="a-list"),
        pytest.param(json.dumps(body("")).encode(), "has no name", id="no-name"),
        pytest.param(json.dumps(body("a", wave=1)).encode(), "has no wave", id="a-wave-that-is-no-text"),
        pytest.param(json.dumps(body("a", values={})).encode(), "has the key values", id="argocds-own-key"),
        pytest.param(json.dumps(body("a", id="x")).encode(), "has the key id", id="flux-operators-own-key"),
        pytest.param(
            json.dumps(body("b")).encode(), "is of the unit b, and so is", id="a-name-that-is-taken"
        ),
    ],
)
def test_a_faulty_file_spoils_the_commit(data: bytes | None, fault: str) -> None:
    tree = published(files(["a", "b"]))
    path = FILE.format("a")
    if data is None:
        units = tree.at("delivery/argocd/parameters")
        assert isinstance(units, Tree)
        tree = placed(tree, "delivery/argocd/parameters", Tree({"b": units["b"]}))
    else:
        tree = placed(tree, path, Blob(data))
    with pytest.raises(OutsideError) as raised:
        snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1")
    assert fault in raised.value.what
    assert "krender.app.json" in raised.value.what


def test_a_link_is_no_file() -> None:
    tree = placed(published(files(["a"])), FILE.format("a"), Link(b"/etc/passwd"))
    with pytest.raises(OutsideError, match="is no plain file"):
        snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1")


def test_many_faults_are_counted() -> None:
    tree = placed(published(files("abcde")), "delivery/argocd/parameters", Blob(b""))
    with pytest.raises(OutsideError, match="and 2 more"):
        snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1")


@pytest.mark.parametrize("record", [None, b"{}", b'{"format": "krender.io/owned/v1"}', b"[" * 100_000])
def test_a_commit_without_krenders_record_is_none_of_its(record: bytes | None) -> None:
    tree = tree_of(files(["a"]))
    if record is not None:
        tree = placed(tree, OWNED_PATH, Blob(record))
    with pytest.raises(OutsideError, match=r"not written by krender|cannot be read"):
        snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1")


class Unread(Blob):
    """A file that nobody reads."""

    @property
    def data(self) -> bytes:
        raise AssertionError("it was read")

    def object_id(self, algorithm: str) -> bytes:  # noqa: ARG002
        return self._name

    _name = b""


def test_what_was_read_is_not_read_again() -> None:
    first = snapshot(["a", "b"])
    (name,) = [name for name, unit in first.files.items() if unit.name == "a"]
    again = published(files(["a", "b"]))
    unread = Unread()
    Unread._name = name
    tree = placed(again, FILE.format("a"), unread)
    assert snapshot_of(Tip(commit=COMMIT, tree=tree), "sha1", known=first).units == first.units
