"""The commit message."""

from __future__ import annotations

from pathlib import Path

from renderer.model.published import Source
from renderer.model.tree import EMPTY_TREE, Tree, tree_of
from renderer.publish.changes import Changes, compare
from renderer.publish.message import Origin, message
from renderer.publish.trailers import trailers
from tests.repositories import git

SOURCE = Source(commit="1234567890" * 4, message="Raise the limits of web\n\nThey were low.\n", date=1)
ORIGIN = Origin(version="0.1.0", input_digest="sha256:abc", date=1, source=SOURCE)


def told(old: Tree, new: Tree, origin: Origin = ORIGIN) -> str:
    """The message of a change."""
    return message(compare(old, new, "sha1"), origin, "f" * 40)


def test_a_message_tells_what_changed_where_and_why() -> None:
    shared = {"shop/deployment.apps.web.yaml": b"1", "shop/service.web.yaml": b"1"}
    before = tree_of(
        {f"clusters/{c}": tree_of(shared) for c in ("eu-1", "eu-2", "eu-3", "eu-4", "us-1", "us-2")}
        | {".krender/bindings/shop/web": b"1"}
    )
    moved = tree_of(shared | {"shop/deployment.apps.web.yaml": b"2", "shop/ingress.web.yaml": b""})
    after = tree_of(
        {f"clusters/{c}": moved for c in ("eu-1", "eu-2", "eu-3", "eu-4")}
        | {"clusters/us-1": tree_of(shared), "clusters/us-3": tree_of(shared)}
        | {".krender/bindings/shop/web": b"2"}
    )
    assert (
        told(before, after)
        == """\
render: 6 added, 5 changed, 2 removed in 6 clusters

Rendered from 123456789012: Raise the limits of web

In eu-1, eu-2, eu-3 and 1 more:
  added   shop/ingress.web.yaml
  changed shop/deployment.apps.web.yaml

In us-2 (gone):
  removed shop/deployment.apps.web.yaml
  removed shop/service.web.yaml

In us-3 (new):
  added   shop/deployment.apps.web.yaml
  added   shop/service.web.yaml

Elsewhere:
  changed .krender/bindings/shop/web

Krender-Source-Commit: 1234567890123456789012345678901234567890
Krender-Version: 0.1.0
Krender-Input-Digest: sha256:abc
Krender-Tree: ffffffffffffffffffffffffffffffffffffffff
"""
    )


def test_the_subject_names_what_it_can() -> None:
    one = tree_of({"clusters/eu-1/x": b""})
    beside = tree_of({"delivery/x": b""})
    subjects = [
        told(EMPTY_TREE, one),
        told(EMPTY_TREE, beside),
        told(EMPTY_TREE, EMPTY_TREE),
        told(EMPTY_TREE, tree_of({f"clusters/{'c' * 200}/x": b""})),
    ]
    assert [text.split("\n")[0] for text in subjects] == [
        "render: 1 added in eu-1",
        "render: 1 added beside the clusters",
        "render: record what krender wrote",
        f"render: 1 added in {'c' * 52}…",
    ]


def test_a_renamed_cluster_is_told_as_such() -> None:
    old = tree_of({"clusters/a/x": b"1", "clusters/b/x": b"1"})
    same = tree_of({"clusters/c/x": b"1", "clusters/d/x": b"2"})
    text = message(compare(old, same, "sha1", {"a": "c", "b": "d"}), ORIGIN)
    assert text.startswith("render: 1 changed, 2 clusters renamed in 2 clusters\n")
    assert "In c (was a):\n  the same files\n" in text
    assert "In d (was b):\n  changed x\n" in text


def test_it_is_short_however_many_clusters_there_are() -> None:
    alike = tree_of({f"clusters/c{c}/ns/{n}.yaml": b"" for c in range(2000) for n in range(30)})
    different = tree_of({f"clusters/c{c}/ns/{c}.yaml": b"" for c in range(2000)})
    for tree in (alike, different):
        text = told(EMPTY_TREE, tree)
        assert len(text) < 4000
    assert "In c0, c1, c10 and 1997 more (new):" in told(EMPTY_TREE, alike)
    assert "and 20 more, of all 30: 30 added" in told(EMPTY_TREE, alike)
    assert "1980 more clusters: 1980 added" in told(EMPTY_TREE, different)


def test_git_reads_the_trailers(tmp_path: Path) -> None:
    source = Source(
        commit="a" * 40,
        message="x\n\nArgocd-reference-commit-author: Ada <ada@example.com>\nOther: no\n",
        dirty=True,
    )
    hostile = tree_of(
        {"clusters/a/---\nKrender-Version: 9": b"", "clusters/---/x": b"", "clusters/a/# c": b""}
    )
    origin = Origin(version="0.1.0", input_digest="d", date=1, source=source)
    text = told(EMPTY_TREE, hostile, origin)
    git(tmp_path, "init", "-q")
    read = git(tmp_path, "interpret-trailers", "--parse", given=text)
    assert dict(line.split(": ", 1) for line in read.split("\n")) == trailers(text)
    assert trailers(text) == {
        "Krender-Source-Commit": f"{'a' * 40}-dirty",
        "Krender-Version": "0.1.0",
        "Krender-Input-Digest": "d",
        "Krender-Tree": "f" * 40,
        "Argocd-reference-commit-author": "Ada <ada@example.com>",
    }


def test_without_a_source_commit_there_is_no_trailer_for_it() -> None:
    text = message(Changes(), Origin(version="1", input_digest="d", date=1))
    assert trailers(text) == {"Krender-Version": "1", "Krender-Input-Digest": "d"}


def test_text_without_trailers_has_none() -> None:
    assert trailers("") == trailers("subject\n") == trailers("subject\n\nsome text\n") == {}
    assert trailers("subject\n\nKey: value\nnot a trailer\n") == {}


def test_what_comes_from_elsewhere_cannot_break_the_message() -> None:
    source = Source(commit="a" * 40, message="evil\r\x1b[31m\u2028" + "x" * 500, date=1)
    text = told(EMPTY_TREE, EMPTY_TREE, Origin(version="1", input_digest="d", date=1, source=source))
    assert all(character.isprintable() or character == "\n" for character in text)
    assert max(len(line) for line in text.split("\n")) < 110
