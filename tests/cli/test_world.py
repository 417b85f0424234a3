"""The outside world at its worst: whatever fails, the result is as it was, and one clear error tells why."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import repositories
from tests.cli.conftest import Run, git
from tests.repositories import is_sound
from tests.workspaces import WEB

SPACE = 3  # MB on the small disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, with little room."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid()
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SPACE}m", "tmpfs", str(place)],
            capture_output=True,
            check=False,
        ).returncode
    ):
        pytest.skip("only root may mount a file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def target(disk: Path) -> Path:
    """A repository on that disk, to publish the shop to."""
    git(disk, "init", "-q", "--bare", "target.git")
    return disk / "target.git"


def swell(shop: Path) -> None:
    """Have the workspace render to more than there is room for."""
    for number in range(SPACE + 1):
        noise = os.urandom(512 * 1024).hex()
        (shop / f"config-{number}.yaml").write_text(
            f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number}, namespace: shop}}\n"
            f"data: {{noise: {noise}}}\n"
        )
    policy = (shop / "policy.yaml").read_text()
    selected = "resourceSelectors: [{apiVersion: v1, kind: ConfigMap}, "
    (shop / "policy.yaml").write_text(policy.replace("resourceSelectors: [", selected))


def test_a_full_disk_leaves_the_branch_as_it_was(run: Run, shop: Path, target: Path) -> None:
    arguments = ("publish", shop, "--repo", target)
    assert run(*arguments).code == 0
    before = git(target, "rev-parse", "rendered")
    kept = {path: path.read_bytes() for path in shop.glob("*.yaml")}
    swell(shop)
    failed = run(*arguments)
    assert failed.code == 3
    assert "the disk is full" in failed.err
    assert git(target, "rev-parse", "rendered") == before
    assert is_sound(target)
    for path in shop.glob("*.yaml"):
        path.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"))
    assert run(*arguments).code == 0  # and what filled the disk is gone
    assert git(target, "rev-parse", "rendered~") == before


def test_a_full_disk_leaves_the_directory_as_it_was(run: Run, shop: Path, disk: Path) -> None:
    arguments = ("render", shop, "-o", disk / "out")
    assert run(*arguments).code == 0
    before = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
    swell(shop)
    failed = run(*arguments)
    assert failed.code == 3
    assert "the disk is full" in failed.err
    assert {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()} == before
    assert [path.name for path in disk.iterdir()] == ["out"]


def test_a_read_only_file_system_is_told(run: Run, shop: Path, target: Path, disk: Path) -> None:
    run("publish", shop, "--repo", target)
    before = git(target, "rev-parse", "rendered")
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"))
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    for line in (("publish", shop, "--repo", target), ("render", shop, "-o", disk / "out")):
        failed = run(*line)
        assert failed.code == 3
        assert "read-only" in failed.err
    assert git(target, "rev-parse", "rendered") == before


def test_without_permission_nothing_is_written(run: Run, shop: Path) -> None:
    if not os.geteuid():
        pytest.skip("root may write everything")
    run("publish", shop)
    before = git(shop, "rev-parse", "rendered")
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"))
    (shop / ".git/objects").chmod(0o500)
    failed = run("publish", shop)
    (shop / ".git/objects").chmod(0o700)
    assert (failed.code, git(shop, "rev-parse", "rendered")) == (3, before)
    assert "permission denied" in failed.err


def test_a_remote_that_refuses_leaves_both_as_they_were(run: Run, shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(shop), "remote.git")
    git(shop, "remote", "add", "origin", str(tmp_path / "remote.git"))
    run("publish", shop, "--push")
    before = git(shop, "rev-parse", "rendered")
    hook = tmp_path / "remote.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho not on a Friday\nexit 1\n")
    hook.chmod(0o755)
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"))
    failed = run("publish", shop, "--push")
    assert failed.code == 3
    assert "not on a Friday" in failed.err
    for repository in (shop, tmp_path / "remote.git"):
        assert git(repository, "rev-parse", "rendered") == before


@pytest.mark.parametrize("what", ["rendered", "rendered^{tree}", "rendered:.krender/bindings/shop"])
def test_a_damaged_object_is_told_and_nothing_moves(run: Run, shop: Path, what: str) -> None:
    run("publish", shop)
    name, before = git(shop, "rev-parse", what), git(shop, "rev-parse", "rendered")
    place = shop / ".git/objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes(b"garbage")
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"))
    failed = run("publish", shop)
    assert failed.code == 3
    assert "git fsck" in failed.err
    assert git(shop, "rev-parse", "rendered") == before


def test_a_clock_that_goes_back_makes_no_commit_older_than_its_parent(run: Run, shop: Path) -> None:
    dates = []
    for number, date in enumerate((1_800_000_000, 1_000_000_000, 1_700_000_000)):
        (shop / "web.yaml").write_text(WEB.replace("replicas: 4", f"replicas: {number + 5}"))
        git(shop, "add", ".")
        repositories.commit(shop, "Another", date)
        assert run("publish", shop).code == 0
        dates.append(int(git(shop, "log", "-1", "--format=%ct", "rendered")))
    assert dates == [1_800_000_000] * 3
    assert is_sound(shop)
