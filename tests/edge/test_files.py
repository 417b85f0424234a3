"""Tests of reading a workspace from disk, on real directories."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from renderer.document.problem import InputError
from renderer.edge.files import ReadLimits, read_workspace, watched
from tests.repositories import git

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def make(root: Path, *paths: str, text: str = MAP) -> Path:
    """Files below a directory."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def paths_of(root: Path, *, outputs: tuple[Path, ...] = ()) -> list[str]:
    """The paths of the files that are read."""
    return [file.path for file in read_workspace(root, outputs=outputs)]


def told(root: Path, *, outputs: tuple[Path, ...] = (), limits: ReadLimits | None = None) -> list[str]:
    """What is told about a workspace that cannot be read: file and what."""
    with pytest.raises(InputError) as caught:
        read_workspace(root, outputs=outputs, limits=limits or ReadLimits())
    assert all(problem.why and problem.fix for problem in caught.value.problems)
    return [f"{problem.where}: {problem.what}" for problem in caught.value.problems]


def test_manifests_are_read_in_order_of_their_paths(tmp_path: Path) -> None:
    make(
        tmp_path,
        "b.yml",
        "a/z.json",
        "a/b/c.yaml",
        "x.yaml.j2",
        "Y.YAML",
        "krender.yaml",
        "README.md",
        "Makefile",
    )
    assert paths_of(tmp_path) == ["Y.YAML", "a/b/c.yaml", "a/z.json", "b.yml", "krender.yaml", "x.yaml.j2"]
    assert read_workspace(tmp_path)[0].data == MAP.encode()


def test_hidden_files_and_directories_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", ".b.yaml", ".git/c.yaml", "d/.e/f.yaml")
    assert paths_of(tmp_path) == ["a.yaml"]


def test_ignore_files_count_below_them_and_are_inputs(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "gen/b.yaml", "c/b.yaml", "c/gen/d.yaml", "e/keep.yaml")
    make(tmp_path, ".krenderignore", text="/gen\n/e/*\n")
    make(tmp_path, "c/.krenderignore", text="b.yaml\n")
    make(tmp_path, "e/.krenderignore", text="!keep.yaml\n")
    assert paths_of(tmp_path) == [
        ".krenderignore", "a.yaml", "c/.krenderignore", "c/gen/d.yaml", "e/.krenderignore", "e/keep.yaml",
    ]  # fmt: skip


def test_outputs_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "out/clusters/x/b.yaml", "rendered/.krender/owned.json", "other/c.yaml")
    make(
        tmp_path,
        "krender.yaml",
        text="apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {directory: rendered}}\n",
    )
    assert paths_of(tmp_path, outputs=(tmp_path / "out",)) == ["a.yaml", "krender.yaml", "other/c.yaml"]


@pytest.mark.parametrize(
    ("root", "path", "expected"),
    [
        pytest.param("", "apps/out", ["apps/a.yaml", "krender.yaml"], id="from-the-top-of-the-repository-on"),
        pytest.param("", "elsewhere", None, id="elsewhere"),
        pytest.param("apps", "apps/out", ["a.yaml", "krender.yaml"], id="of-a-workspace-below-the-top"),
        pytest.param("apps/out", "apps", ["clusters/b.yaml", "krender.yaml"], id="around-the-workspace"),
    ],
)
def test_the_output_on_the_own_branch_is_left_out(
    tmp_path: Path, root: str, path: str, expected: list[str] | None
) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "apps/a.yaml", "apps/out/clusters/b.yaml")
    text = f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {{output: {{path: {path}}}}}\n"
    make(tmp_path, f"{root}/krender.yaml" if root else "krender.yaml", text=text)
    everything = ["apps/a.yaml", "apps/out/clusters/b.yaml", "krender.yaml"]
    assert paths_of(tmp_path / root) == (everything if expected is None else expected)


def test_a_file_alone_is_a_workspace(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "b.yaml")
    assert paths_of(tmp_path / "a.yaml") == ["a.yaml"]


def test_a_missing_directory_suggests_the_one_that_was_meant(tmp_path: Path) -> None:
    make(tmp_path, "fleet/a.yaml")
    with pytest.raises(InputError) as caught:
        read_workspace(tmp_path / "flet")
    (problem,) = caught.value.problems
    assert problem.what == f"there is no file or directory {tmp_path / 'flet'}"
    assert problem.fix == f"write {tmp_path / 'fleet'}"


@pytest.mark.parametrize(
    ("paths", "note"),
    [
        pytest.param((), "", id="empty"),
        pytest.param(("README.md", "chart.tgz"), " (files with other names: 2)", id="other-files-only"),
        pytest.param((".krenderignore",), "", id="only-an-ignore-file"),
    ],
)
def test_a_directory_without_manifests_is_told(tmp_path: Path, paths: tuple[str, ...], note: str) -> None:
    make(tmp_path, *paths, text="")
    assert told(tmp_path) == [f"{tmp_path}: {tmp_path} has no manifests{note}"]


def test_a_published_tree_is_not_read(tmp_path: Path) -> None:
    make(tmp_path, "clusters/x/a.yaml", ".krender/owned.json")
    own = "this is a tree that krender has written: it has a directory .krender"
    assert told(tmp_path) == [f".: {own}"]
    make(tmp_path, "ws/a.yaml", "ws/out/.krender/owned.json")
    assert told(tmp_path / "ws") == [f"out: {own}"]


@pytest.mark.parametrize("part", ["clusters", "clusters/x", "delivery/argocd", ".krender", "docs"])
def test_no_part_of_a_published_tree_is_read(tmp_path: Path, part: str) -> None:
    make(tmp_path, f"{part}/a.yaml", ".krender/owned")
    name = part.rpartition("/")[2]
    assert told(tmp_path / part) == [
        f".: {tmp_path} is a tree that krender has written, and {name} lies in it"
    ]


def test_the_output_cannot_be_the_workspace(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    assert told(tmp_path, outputs=(tmp_path,)) == [
        f"{tmp_path}: {tmp_path} is both the workspace and the output directory"
    ]


def test_links_inside_the_workspace_are_followed(tmp_path: Path) -> None:
    make(tmp_path, ".store/v1/a.yaml", ".store/b.yaml", "c.yaml")
    (tmp_path / "current").symlink_to(".store/v1")
    (tmp_path / "b.yaml").symlink_to(".store/b.yaml")
    assert paths_of(tmp_path) == ["b.yaml", "c.yaml", "current/a.yaml"]


def test_every_bad_link_is_told_at_once(tmp_path: Path) -> None:
    make(tmp_path, "outside/secret.yaml")
    root = make(tmp_path / "ws", "a/b.yaml", "c.yaml")
    (root / "away.yaml").symlink_to(tmp_path / "outside/secret.yaml")
    (root / "away").symlink_to("../outside")
    (root / "dangling.yaml").symlink_to("nothing")
    (root / "self.yaml").symlink_to("self.yaml")
    (root / "again.yaml").symlink_to("c.yaml")
    (root / "a/up").symlink_to("..")
    (root / "twin").symlink_to("a")
    (root / "harmless.md").symlink_to("/etc/hostname")
    (root / ".hidden").symlink_to("/")
    assert told(root) == [
        "a/up: a/up is a link to the workspace itself, which is read anyway",
        "again.yaml: again.yaml is a link to c.yaml, which is read anyway",
        "away: away is a link that leaves the workspace",
        "away.yaml: away.yaml is a link that leaves the workspace",
        "dangling.yaml: dangling.yaml is a link to nothing",
        "self.yaml: self.yaml is a link to nothing",
        "twin: twin is a link to a, which is read anyway",
    ]


def test_links_into_an_output_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "out/clusters/x/b.yaml")
    (tmp_path / "x").symlink_to("out/clusters/x")
    assert paths_of(tmp_path, outputs=(tmp_path / "out",)) == ["a.yaml"]


def test_links_are_left_out_and_refused_as_what_they_name(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", ".d/b.yaml", ".d/LICENSE")
    make(tmp_path, ".krenderignore", text="ignored\n")
    (tmp_path / "ignored").symlink_to("/")
    (tmp_path / "LICENSE").symlink_to(".d/LICENSE")
    assert paths_of(tmp_path) == [".krenderignore", "a.yaml"]
    os.mkfifo(tmp_path / ".d/pipe")
    (tmp_path / "dir.yaml").symlink_to(".d")
    (tmp_path / "pipe.yaml").symlink_to(".d/pipe")
    (tmp_path / "line\nend.yaml").symlink_to(".d/b.yaml")
    assert told(tmp_path) == [
        "dir.yaml: dir.yaml is a directory with the name of a manifest",
        "line\\nend.yaml: the name line\\nend.yaml has control characters",
        "pipe.yaml: pipe.yaml is a pipe, not a file",
    ]


def test_links_to_a_directory_of_links_end(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    for level in range(20):
        (tmp_path / f".d{level}").mkdir()
        for name in ("x", "y"):
            (tmp_path / f".d{level}" / name).symlink_to(f"../.d{level + 1}")
    make(tmp_path, ".d20/b.yaml")
    (tmp_path / "in").symlink_to(".d0")
    assert len(told(tmp_path)) == 20


def test_what_is_no_file_is_told_and_not_opened(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "dir.yaml").mkdir()
    (tmp_path / "null.json").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.yaml"))
        assert told(tmp_path) == [
            "dir.yaml: dir.yaml is a directory with the name of a manifest",
            "null.json: null.json is a link that leaves the workspace",
            "pipe.yaml: pipe.yaml is a pipe, not a file",
            "s.yaml: s.yaml is a socket, not a file",
        ]
    assert told(tmp_path / "pipe.yaml") == ["pipe.yaml: pipe.yaml is a pipe, not a file"]
    assert told(Path("/dev/null")) == ["null: null is a device, not a file"]


def test_a_krender_yaml_that_is_no_file_is_told_too(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    os.mkfifo(tmp_path / "krender.yaml")
    (tmp_path / ".krenderignore").mkdir()
    assert told(tmp_path) == [
        ".krenderignore: .krenderignore is no regular file",
        "krender.yaml: krender.yaml is a pipe, not a file",
    ]


def test_an_ignore_file_that_is_too_large_is_told(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", ".krenderignore")
    limits = ReadLimits(file_bytes=10)
    assert told(tmp_path, limits=limits)[0] == ".krenderignore: .krenderignore is larger than 10 bytes"


def test_names_that_are_not_portable_are_told(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "b\nc.yaml", "d\te/f.yaml")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.yaml"))).write_text(MAP)
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.png"))).write_text("")
    assert told(tmp_path) == [
        "\\xff.yaml: the name \\xff.yaml is not UTF-8",
        "b\\nc.yaml: the name b\\nc.yaml has control characters",
        "d\\te: the name d\\te has control characters",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_are_told(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "b/c.yaml")
    (tmp_path / "a.yaml").chmod(0)
    (tmp_path / "b").chmod(0)
    try:
        assert told(tmp_path) == [
            "a.yaml: a.yaml cannot be read: Permission denied",
            "b: b cannot be read: Permission denied",
        ]
    finally:
        (tmp_path / "b").chmod(0o755)


@pytest.mark.parametrize(
    ("limits", "what"),
    [
        pytest.param(ReadLimits(file_bytes=10), "a.yaml: a.yaml is larger than 10 bytes", id="one-file"),
        pytest.param(
            ReadLimits(total_bytes=60), ".: the manifests have 102 bytes together, more than 60", id="all"
        ),
        pytest.param(ReadLimits(files=1), ".: the workspace has 2 manifests, more than 1", id="number"),
    ],
)
def test_too_much_is_told(tmp_path: Path, limits: ReadLimits, what: str) -> None:
    make(tmp_path, "a.yaml", "b.yaml")
    assert what in told(tmp_path, limits=limits)


def test_krender_yaml_may_allow_larger_files(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", text=MAP + "#" * 200)
    settings = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {limits: {fileBytes: %d}}\n"
    make(tmp_path, "krender.yaml", text=settings % 1000)
    assert paths_of(tmp_path) == ["a.yaml", "krender.yaml"]
    make(tmp_path, "krender.yaml", text=settings % 100)
    assert told(tmp_path) == ["a.yaml: a.yaml is larger than 100 bytes"]


def test_directories_without_end_are_told(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml", "d/" * 101 + "b.yaml")
    (what,) = told(tmp_path)
    assert what.endswith("directories are nested more than 100 deep")


def test_a_bad_ignore_file_is_told_with_everything_else(tmp_path: Path) -> None:
    make(tmp_path, "a.yaml")
    make(tmp_path, ".krenderignore", text="ok\n[x\n")
    (tmp_path / "b.yaml").symlink_to("gone")
    assert told(tmp_path) == [
        '.krenderignore:2:1: the pattern \'[x\' cannot be read: "[" has no "]"',
        "b.yaml: b.yaml is a link to nothing",
    ]


def test_what_decides_which_files_are_read_is_told(tmp_path: Path) -> None:
    place = tmp_path / "repository/apps/shop"
    (place / "more/.hidden").mkdir(parents=True)
    for name in ("a.yaml", "notes.txt", "more/b.yaml", "more/.hidden/c.yaml"):
        (place / name).write_text("a: 1\n")
    (one,) = watched(place)
    assert sorted(one.names) == [b".", b"a.yaml", b"more", b"more/b.yaml"]
    assert watched(place / "a.yaml") == ()
    (place / "krender.yaml").write_text("spec: {output: {path: out}}\n")
    assert watched(place) == ()  # nobody knows where a repository might come to be
    git(tmp_path / "repository", "init", "-q")
    one, above = watched(place)
    assert (above.root, above.names) == (os.fsencode(tmp_path / "repository"), [b"apps", b"."])
    git(place, "init", "-q")
    (one,) = watched(place)  # which would show in it
    (place / "link.yaml").symlink_to("a.yaml")
    assert watched(place) == ()
