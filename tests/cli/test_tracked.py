"""What a commit would have, and that the quick answer about it is that of a whole run."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.cli import main
from renderer.cli.noop import nothing_to_do
from renderer.edge.tracked import state, tracked, unstaged
from tests import repositories
from tests.cli.conftest import Run, git
from tests.workspaces import SHOP, WEB

Edit = Callable[[Path], None]
CART = WEB.replace("name: web", "name: cart").replace("app: web", "app: cart")
LOOP = "on: push\njobs: {a: {runs-on: x, steps: [{run: krender publish fleet --push}]}}\n"


@pytest.fixture
def fleet(shop: Path) -> Path:
    """The shop in a directory of its repository, with its result beside it."""
    (shop / "fleet").mkdir()
    for name in SHOP:
        (shop / name).rename(shop / "fleet" / name)
    git(shop, "add", ".")
    return shop


def test_untracked_files_do_not_exist(run: Run, fleet: Path) -> None:
    (fleet / "fleet/cart.yaml").write_text("a: [")
    (fleet / "fleet/.krenderignore").write_text("*\n")
    (fleet / "fleet/krender.yaml").write_text("nonsense")
    (fleet / "fleet/x").mkdir()
    (fleet / "fleet/x/.krender").mkdir()
    assert run("check", fleet / "fleet").code == 1
    assert run("check", fleet / "fleet", "--tracked").code == 0
    (fleet / "fleet/link.yaml").symlink_to("cart.yaml")
    git(fleet, "add", "fleet/link.yaml")
    assert "link to nothing" in run("check", fleet / "fleet", "--tracked").out


def test_other_places_to_stand_tell_the_same(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for directory in (fleet, fleet / "fleet", fleet.parent):
        monkeypatch.chdir(directory)
        found.append(
            (tracked(fleet / "fleet"), unstaged(fleet / "nowhere"), bool(state(fleet / "fleet", fleet / "r")))
        )
    assert found[0] == found[1] == found[2]
    assert str((fleet / "fleet" / "web.yaml").resolve()) in found[0][0]


def test_a_hook_of_another_repository_does_not_mislead(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repositories.new_repository(tmp_path / "other")
    expected = tracked(fleet)
    monkeypatch.chdir(other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert tracked(fleet) == expected


def test_outside_of_a_repository_it_is_said_that_there_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(WEB)
    told = run("check", tmp_path, "--tracked")
    assert (told.code, "no Git repository is there" in told.err) == (3, True)
    assert run("check", tmp_path, "--stale").code == 2


def write(name: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    return edit


def replaced(name: str, old: str, new: str) -> Edit:
    def edit(root: Path) -> None:
        place = root / name
        if place.exists():
            place.write_text(place.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    return edit


def lost(name: str) -> Edit:
    return lambda root: (root / name).unlink(missing_ok=True)


def added(root: Path) -> None:
    git(root, "add", "--all", ".")


def committed(root: Path) -> None:
    repositories.commit(root, "Later", int(git(root, "log", "-1", "--format=%ct", "HEAD")) + 450)


RENDERED = "rendered/clusters/east/shop/deployment.apps.web.yaml"
EDITS: tuple[Edit, ...] = (
    *[added] * 6,
    committed,
    replaced("fleet/web.yaml", "replicas: 4", "replicas: 5"),
    replaced("fleet/web.yaml", "replicas: 5", "replicas: 4"),
    write("fleet/cart.yaml", CART),
    lost("fleet/cart.yaml"),
    write("fleet/notes.txt", "no input"),
    write(".github/workflows/loop.yaml", LOOP),
    lost(".github/workflows/loop.yaml"),
    lost(RENDERED),
    replaced(RENDERED, "replicas: 2", "replicas: 7"),
    write("rendered/clusters/east/theirs.yaml", "theirs"),
    lost("rendered/clusters/east/theirs.yaml"),
    lambda root: (git(root, "rm", "-q", "--cached", "--ignore-unmatch", RENDERED), None)[1],
    lambda root: (git(root, "config", "remote.origin.url", "https://git.example/x.git"), None)[1],
)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("command", ["check", "render"])
def test_the_quick_answer_is_that_of_a_whole_run(
    run: Run, fleet: Path, monkeypatch: pytest.MonkeyPatch, command: str, seed: int
) -> None:
    dice = random.Random(seed)
    monkeypatch.chdir(fleet)
    monkeypatch.setattr(main, "_answer", lambda _: None)
    how = {"check": "--stale", "render": "--exit-code"}[command]
    arguments = (command, "fleet", "-o", "rendered", "--tracked", how)
    answers = 0
    for number in range(14):
        for edit in dice.sample(EDITS, 2) if number else ():
            edit(fleet)
        if dice.random() < 0.5:
            run("render", "fleet", "-o", "rendered", "--tracked", "--overwrite", "--adopt")
            added(fleet)
            run(*arguments)
        quick = nothing_to_do(arguments)
        whole = run(*arguments)
        if quick is not None:
            answers += 1
            assert (whole.out, whole.code) == (f"{quick}\n", 0)
    assert answers


def test_nothing_heavy_is_imported_to_find_it_out(
    run: Run, fleet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fleet)
    run("render", "fleet", "-o", "rendered", "--tracked")
    added(fleet)
    arguments = ["check", "fleet", "-o", "rendered", "--tracked", "--stale"]
    assert run(*arguments).out == "no problems\n"
    script = (
        "import sys; from renderer.cli.noop import nothing_to_do\n"
        "assert nothing_to_do(sys.argv[1:]) == 'no problems'; print(*sys.modules)"
    )
    line = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    heavy = {"click", "yaml", "git", "jinja2", "json", "renderer.pipeline", "renderer.edge.files"}
    assert not heavy & set(done.stdout.split())


@pytest.mark.parametrize(
    "more", [[], ["--stale"], ["--tracked"], ["--stale", "--tracked", "--strict"]], ids=" ".join
)
def test_other_checks_are_left_to_the_command(run: Run, fleet: Path, more: list[str]) -> None:
    out = fleet / "rendered"
    run("render", fleet / "fleet", "-o", out, "--tracked")
    added(fleet)
    run("check", fleet / "fleet", "-o", out, "--tracked", "--stale")
    assert nothing_to_do(["check", str(fleet / "fleet"), "-o", str(out), *more]) is None
