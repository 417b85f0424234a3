"""Publishing end to end: guards, remotes, addresses, paths."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, git
from tests.workspaces import FLEET, SHOP

WITHOUT_EAST = FLEET.replace("  - {name: east, region: eu, labels: {stage: prod}}\n", "")
SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: "


def put(root: Path, name: str, text: str) -> None:
    """Write one file of the workspace."""
    (root / name).write_text(text, encoding="utf-8")


def files(repository: Path, revision: str = "rendered") -> list[str]:
    """The paths of a revision."""
    return git(repository, "ls-tree", "-r", "--name-only", "--full-tree", revision).split("\n")


@pytest.fixture
def remote(tmp_path: Path, shop: Path) -> Path:
    """A bare repository that is the shop's origin."""
    git(tmp_path, "clone", "-q", "--bare", str(shop), "remote.git")
    git(shop, "remote", "add", "origin", str(tmp_path / "remote.git"))
    return tmp_path / "remote.git"


def test_two_people_on_two_machines_make_the_same_commit(
    run: Run, tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        for part in ("NAME", "EMAIL"):
            monkeypatch.delenv(f"GIT_{role}_{part}")
    made = set()
    for name, zone in (("ada", "UTC"), ("grace", "Asia/Tokyo"), ("", "UTC")):
        place = tmp_path / f"of-{name}"
        git(tmp_path, "clone", "-q", str(remote), place.name)
        for key in ("name", "email") if name else ():
            git(place, "config", f"user.{key}", name)
        monkeypatch.setenv("TZ", zone)
        assert run("publish", place).code == 0
        made.add(git(place, "rev-parse", "rendered"))
    assert len(made) == 1
    assert git(place, "show", "-s", "--format=%an %at", "rendered") == git(
        place, "show", "-s", "--format=%an %at", "HEAD"
    )


# Guards


def test_a_cluster_that_is_lost_stops_the_publish(run: Run, shop: Path) -> None:
    run("publish", shop)
    tip = git(shop, "rev-parse", "rendered")
    put(shop, "fleet.yaml", WITHOUT_EAST)
    ran = run("publish", shop)
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("krender: lost-clusters: the inventory no longer has 1 cluster of 3\n")
    assert "    Cluster east: 2 objects would be deleted\n" in ran.err
    assert ran.err.endswith("stopped by lost-clusters; nothing was written\n")
    assert git(shop, "rev-parse", "rendered") == tip
    assert run("publish", shop, "--allow", "lost-clusters").code == 0
    assert "clusters/east/shop/deployment.apps.web.yaml" not in files(shop)


def test_a_stop_is_told_to_programs_too(run: Run, shop: Path) -> None:
    run("publish", shop)
    put(shop, "fleet.yaml", WITHOUT_EAST)
    ran = run("publish", shop, "--format", "json")
    (stop,) = json.loads(ran.out)["stopped"]
    assert (ran.code, stop["guard"]) == (4, "lost-clusters")
    assert stop["objects"] == ["Cluster east: 2 objects would be deleted"]


def test_a_dry_run_tells_what_would_be_stopped(run: Run, shop: Path) -> None:
    run("publish", shop)
    put(shop, "fleet.yaml", WITHOUT_EAST)
    ran = run("publish", shop, "--dry-run")
    assert ran.code == 4
    assert "would commit" in ran.out
    assert "In east (gone):" in ran.out
    assert run("publish", shop, "--dry-run", "--allow", "lost-clusters").code == 0
    assert git(shop, "rev-list", "--count", "rendered") == "1"


def test_an_unknown_guard_is_a_usage_error(run: Run, shop: Path) -> None:
    ran = run("publish", shop, "--allow", "everything")
    assert ran.code == 2
    assert "lost-clusters" in ran.err


def test_a_renamed_cluster_goes_through(run: Run, shop: Path) -> None:
    run("publish", shop)
    put(shop, "fleet.yaml", FLEET.replace("name: east", "name: orient, previousName: east"))
    ran = run("publish", shop)
    assert ran.code == 0
    assert "clusters/orient/shop/deployment.apps.web.yaml" in files(shop)


def test_render_has_the_same_guards(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    put(out, "clusters/east/shop/foreign.yaml", "kept: true\n")
    put(shop, "fleet.yaml", WITHOUT_EAST)
    ran = run("render", shop, "-o", out)
    assert ran.code == 4
    assert "    Cluster east: 2 objects would be deleted\n" in ran.err, "the foreign file is not one of them"
    assert (out / "clusters/east/shop/deployment.apps.web.yaml").exists()
    assert run("render", shop, "-o", out, "--allow", "lost-clusters").code == 0
    assert [path.name for path in (out / "clusters/east").rglob("*.yaml")] == ["foreign.yaml"]


def test_a_secret_is_published_with_a_reason_only(run: Run, shop: Path, tmp_path: Path) -> None:
    put(
        shop,
        "secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\nstringData: {a: hunter2}\n",
    )
    put(
        shop,
        "policy.yaml",
        SHOP["policy.yaml"].replace("name: web}]", "name: web}, {apiVersion: v1, kind: Secret}]"),
    )
    ran = run("publish", shop)
    assert ran.code == 4
    assert "Secret shop/db (a) on 2 clusters: east, north" in ran.err
    assert "hunter2" not in ran.out + ran.err
    assert run("render", shop, "-o", tmp_path / "out").code == 0, "a directory is where people look first"
    waiver = "{guard: plaintext-secrets, objects: [Secret shop/db], reason: a test}"
    put(shop, "krender.yaml", SETTINGS + f"{{guards: {{waivers: [{waiver}]}}}}\n")
    assert run("publish", shop).code == 0


# Remotes


def test_push_moves_the_branch_at_the_remote(run: Run, shop: Path, remote: Path) -> None:
    assert run("publish", shop, "--push").out.startswith("origin/rendered: ")
    assert git(remote, "rev-parse", "rendered") == git(shop, "rev-parse", "rendered")
    assert run("publish", shop, "--push").out == "origin/rendered: nothing changed, no commit\n"


def test_the_memory_is_the_remotes(run: Run, shop: Path, remote: Path, tmp_path: Path) -> None:
    run("publish", shop, "--push")
    git(tmp_path, "clone", "-q", str(remote), "other")
    put(tmp_path / "other", "web.yaml", SHOP["web.yaml"].replace("web:1.2", "web:1.3"))
    assert run("publish", tmp_path / "other", "--push").code == 0
    assert run("publish", shop, "--push").code == 0, "what the other one published is gone on with"
    assert git(remote, "rev-list", "--count", "rendered") == "3"


def test_a_remote_that_is_not_there(run: Run, shop: Path) -> None:
    ran = run("publish", shop, "--push")
    assert ran.code == 3
    assert "has no remote 'origin'" in ran.err


@pytest.mark.parametrize("by", ["flag", "setting"])
def test_another_repository_by_its_address(
    run: Run, shop: Path, tmp_path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    git(tmp_path, "init", "-q", "--bare", "far.git")
    address = f"file://{tmp_path / 'far.git'}"
    if by == "setting":
        put(shop, "krender.yaml", SETTINGS + f"{{output: {{repo: '{address}', branch: live}}}}\n")
    arguments = ("--repo", address, "--branch", "live") if by == "flag" else ()
    assert run("publish", shop, *arguments).out.startswith(f"live of {address}: ")
    assert run("publish", shop, *arguments).out == f"live of {address}: nothing changed, no commit\n"
    assert "clusters/east/shop/deployment.apps.web.yaml" in files(tmp_path / "far.git", "live")
    assert "rendered" not in git(shop, "for-each-ref")
    if by == "setting":
        assert run("explain", "deploy/web", shop).code == 0, "it takes its memory from there"


def test_another_repository_by_its_path(run: Run, shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "other.git")
    put(shop, "krender.yaml", SETTINGS + "{output: {repo: ../other.git}}\n")
    assert run("publish", shop).code == 0
    assert "clusters/east/shop/deployment.apps.web.yaml" in files(tmp_path / "other.git")


# Below a path


def test_workspaces_share_a_branch(run: Run, shop: Path) -> None:
    put(shop, "krender.yaml", SETTINGS + "{output: {path: teams/red}}\n")
    assert run("publish", shop).out.startswith("rendered:teams/red: ")
    put(shop, "krender.yaml", SETTINGS + "{output: {path: teams/blue}}\n")
    assert run("publish", shop).code == 0
    assert run("publish", shop).out == "rendered:teams/blue: nothing changed, no commit\n"
    for team in ("red", "blue"):
        assert f"teams/{team}/clusters/east/shop/deployment.apps.web.yaml" in files(shop)


def test_the_memory_below_a_path_is_used(run: Run, shop: Path) -> None:
    put(shop, "krender.yaml", SETTINGS + "{output: {path: out}}\n")
    run("publish", shop)
    (shop / "policy.yaml").unlink()
    assert run("publish", shop).code == 0
    assert "out/clusters/east/shop/deployment.apps.web.yaml" in files(shop)


def test_the_same_branch_needs_a_path_beside_the_workspace(run: Run, shop: Path) -> None:
    git(shop, "checkout", "-q", "--detach")
    for adopt in ((), ("--adopt",)):  # which is no way out, and so not the advice
        ran = run("publish", shop, "--branch", "main", *adopt)
        assert ran.code == 4
        assert "the branch main is the one the workspace was read from" in ran.err
    put(shop, "krender.yaml", SETTINGS + "{output: {path: out, branch: main}}\n")
    assert run("publish", shop).code == 0
    git(shop, "checkout", "-q", "main", "-f")
    assert (shop / "out/clusters/east/shop/deployment.apps.web.yaml").is_file()
    assert run("check", shop).out == "no problems\n", "the output is not read as input"
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "settings")
    git(shop, "checkout", "-q", "--detach")
    assert run("publish", shop).out == "main:out: nothing changed, no commit\n"


def test_a_branch_that_is_checked_out_can_be_read_from(run: Run, shop: Path) -> None:
    run("publish", shop)
    git(shop, "worktree", "add", "-q", "../linked", "rendered")
    assert run("explain", "deploy/web", shop).code == 0
    assert run("publish", shop).code == 4


# Repositories of all kinds


def linked_worktree(shop: Path) -> tuple[object, ...]:
    git(shop, "worktree", "add", "-q", "-b", "feature", "../linked")
    return (shop.parent / "linked",)


def detached(shop: Path) -> tuple[object, ...]:
    git(shop, "checkout", "-q", "--detach")
    return (shop,)


def without_commits(shop: Path) -> tuple[object, ...]:
    git(shop, "update-ref", "-d", "HEAD")
    return (shop,)


def sha256(shop: Path) -> tuple[object, ...]:
    git(shop.parent, "init", "-q", "--object-format=sha256", "long")
    return (shop, "--repo", shop.parent / "long")


def bare(shop: Path) -> tuple[object, ...]:
    git(shop.parent, "init", "-q", "--bare", "bare.git")
    return (shop, "--repo", shop.parent / "bare.git")


def shallow(shop: Path) -> tuple[object, ...]:
    git(shop, "commit", "-q", "--allow-empty", "-m", "more")
    git(shop.parent, "clone", "-q", "--depth=1", f"file://{shop}", "shallow")
    return (shop.parent / "shallow",)


def partial(shop: Path) -> tuple[object, ...]:
    git(shop, "config", "uploadpack.allowFilter", "true")
    git(shop.parent, "clone", "-q", "--filter=blob:none", f"file://{shop}", "partial")
    return (shop.parent / "partial",)


def submodule(shop: Path) -> tuple[object, ...]:
    git(shop.parent, "init", "-q", "super")
    add = ("submodule", "--quiet", "add", str(shop), "sub")
    git(shop.parent / "super", "-c", "protocol.file.allow=always", *add)
    return (shop.parent / "super/sub",)


def below_the_top(shop: Path) -> tuple[object, ...]:
    (shop / "apps").mkdir()
    for name in SHOP:
        (shop / name).rename(shop / "apps" / name)
    return (shop / "apps",)


def foreign_environment(shop: Path) -> tuple[object, ...]:
    """As inside a hook of another repository."""
    git(shop.parent, "init", "-q", "else")
    for name, value in {"GIT_DIR": shop.parent / "else/.git", "GIT_INDEX_FILE": shop.parent / "no"}.items():
        os.environ[name] = str(value)
    return (shop,)


@pytest.mark.parametrize(
    "kind",
    [
        linked_worktree,
        detached,
        without_commits,
        sha256,
        bare,
        shallow,
        partial,
        submodule,
        below_the_top,
        foreign_environment,
    ],
)
def test_every_kind_of_repository_is_published_to(
    run: Run, shop: Path, kind: Callable[[Path], tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "")  # so that what the kind sets is taken back
        monkeypatch.delenv(name)
    arguments = kind(shop)
    assert run("publish", *arguments).code == 0
    assert run("publish", *arguments).out.endswith("nothing changed, no commit\n")
    assert "nothing changes" in run("diff", *arguments).out
    assert run("check", arguments[0]).code == 0
