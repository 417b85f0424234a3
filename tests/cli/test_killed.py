"""The whole command, killed at any moment: what it wrote to holds the old result or the new one."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.cli.main import main
from tests.cli.conftest import Run, git
from tests.killing import THOROUGH, Killer, moments
from tests.repositories import is_sound

KILLS = 100 if THOROUGH else 10
PUBLISHERS = 20
MANIFEST = "clusters/east/shop/deployment.apps.web.yaml"


def command(*arguments: str) -> None:
    """What the victim does."""
    sys.argv = ["krender", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()


def edit(root: Path, number: int) -> None:
    """Another image in the workload."""
    place = root / "web.yaml"
    before, _, after = place.read_text().partition("registry.example/team/web:")
    place.write_text(f'{before}registry.example/team/web:{number}"{after.partition(chr(34))[2]}')


def on_branch(root: Path) -> str:
    """The workload as it lies on the branch."""
    return git(root, "cat-file", "blob", f"rendered:{MANIFEST}")


def in_directory(root: Path) -> str:
    """The workload as it lies in the output."""
    return (root.parent / "out" / MANIFEST).read_text()


@pytest.mark.parametrize(
    ("name", "result"), [pytest.param("publish", on_branch), pytest.param("render", in_directory)]
)
def test_a_killed_command_leaves_the_old_or_the_new_result(
    run: Run, shop: Path, name: str, result: Callable[[Path], str]
) -> None:
    arguments = (name, str(shop)) if name == "publish" else (name, str(shop), "-o", str(shop.parent / "out"))
    assert run(*arguments).code == 0
    current = "1.2"
    with Killer("tests.cli.test_killed:command") as killer:
        killer.run(*arguments)
        edit(shop, 0)
        duration = killer.run(*arguments)
        current = "0"
        for number, delay in enumerate(moments(KILLS, duration, seed=3), start=1):
            edit(shop, number)
            killer.run(*arguments, after=delay)
            (shop / ".git/refs/heads/rendered.lock").unlink(missing_ok=True)
            found = result(shop).partition("team/web:")[2].split()[0].rstrip('"')
            assert found in (current, str(number))
            current = found
            assert not THOROUGH or is_sound(shop)
        assert is_sound(shop)
        edit(shop, KILLS + 1)
        killer.run(*arguments)
    assert f"team/web:{KILLS + 1}" in result(shop)
    assert "nothing changed" in run(*arguments).out


def all_at_once(repository: str, *roots: str) -> None:
    """Publish every workspace at the same time; prints how each ended."""
    children = []
    for root in roots:
        child = os.fork()
        if not child:
            sys.argv = ["krender", "publish", root, "--repo", repository]
            main()
        children.append(child)
    print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))


def test_twenty_publishers_at_once_are_all_heard(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "target.git")
    roots = [tmp_path / f"team-{number:02}" for number in range(PUBLISHERS)]
    for number, root in enumerate(roots):
        shutil.copytree(shop, root, ignore=shutil.ignore_patterns(".git"))
        edit(root, number)
        settings = (
            f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {{output: {{path: {root.name}}}}}\n"
        )
        (root / "krender.yaml").write_text(settings)
    script = "import sys; from tests.cli.test_killed import all_at_once; all_at_once(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "target.git"), *map(str, roots)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[-2].split() == ["0"] * PUBLISHERS, done.stderr
    for number, root in enumerate(roots):
        found = git(tmp_path / "target.git", "cat-file", "blob", f"rendered:{root.name}/{MANIFEST}")
        assert f"team/web:{number}" in found
    assert git(tmp_path / "target.git", "rev-list", "--count", "rendered") == str(PUBLISHERS)
    assert is_sound(tmp_path / "target.git")
