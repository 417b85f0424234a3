"""Writing a tree into a directory."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from renderer.edge import workbench
from renderer.edge.directory import Written, write_directory
from renderer.edge.errors import OutsideError, StoppedError
from renderer.edge.places import without_detours
from renderer.model.owned import OWNED_PATH
from renderer.model.tree import EMPTY_TREE, Tree, tree_of, walk

OLD = tree_of({"clusters/a/x.yaml": b"1", "clusters/a/y.yaml": b"2", "clusters/b/x.yaml": b"1"})
NEW = tree_of({"clusters/a/x.yaml": b"1", "clusters/a/y.yaml": b"3", "clusters/c/x.yaml": b"1"})


def files_of(directory: Path) -> dict[str, bytes]:
    """All files below a directory but krender's record."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.relative_to(directory).as_posix() != OWNED_PATH
    }


def contents(tree: Tree) -> dict[str, bytes]:
    """All files of a tree."""
    return {path: blob.data for path, blob in walk(tree)}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_a_new_directory_holds_the_tree_and_nothing_is_left_beside_it(out: Path) -> None:
    written = write_directory(out, OLD)
    assert files_of(out) == contents(OLD)
    assert written == Written(added=("clusters/a/x.yaml", "clusters/a/y.yaml", "clusters/b/x.yaml"))
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_only_what_changed_is_written(out: Path) -> None:
    write_directory(out, OLD)
    before = (out / "clusters/a/x.yaml").stat()
    written = write_directory(out, NEW)
    after = (out / "clusters/a/x.yaml").stat()
    assert files_of(out) == contents(NEW)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert after.st_nlink == 1
    assert written == Written(
        added=("clusters/c/x.yaml",), changed=("clusters/a/y.yaml",), removed=("clusters/b/x.yaml",)
    )
    assert not (out / "clusters/b").exists()


def test_nothing_is_replaced_where_nothing_changed(out: Path) -> None:
    write_directory(out, OLD)
    before = out.stat()
    assert write_directory(out, OLD) == Written()
    assert (out.stat().st_ino, out.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_the_bytes_depend_on_the_tree_alone(tmp_path: Path) -> None:
    write_directory(tmp_path / "one", OLD)
    write_directory(tmp_path / "one", NEW)
    write_directory(tmp_path / "two", NEW)
    assert (tmp_path / "one" / OWNED_PATH).read_bytes() == (tmp_path / "two" / OWNED_PATH).read_bytes()


def test_a_dry_run_tells_and_touches_nothing(out: Path) -> None:
    assert write_directory(out, OLD, dry_run=True).added == tuple(contents(OLD))
    assert not out.exists()


def test_missing_parents_are_made(tmp_path: Path) -> None:
    write_directory(tmp_path / "a/b/out", OLD)
    assert files_of(tmp_path / "a/b/out") == contents(OLD)


def test_an_empty_directory_is_taken(out: Path) -> None:
    out.mkdir()
    write_directory(out, OLD)
    assert files_of(out) == contents(OLD)


paths = st.sampled_from(["a", "a/b", "a/b/c", "d", "d/e", "f/g/h"])
states = st.dictionaries(paths, st.sampled_from([b"1", b"2"]), max_size=5).map(
    lambda files: {p: c for p, c in files.items() if not any(q.startswith(f"{p}/") for q in files)}
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(states, min_size=1, max_size=4))
def test_any_state_follows_any_state(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[str, bytes]]
) -> None:
    out = tmp_path_factory.mktemp("states") / "out"
    for files in runs:
        write_directory(out, tree_of(files))
        assert files_of(out) == files
    empty = [path for path in out.rglob("*") if path.is_dir() and not any(path.iterdir())]
    assert not empty


# What is not krender's


def add_foreign(out: Path) -> dict[str, bytes]:
    """Put foreign things beside what krender wrote."""
    (out / "README.md").write_bytes(b"mine")
    (out / "clusters/a/notes").mkdir()
    (out / "clusters/a/notes/todo.txt").write_bytes(b"mine too")
    (out / "clusters/b/keep.yaml").write_bytes(b"kept")
    (out / "empty").mkdir()
    (out / "link").symlink_to("README.md")
    (out / "loop").symlink_to(out)
    return {"README.md": b"mine", "clusters/a/notes/todo.txt": b"mine too", "clusters/b/keep.yaml": b"kept"}


def test_foreign_files_survive_every_change(out: Path) -> None:
    write_directory(out, OLD)
    foreign = add_foreign(out)
    (out / "README.md").chmod(0o600)
    written = write_directory(out, NEW)
    assert written.kept_foreign == (
        "README.md",
        "clusters/a/notes/todo.txt",
        "clusters/b/keep.yaml",
        "link",
        "loop",
    )
    assert files_of(out) == contents(NEW) | foreign | {"link": b"mine"}
    assert (out / "empty").is_dir()
    assert (out / "link").readlink() == Path("README.md")
    assert stat.S_IMODE((out / "README.md").stat().st_mode) == 0o600
    assert write_directory(out, EMPTY_TREE).removed == tuple(contents(NEW))
    assert files_of(out) == foreign | {"link": b"mine"}


def test_a_read_only_foreign_directory_survives(out: Path) -> None:
    write_directory(out, OLD)
    (out / "locked").mkdir()
    (out / "locked/file").write_bytes(b"")
    (out / "locked").chmod(0o500)
    write_directory(out, NEW)
    assert stat.S_IMODE((out / "locked").stat().st_mode) == 0o500
    assert [path.name for path in out.parent.iterdir()] == ["out"]
    (out / "locked").chmod(0o700)


def refused(out: Path, tree: Tree = NEW, *, adopt: bool = False) -> StoppedError:
    """Try to write, be refused, and see that nothing was touched."""
    before = sorted((p, p.lstat().st_mtime_ns) for p in out.parent.rglob("*"))
    with pytest.raises(StoppedError) as caught:
        write_directory(out, tree, adopt=adopt)
    assert sorted((p, p.lstat().st_mtime_ns) for p in out.parent.rglob("*") if p != out.parent) == before
    return caught.value


def test_a_directory_that_krender_did_not_write_needs_adoption(out: Path) -> None:
    out.mkdir()
    (out / "precious").write_bytes(b"1")
    assert "--adopt" in refused(out).fix
    assert write_directory(out, OLD, adopt=True).kept_foreign == ("precious",)
    assert write_directory(out, NEW).kept_foreign == ("precious",)
    assert files_of(out) == contents(NEW) | {"precious": b"1"}


@pytest.mark.parametrize(
    "damage", [b"", b"{}", b"<<<<<<< ours"], ids=["empty", "no-record", "merge-conflict"]
)
def test_a_damaged_record_needs_adoption(out: Path, damage: bytes) -> None:
    write_directory(out, OLD)
    (out / OWNED_PATH).write_bytes(damage)
    assert "damaged" in refused(out).what
    write_directory(out, NEW, adopt=True)
    assert files_of(out) == contents(NEW) | {"clusters/b/x.yaml": b"1"}  # nobody knows whose that was


def test_a_foreign_file_in_the_way_is_never_overwritten(out: Path) -> None:
    write_directory(out, OLD)
    (out / "clusters/c").mkdir()
    (out / "clusters/c/x.yaml").write_bytes(b"mine")
    assert refused(out).objects == ("clusters/c/x.yaml",)
    assert write_directory(out, NEW, adopt=True).changed == ("clusters/a/y.yaml", "clusters/c/x.yaml")
    assert files_of(out) == contents(NEW)


def test_a_foreign_file_with_the_very_same_content_becomes_krenders(out: Path) -> None:
    write_directory(out, OLD)
    (out / "clusters/c").mkdir()
    (out / "clusters/c/x.yaml").write_bytes(b"1")
    assert write_directory(out, NEW).kept_foreign == ()
    assert write_directory(out, OLD).removed == ("clusters/c/x.yaml",)


@pytest.mark.parametrize("adopt", [False, True])
@pytest.mark.parametrize(
    ("path", "tree"),
    [
        pytest.param("clusters/c", {"clusters/c/x.yaml": b"1"}, id="a-file-where-a-directory-goes"),
        pytest.param(
            "clusters/c/x.yaml/deep", {"clusters/c/x.yaml": b"1"}, id="a-directory-where-a-file-goes"
        ),
    ],
)
def test_what_blocks_the_way_is_never_removed(
    out: Path, path: str, tree: Mapping[str, bytes], adopt: bool
) -> None:
    write_directory(out, OLD)
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    (out / path).write_bytes(b"mine")
    refused(out, tree_of(tree), adopt=adopt)


def test_links_are_not_followed(out: Path, tmp_path: Path) -> None:
    write_directory(out, OLD)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/y.yaml").write_bytes(b"2")
    for path in (out / "clusters/a").iterdir():
        path.unlink()
    (out / "clusters/a").rmdir()
    (out / "clusters/a").symlink_to(tmp_path / "elsewhere")
    assert refused(out).objects == ("clusters/a",)
    assert (tmp_path / "elsewhere/y.yaml").read_bytes() == b"2"


# Edits by hand


@pytest.mark.parametrize(
    "path", [pytest.param("clusters/a/y.yaml", id="changed"), pytest.param("clusters/b/x.yaml", id="removed")]
)
def test_an_edit_of_krenders_own_file_is_not_lost_silently(out: Path, path: str) -> None:
    write_directory(out, OLD)
    (out / path).write_bytes(b"edited")
    assert refused(out).objects == (path,)
    write_directory(out, NEW, overwrite=True)
    assert files_of(out) == contents(NEW)


def test_an_edit_that_agrees_with_the_new_state_is_no_conflict(out: Path) -> None:
    write_directory(out, OLD)
    (out / "clusters/a/y.yaml").write_bytes(b"3")
    write_directory(out, NEW)
    assert files_of(out) == contents(NEW)


def test_a_file_deleted_by_hand_comes_back(out: Path) -> None:
    write_directory(out, OLD)
    (out / "clusters/a/x.yaml").unlink()
    assert write_directory(out, OLD).added == ("clusters/a/x.yaml",)


# Places


def place(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a place that must not be replaced."""
    out = tmp_path / "out"
    match kind:
        case "file":
            out.write_bytes(b"")
        case "link":
            (tmp_path / "real").mkdir()
            out.symlink_to("real")
        case "dangling-link":
            out.symlink_to("nowhere")
        case "root":
            return Path("/")
        case "home":
            out.mkdir()
            monkeypatch.setenv("HOME", str(out))
        case "worktree":
            (out / ".git").mkdir(parents=True)
        case "linked-worktree":
            out.mkdir()
            (out / ".git").write_text("gitdir: elsewhere\n")
        case "here":
            out.mkdir()
            monkeypatch.chdir(out)
            return Path()
        case "above-here":
            (out / "deep").mkdir(parents=True)
            monkeypatch.chdir(out / "deep")
        case "mount":
            return Path("/dev")
    return out


@pytest.mark.parametrize(
    "kind",
    [
        "file",
        "link",
        "dangling-link",
        "root",
        "home",
        "worktree",
        "linked-worktree",
        "here",
        "above-here",
        "mount",
    ],
)
def test_places_that_are_never_replaced(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoppedError, match=r".+"):
        write_directory(place(kind, tmp_path, monkeypatch), OLD, adopt=True)


@pytest.mark.parametrize("target", ["ws", ".", "ws/../ws"])
def test_output_must_not_replace_its_input(tmp_path: Path, target: str) -> None:
    (tmp_path / "ws").mkdir()
    with pytest.raises(StoppedError, match="is or contains"):
        write_directory(tmp_path / target, OLD, apart_from=[tmp_path / "ws"], adopt=True)


@pytest.mark.parametrize("target", ["ws/out", "link/out", "ws/deep/er/out"])
def test_output_may_lie_in_its_input(tmp_path: Path, target: str) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "link").symlink_to("ws")
    assert write_directory(tmp_path / target, OLD, apart_from=[tmp_path / "ws"]).added


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        pytest.param("ws/../out", "out", id="a-detour-is-left-out"),
        pytest.param("./out/", "out", id="so-is-what-says-nothing"),
        pytest.param("link/../out", "link/../out", id="but-not-one-that-leads-elsewhere"),
        pytest.param("../out", "../out", id="nor-the-way-up"),
    ],
)
def test_a_place_is_named_without_detours(
    stated: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here/ws").mkdir(parents=True)
    (tmp_path / "far/away").mkdir(parents=True)
    (tmp_path / "here/link").symlink_to("../far/away")
    monkeypatch.chdir(tmp_path / "here")
    assert str(without_detours(Path(stated))) == shown


# When the world fails


def test_a_place_that_cannot_be_written_is_one_clear_error() -> None:
    with pytest.raises(OutsideError, match="cannot write /proc/krender/out"):
        write_directory(Path("/proc/krender/out"), OLD)


def test_a_failure_half_way_leaves_the_old_state(out: Path) -> None:
    write_directory(out, OLD)
    too_long = tree_of({"clusters/a/x.yaml": b"9", f"clusters/{'n' * 300}": b""})
    with pytest.raises(OutsideError, match="too long"):
        write_directory(out, too_long)
    assert files_of(out) == contents(OLD)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_without_hard_links_files_are_copied(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    write_directory(out, OLD)
    foreign = add_foreign(out)
    monkeypatch.setattr(os, "link", no_links)
    write_directory(out, NEW)
    assert files_of(out) == contents(NEW) | foreign | {"link": b"mine"}


@pytest.mark.parametrize(
    ("number", "message"), [(errno.EXDEV, "another file system is mounted there"), (errno.EIO, "the disk")]
)
def test_a_file_that_cannot_be_kept_stops_it(
    out: Path, monkeypatch: pytest.MonkeyPatch, number: int, message: str
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    write_directory(out, OLD)
    monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(OutsideError, match=message):
        write_directory(out, NEW)
    assert files_of(out) == contents(OLD)


def test_a_link_in_the_place_of_krenders_own_file_is_an_edit(out: Path) -> None:
    write_directory(out, OLD)
    for path in ("clusters/a/y.yaml", "clusters/b/x.yaml"):
        (out / path).unlink()
        (out / path).symlink_to("elsewhere")
    assert refused(out).objects == ("clusters/a/y.yaml", "clusters/b/x.yaml")
    write_directory(out, NEW, overwrite=True)
    assert files_of(out) == contents(NEW)


# Where directories cannot change places in one step


def test_without_exchange_the_old_state_is_moved_aside(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench, "exchange", lambda *_: False)
    write_directory(out, OLD)
    write_directory(out, NEW)
    assert files_of(out) == contents(NEW)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_a_run_killed_while_the_old_state_is_aside_is_put_right(out: Path) -> None:
    write_directory(out, OLD)
    bench = out.parent / ".krender-out"
    (bench / "next/half").mkdir(parents=True)
    (bench / "lock").touch()
    out.rename(bench / "aside")
    assert write_directory(out, OLD) == Written()
    assert files_of(out) == contents(OLD)
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_the_bench_is_not_reached_through_a_link(out: Path, tmp_path: Path) -> None:
    (tmp_path / "trap").mkdir()
    (tmp_path / ".krender-out").symlink_to("trap")
    with pytest.raises(OutsideError, match="is a link"):
        write_directory(out, OLD)


# Two writers


def test_writers_take_turns(out: Path) -> None:
    trees = [tree_of({f"clusters/{number}/{n}": b"" for n in range(20)}) for number in range(8)]
    threads = [threading.Thread(target=write_directory, args=(out, tree)) for tree in trees]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert files_of(out) in [contents(tree) for tree in trees]
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_what_others_write_meanwhile_is_kept(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_directory(out, OLD)
    (out / "log").write_bytes(b"1")
    real = workbench.exchange

    def late(one: Path, other: Path) -> bool:
        (out / "clusters/a/late").write_bytes(b"late")
        (out / "log.new").write_bytes(b"2")
        (out / "log.new").replace(out / "log")
        return real(one, other)

    monkeypatch.setattr(workbench, "exchange", late)
    write_directory(out, NEW)
    assert files_of(out) == contents(NEW) | {"clusters/a/late": b"late", "log": b"2"}
