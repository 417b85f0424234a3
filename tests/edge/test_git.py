"""Commits on the rendered branch of real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from renderer.edge.errors import OutsideError, StoppedError
from renderer.edge.git import GitRepository
from renderer.edge.place import source_of
from renderer.model.published import Tip
from renderer.model.tree import EMPTY_TREE, Blob, Tree, placed, tree_of
from tests.repositories import commit, contents, files_on, git, is_sound, new_repository

ONE = tree_of({"clusters/a/ns/x.yaml": b"1", "clusters/b/ns/x.yaml": b"1", ".krender/bindings/x": b"b"})
TWO = tree_of({"clusters/a/ns/x.yaml": b"2", "clusters/c/ns/x.yaml": b"1", ".krender/bindings/x": b"b"})
DATE = 1_700_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "repository")


def put(path: Path, tree: Tree, branch: str = "rendered", text: str = "render\n", author: str = "") -> str:
    """Commit a tree on what lies on the branch now."""
    with GitRepository(path, branch) as opened:
        made = opened.commit(opened.tip(), tree, text, DATE, author)
    assert made is not None
    return made


def snapshot(path: Path) -> tuple[object, ...]:
    """Everything of the user's that must not change."""
    directory = Path(git(path, "rev-parse", "--absolute-git-dir"))
    return (
        git(path, "status", "--porcelain=v2", "--branch"),
        (directory / "HEAD").read_bytes(),
        (directory / "index").read_bytes() if (directory / "index").exists() else None,
        [line for line in git(path, "for-each-ref").split("\n") if "refs/heads/rendered" not in line],
        sorted((p, p.stat().st_mtime_ns) for p in path.rglob("*") if ".git" not in p.parts and p.is_file()),
    )


def test_the_branch_holds_the_tree_and_nothing_else_changes(repository: Path) -> None:
    (repository / "policy.yaml").write_text("edited\n")
    (repository / "staged").write_text("")
    git(repository, "add", "staged")
    before = snapshot(repository)
    first = put(repository, ONE)
    assert files_on(repository, "rendered") == contents(ONE)
    second = put(repository, TWO)
    assert files_on(repository, "rendered") == contents(TWO)
    assert git(repository, "rev-list", "rendered").split() == [second, first]
    assert snapshot(repository) == before
    assert is_sound(repository)
    assert not list((repository / ".git").glob("fast_import_crash_*"))


def test_what_was_published_is_read_back(repository: Path) -> None:
    made = put(repository, ONE, text="render: one\n\nbody\n")
    with GitRepository(repository) as opened:
        tip = opened.tip()
        assert tip is not None
        assert (tip.commit, tip.message, tip.date) == (made, "render: one\n\nbody\n", DATE)
        assert tip.tree == ONE
        assert tip.tree.object_id("sha1") == ONE.object_id("sha1")
        assert tip.tree.at(".krender/bindings/x") == Blob(b"b")
        assert tip.tree.at("clusters/nowhere") is None


def test_a_branch_that_is_not_there_has_no_tip(repository: Path) -> None:
    with GitRepository(repository) as opened:
        assert opened.tip() is None


def test_a_published_directory_is_kept_without_reading_it(repository: Path) -> None:
    put(repository, ONE)
    with GitRepository(repository) as opened:
        tip = opened.tip()
        assert tip is not None
        frozen = tip.tree.at("clusters/a")
        assert isinstance(frozen, Tree)
        thawed = placed(TWO, "clusters/a", frozen)
        assert opened.commit(tip, placed(thawed, "clusters/moved", frozen), "m", DATE)
    files = files_on(repository, "rendered")
    assert files["clusters/a/ns/x.yaml"] == files["clusters/moved/ns/x.yaml"] == b"1"


def test_git_would_have_made_the_same_objects(repository: Path, tmp_path: Path) -> None:
    put(repository, ONE)
    put(repository, TWO)
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", "-b", "rendered", str(repository), str(other))
    git(other, "rm", "-rq", "--cached", ".")
    git(other, "add", "-A")
    assert git(other, "write-tree") == git(repository, "rev-parse", "rendered^{tree}")


# The same everywhere


def test_the_same_inputs_give_the_same_commit(tmp_path: Path) -> None:
    one, two = new_repository(tmp_path / "one"), new_repository(tmp_path / "two")
    assert put(one, ONE) == put(two, ONE)
    assert put(one, TWO) == put(two, TWO)


ODDITIES = {
    "core.autocrlf": "true",
    "core.eol": "crlf",
    "core.quotePath": "true",
    "core.ignoreCase": "true",
    "core.safecrlf": "true",
    "i18n.commitEncoding": "ISO-8859-1",
    "i18n.logOutputEncoding": "ISO-8859-1",
    "core.commentChar": "r",
    "commit.cleanup": "scrub",
    "core.abbrev": "4",
    "color.ui": "always",
    "status.showUntrackedFiles": "all",
    "log.showSignature": "true",
    "fastimport.unpackLimit": "1",
    "core.compression": "9",
    "core.logAllRefUpdates": "always",
    "column.ui": "always",
    "core.attributesFile": "/dev/null",
}


def test_the_users_settings_do_not_change_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, odd = new_repository(tmp_path / "plain"), new_repository(tmp_path / "odd")
    tree = tree_of({"clusters/A/ns/x": b"1\r\n2\n", "clusters/a/ns/x": b"2\r\n", "clusters/ä/$Id$": b"$Id$"})
    wanted = put(plain, tree, text="render: ü\n\n# no comment\n")
    for name, value in ODDITIES.items():
        git(odd, "config", name, value)
    (odd / ".git/info/attributes").write_text("* text eol=crlf ident\n")
    for hook in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg", "post-update"):
        path = odd / ".git/hooks" / hook
        path.write_text("#!/bin/sh\necho ran >> hooks-ran\nexit 1\n")
        path.chmod(0o755)
    for name, value in {"TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "GIT_AUTHOR_DATE": "@1 +0900"}.items():
        monkeypatch.setenv(name, value)
    previous = os.umask(0o077)
    try:
        made = put(odd, tree, text="render: ü\n\n# no comment\n")
    finally:
        os.umask(previous)
    assert made == wanted
    assert not list(odd.rglob("hooks-ran"))


def test_nobody_configured_still_gives_a_commit(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "r")
    git(repository, "config", "--unset", "user.name")
    git(repository, "config", "--unset", "user.email")
    git(repository, "config", "user.useConfigOnly", "true")
    made = put(repository, ONE)
    assert git(repository, "show", "-s", "--format=%an <%ae> %cn %at", made) == (
        f"krender <krender@localhost> krender {DATE}"
    )


def test_the_person_is_found_as_git_finds_it(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "config", "author.name", "  Grace <x>\t ")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "bot@example.com")
    made = put(repository, ONE)
    assert git(repository, "show", "-s", "--format=%an|%ae|%cn|%ce", made) == (
        "Grace x|ada@example.com|Ada|bot@example.com"
    )


@pytest.mark.parametrize(
    ("settings", "committer"),
    [
        pytest.param({}, "krender <krender@localhost>", id="not-the-user"),
        pytest.param({"committer.name": "bot"}, "bot <krender@localhost>", id="but-whom-somebody-named"),
        pytest.param(
            {"committer.name": "bot", "committer.email": "b@example.com"},
            "bot <b@example.com>",
            id="as-a-whole",
        ),
    ],
)
def test_the_commit_of_a_known_author_does_not_tell_who_published_it(
    repository: Path, settings: Mapping[str, str], committer: str
) -> None:
    for name, value in settings.items():
        git(repository, "config", name, value)
    made = put(repository, ONE, author="Grace <grace@example.com>")
    assert git(repository, "show", "-s", "--format=%an <%ae>|%cn <%ce>", made) == (
        f"Grace <grace@example.com>|{committer}"
    )


# Repositories of all kinds


def linked_worktree(repository: Path) -> Path:
    git(repository, "worktree", "add", "-q", "-b", "feature", str(repository.parent / "linked"))
    return repository.parent / "linked"


def detached(repository: Path) -> Path:
    git(repository, "checkout", "-q", "--detach")
    return repository


def bare(repository: Path) -> Path:
    git(repository.parent, "clone", "-q", "--bare", str(repository), "bare.git")
    return repository.parent / "bare.git"


def without_commits(repository: Path) -> Path:
    git(repository.parent, "init", "-q", "-b", "main", "fresh")
    return repository.parent / "fresh"


def submodule(repository: Path) -> Path:
    parent = new_repository(repository.parent / "super")
    git(parent, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "sub")
    return parent / "sub"


def shallow(repository: Path) -> Path:
    commit(repository, "Second", 1_000_000_001)
    git(repository.parent, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    return repository.parent / "shallow"


def partial(repository: Path) -> Path:
    put(repository, ONE)
    git(repository, "config", "uploadpack.allowFilter", "true")
    url = f"file://{repository}"
    git(repository.parent, "clone", "-q", "--filter=tree:0", "--no-checkout", url, "partial")
    return repository.parent / "partial"


def a_subdirectory(repository: Path) -> Path:
    (repository / "deep/er").mkdir(parents=True)
    return repository / "deep/er"


def a_file(repository: Path) -> Path:
    return repository / "policy.yaml"


def separate_git_directory(repository: Path) -> Path:
    git(repository.parent, "init", "-q", "--separate-git-dir", "apart", "moved")
    return repository.parent / "moved"


@pytest.mark.parametrize(
    "kind",
    [
        linked_worktree,
        detached,
        bare,
        without_commits,
        submodule,
        shallow,
        partial,
        a_subdirectory,
        a_file,
        separate_git_directory,
    ],
)
def test_every_kind_of_repository_works(repository: Path, kind: Callable[[Path], Path]) -> None:
    path = kind(repository)
    put(path, ONE)
    put(path, TWO)
    where = path if path.is_dir() else path.parent
    assert files_on(where, "rendered") == contents(TWO)
    assert is_sound(where)


def test_sha256_repositories_work(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "long", "--object-format=sha256")
    put(repository, ONE)
    made = put(repository, TWO)
    assert len(made) == 64
    assert files_on(repository, "rendered") == contents(TWO)
    assert git(repository, "rev-parse", "rendered^{tree}") == TWO.object_id("sha256").hex()
    assert is_sound(repository)


def test_the_environment_of_a_hook_leads_nowhere_else(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_repository(tmp_path / "other")
    before = snapshot(other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    monkeypatch.setenv("GIT_NAMESPACE", "space")
    put(repository, ONE)
    assert source_of(repository) is not None
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"):
        monkeypatch.delenv(name)
    assert files_on(repository, "rendered") == contents(ONE)
    assert snapshot(other) == before
    assert not (tmp_path / "index").exists()


def test_a_real_hook_may_publish(repository: Path) -> None:
    """Git sets GIT_DIR and GIT_INDEX_FILE (`git commit FILE`: to a temporary index) for its hooks."""
    hook = repository / ".git/hooks/pre-commit"
    root = Path(__file__).parents[2]
    script = "from tests.edge.test_git import put, ONE; from pathlib import Path; put(Path('.'), ONE)"
    hook.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" "{sys.executable}" -c "{script}"\n')
    hook.chmod(0o755)
    (repository / "policy.yaml").write_text("changed\n")
    (repository / "left-out").write_text("")
    git(repository, "commit", "-q", "-m", "by hook", "policy.yaml")
    assert files_on(repository, "rendered") == contents(ONE)
    assert files_on(repository, "main") == {"policy.yaml": b"changed\n"}
    assert git(repository, "status", "--porcelain") == "?? left-out"


def test_a_branch_that_only_the_remote_has_is_gone_on_with(repository: Path, tmp_path: Path) -> None:
    first = put(repository, ONE)
    git(tmp_path, "clone", "-q", str(repository), "clone")
    second = put(tmp_path / "clone", TWO)
    assert git(tmp_path / "clone", "rev-list", "rendered").split() == [second, first]
    assert git(tmp_path / "clone", "rev-parse", "origin/rendered") == first


def test_remotes_that_disagree_are_not_chosen_between(repository: Path, tmp_path: Path) -> None:
    put(repository, ONE)
    git(tmp_path, "clone", "-q", str(repository), "clone")
    put(repository, TWO)
    git(tmp_path / "clone", "remote", "add", "-f", "up", str(repository))
    with GitRepository(tmp_path / "clone") as opened, pytest.raises(OutsideError, match="several remotes"):
        opened.tip()


def test_foreign_entries_of_every_mode_survive(repository: Path) -> None:
    put(repository, ONE)
    git(repository, "worktree", "add", "-q", "--detach", "../hand", "rendered")
    hand = repository.parent / "hand"
    (hand / "clusters/a/run.sh").write_text("")
    (hand / "clusters/a/run.sh").chmod(0o755)
    (hand / "clusters/a/link").symlink_to("../b")
    (hand / os.fsdecode(b"caf\xe9")).write_text("")
    git(hand, "add", "-A")
    head = git(hand, "rev-parse", "HEAD")
    git(hand, "update-index", "--add", "--cacheinfo", f"160000,{head},clusters/a/module")
    git(hand, "commit", "-q", "-m", "by hand")
    git(repository, "branch", "-f", "rendered", git(hand, "rev-parse", "HEAD"))
    with GitRepository(repository) as opened:
        tip = opened.tip()
        assert tip is not None
        changed = placed(tip.tree, "clusters/a/ns/x.yaml", Blob(b"2"))
        assert opened.commit(tip, changed, "m", DATE)
    difference = git(repository, "diff-tree", "-r", "--name-only", "rendered~", "rendered")
    assert difference == "clusters/a/ns/x.yaml"
    assert is_sound(repository)


# What is refused


def test_a_branch_that_is_checked_out_is_refused(repository: Path) -> None:
    with pytest.raises(StoppedError, match="main is checked out"):
        GitRepository(repository, "main")
    put(repository, ONE)
    git(repository, "worktree", "add", "-q", "../linked", "rendered")
    with pytest.raises(StoppedError, match=r"rendered is checked out in .*linked"):
        GitRepository(repository)


def test_a_branch_that_is_checked_out_meanwhile_is_refused(repository: Path) -> None:
    put(repository, ONE)
    with GitRepository(repository) as opened:
        tip = opened.tip()
        git(repository, "checkout", "-q", "rendered")
        with pytest.raises(StoppedError, match="checked out"):
            opened.commit(tip, TWO, "m", DATE)
    assert files_on(repository, "rendered") == contents(ONE)


def test_an_unborn_branch_that_is_checked_out_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "rendered", "fresh")
    with pytest.raises(StoppedError, match="checked out"):
        GitRepository(tmp_path / "fresh")


def test_a_branch_that_leads_to_another_is_refused(repository: Path) -> None:
    git(repository, "branch", "other")
    git(repository, "symbolic-ref", "refs/heads/rendered", "refs/heads/other")
    with pytest.raises(StoppedError, match="another name of refs/heads/other"):
        GitRepository(repository)


@pytest.mark.parametrize("name", ["", "-f", "a..b", "a b", "x.lock", "a/", "@{", "~", "@", "HEAD"])
def test_what_is_no_branch_name_is_refused(repository: Path, name: str) -> None:
    with pytest.raises(StoppedError, match="cannot be the name"):
        GitRepository(repository, name)


def test_the_full_name_of_a_branch_is_answered_with_its_short_name(repository: Path) -> None:
    with pytest.raises(StoppedError, match="write --branch rendered"):
        GitRepository(repository, "refs/heads/rendered")


def refused(path: Path, branch: str = "rendered") -> OutsideError:
    """Try to publish and be told why not."""
    with pytest.raises(OutsideError) as caught:
        put(path, TWO, branch)
    return caught.value


def test_no_repository(tmp_path: Path) -> None:
    assert "no Git repository" in refused(tmp_path).what
    assert "does not exist" in refused(tmp_path / "nowhere").what
    assert source_of(tmp_path) is None


def test_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert refused(repository).what == "git is not found on PATH"


def fake_git(path: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program before git on PATH."""
    real = shutil.which("git")
    path.mkdir()
    (path / "git").write_text(f'#!/bin/sh\n{script}\nexec {real} "$@"\n')
    (path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{path}:{os.environ['PATH']}")


def test_an_old_git(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = 'for a in "$@"; do [ "$a" = version ] && { echo git version 2.7.4; exit; }; done'
    fake_git(tmp_path / "bin", answer, monkeypatch)
    assert "git version 2.7.4 is too old" in refused(repository).what


def test_a_repository_of_another_kind(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = 'for a in "$@"; do [ "$a" = --show-object-format ] && { echo sha3; exit; }; done'
    fake_git(tmp_path / "bin", answer, monkeypatch)
    assert "names objects by sha3" in refused(repository).what


def test_a_git_that_builds_another_tree_moves_nothing(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = 'for a in "$@"; do case "$a" in *"^{tree}") echo 1; exit;; esac; done'
    fake_git(tmp_path / "bin", answer, monkeypatch)
    assert "git built the tree 1 instead of" in refused(repository).what
    assert "rendered" not in git(repository, "for-each-ref")


def test_crash_reports_of_killed_runs_are_cleared_and_others_are_kept(repository: Path) -> None:
    (repository / ".git/fast_import_crash_1").write_text("* reset refs/krender/import\n")
    (repository / ".git/fast_import_crash_2").write_text("* commit refs/heads/mine\n")
    put(repository, ONE)
    assert [path.name for path in (repository / ".git").glob("fast_import*")] == ["fast_import_crash_2"]


def test_a_git_that_dies_half_way_leaves_the_old_state(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(repository, ONE)
    fake_git(tmp_path / "bin", 'for a in "$@"; do [ "$a" = fast-import ] && exit 3; done', monkeypatch)
    assert "fast-import` failed" in refused(repository).what
    assert files_on(repository, "rendered") == contents(ONE)


def test_a_full_disk_is_not_kept_full(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(repository, ONE)
    pack = repository / ".git/objects/pack/tmp_pack_x1Y2z3"
    fail = f"touch {pack}; echo 'fatal: sha1 file {pack} write error. Out of diskspace' >&2; exit 128"
    fake_git(
        tmp_path / "bin", f'for a in "$@"; do [ "$a" = fast-import ] && {{ {fail}; }}; done', monkeypatch
    )
    assert "the disk is full" in refused(repository).what
    assert not pack.exists()


def test_a_repository_of_somebody_else(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    error = refused(repository)
    assert "does not trust" in error.what
    assert f"safe.directory {repository}" in error.fix
    with pytest.raises(OutsideError, match="does not trust"):
        source_of(repository)


def test_a_branch_in_the_way_of_the_name(repository: Path) -> None:
    git(repository, "branch", "rendered/main")
    assert "refs/heads/rendered/main" in refused(repository).why


def test_a_lock_that_was_left_behind(repository: Path) -> None:
    put(repository, ONE)
    (repository / ".git/refs/heads/rendered.lock").touch()
    error = refused(repository)
    assert "holds a lock" in error.what
    assert "rendered.lock" in error.why
    assert files_on(repository, "rendered") == contents(ONE)


def test_a_hook_that_forbids_it_is_heard(repository: Path) -> None:
    put(repository, ONE)
    hook = repository / ".git/hooks/reference-transaction"
    hook.write_text("#!/bin/sh\necho not on a Friday >&2\nexit 1\n")
    hook.chmod(0o755)
    assert "not on a Friday" in refused(repository).why
    assert files_on(repository, "rendered") == contents(ONE)


def test_a_missing_object(repository: Path) -> None:
    put(repository, ONE)
    name = git(repository, "rev-parse", "rendered:clusters")
    (repository / ".git/objects" / name[:2] / name[2:]).unlink()
    error = refused(repository)
    assert "git fsck" in error.fix


def test_a_damaged_object(repository: Path) -> None:
    put(repository, ONE)
    name = git(repository, "rev-parse", "rendered^{tree}")
    path = repository / ".git/objects" / name[:2] / name[2:]
    path.chmod(0o644)
    path.write_bytes(b"garbage")
    assert "git fsck" in refused(repository).fix


def test_a_branch_that_points_at_nothing(repository: Path) -> None:
    (repository / ".git/refs/heads/rendered").write_text("1" * 40 + "\n")
    assert "lacks the object" in refused(repository).what


# Compare and swap


def test_the_branch_moves_from_the_planned_tip_or_not_at_all(repository: Path) -> None:
    with GitRepository(repository) as opened:
        none = opened.tip()
        other = put(repository, ONE)
        assert opened.commit(none, TWO, "m", DATE) is None
        tip = opened.tip()
        another = put(repository, placed(ONE, "clusters/z", Blob(b"")))
        assert opened.commit(tip, TWO, "m", DATE) is None
        git(repository, "branch", "-q", "-D", "rendered")
        assert opened.commit(tip, TWO, "m", DATE) is None
    assert git(repository, "rev-parse", f"{another}~") == other
    assert "rendered" not in git(repository, "for-each-ref")


def test_a_remote_branch_that_moved_is_no_start(repository: Path, tmp_path: Path) -> None:
    put(repository, ONE)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository), "clone")
    with GitRepository(clone) as opened:
        tip = opened.tip()
        put(repository, TWO)
        git(clone, "fetch", "-q")
        assert opened.commit(tip, EMPTY_TREE, "m", DATE) is None


# Signing


@pytest.fixture
def signing(repository: Path, tmp_path: Path) -> Path:
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen is not installed")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (tmp_path / "allowed").write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}")
    settings = {
        "commit.gpgSign": "yes",
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "gpg.ssh.allowedSignersFile": str(tmp_path / "allowed"),
        "i18n.commitEncoding": "ISO-8859-1",
    }
    for name, value in settings.items():
        git(repository, "config", name, value)
    return repository


def test_commits_are_signed_where_the_user_signs(signing: Path) -> None:
    put(signing, ONE, text="render: ü\n\nbody\n")
    made = put(signing, TWO, text="render: ü\n\nbody\n")
    git(signing, "verify-commit", made)
    assert files_on(signing, "rendered") == contents(TWO)
    assert git(signing, "show", "-s", "--format=%ct %at %an %P", made) == (
        f"{DATE} {DATE} Ada {git(signing, 'rev-parse', made + '~')}"
    )
    with GitRepository(signing) as opened:
        tip = opened.tip()
    assert isinstance(tip, Tip)
    told = put(signing, ONE, author="Grace <grace@example.com>")
    assert git(signing, "show", "-s", "--format=%an %cn", told) == "Grace Ada"
    assert tip.message == "render: ü\n\nbody\n"
    assert is_sound(signing)


def test_a_key_that_is_missing_is_one_clear_error(signing: Path, tmp_path: Path) -> None:
    (tmp_path / "key").unlink()
    assert "could not be signed" in refused(signing).what
    assert "rendered" not in git(signing, "for-each-ref")


# The source


def test_the_source_commit_and_whether_it_is_what_lies_there(repository: Path) -> None:
    source = source_of(repository)
    assert source is not None
    assert (source.subject, source.date, source.dirty) == ("First", 1_000_000_000, False)
    assert source.commit == git(repository, "rev-parse", "HEAD")
    index = (repository / ".git/index").read_bytes()
    (repository / "policy.yaml").touch()
    (repository / "new.yaml").touch()
    assert source_of(repository / "policy.yaml") != source
    assert (repository / ".git/index").read_bytes() == index
    assert source_of(without_commits(repository)) is None


def test_commit_messages_in_other_encodings_are_read(repository: Path) -> None:
    git(repository, "config", "i18n.commitEncoding", "ISO-8859-1")
    subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-F", "-"],
        cwd=repository,
        input="Grüße".encode("latin-1"),
        check=True,
    )
    source = source_of(repository)
    assert source is not None
    assert source.subject == "Grüße"
