"""A run that is answered without rendering gets the answer that rendering would have given."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from renderer.cli import main
from renderer.cli.noop import nothing_to_do
from renderer.edge import standing
from renderer.edge.standing import recall
from tests import repositories
from tests.cli.conftest import Run, git
from tests.workspaces import FLEET, SHOP

REBALANCER = """\
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: {name: again%s}
spec: {workloads: [{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}]}
"""
SETTINGS = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {path: shop}}\n"
STICKY = "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {claims: sticky}\n"
FAILOVER = """\
apiVersion: krender.io/v1alpha1
kind: Workspace
spec:
  featureGates: {Failover: true}
  failover: {noExecuteEviction: true, gracefulEvictionSeconds: 600}
"""
TAINTED = FLEET.replace("{name: east,", "{name: east, taints: [{key: a, effect: NoExecute}],")

Edit = Callable[[Path], None]


def write(name: str, text: str) -> Edit:
    """A file of the workspace with that content."""

    def edit(root: Path) -> None:
        (root / name).write_text(text, encoding="utf-8")

    return edit


def replaced(name: str, old: str, new: str) -> Edit:
    """A file of the workspace with some of its text replaced."""

    def edit(root: Path) -> None:
        place = root / name
        place.write_text(place.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    return edit


def absent(name: str) -> Edit:
    """A workspace without the file."""
    return lambda root: (root / name).unlink(missing_ok=True)


def later(root: Path) -> None:
    """Time passes, which is that of the source commit."""
    repositories.commit(root, "Later", int(git(root, "log", "-1", "--format=%ct", "HEAD")) + 450)


def commit(*changes: str, amend: bool = False) -> Edit:
    """Somebody else's commit on the branch."""

    def edit(root: Path) -> None:
        if not git(root, "branch", "--list", "rendered"):
            return
        git(root, "worktree", "add", "-fq", "../theirs", "rendered")
        theirs = root.parent / "theirs"
        for change in changes:
            (theirs / change).parent.mkdir(parents=True, exist_ok=True)
            (theirs / change).write_text("theirs\n", encoding="utf-8")
        git(theirs, "add", ".")
        how = ("--amend", "--no-edit") if amend else ("-m", "Theirs")
        git(theirs, "commit", "-q", "--allow-empty", *how)
        git(root, "worktree", "remove", "-f", "../theirs")

    return edit


def back(root: Path) -> None:
    """The branch as it was before the last commit."""
    if git(root, "rev-list", "--count", "--all", "--", "clusters", "shop") != "0":
        parent = git(root, "log", "-1", "--format=%P", "rendered")
        if parent:
            git(root, "branch", "-f", "rendered", "rendered~")


def afresh(root: Path) -> None:
    """The workspace as it was at first, and a branch without anything foreign."""
    for name in ("again.yaml", "krender.yaml", ".krenderignore"):
        (root / name).unlink(missing_ok=True)
    for name, text in SHOP.items():
        (root / name).write_text(text, encoding="utf-8")
    if git(root, "branch", "--list", "rendered"):
        git(root, "branch", "-D", "rendered")
    shutil.rmtree(root.parent / "out", ignore_errors=True)


EDITS: tuple[Edit, ...] = (
    *[afresh] * 5,
    replaced("web.yaml", "replicas: 4", "replicas: 5"),
    replaced("web.yaml", "replicas: 5", "replicas: 4"),
    replaced("web.yaml", "replicas: 4", "replicas: four"),
    replaced("web.yaml", "replicas: four", "replicas: 4"),
    replaced("web.yaml", "kind: Deployment", "kind: Deployment  # as ever"),
    replaced("policy.yaml", "stage: prod", "stage: test"),
    replaced("policy.yaml", "stage: test", "stage: prod"),
    write("policy.yaml", ""),
    write("fleet.yaml", TAINTED),
    write("fleet.yaml", FLEET),
    write("again.yaml", REBALANCER % ""),
    write("again.yaml", REBALANCER % "-and-again"),
    absent("again.yaml"),
    write("krender.yaml", SETTINGS),
    write("krender.yaml", STICKY),
    write("krender.yaml", FAILOVER),
    *[later] * 3,
    absent("krender.yaml"),
    write(".krenderignore", "again.yaml\n"),
    absent(".krenderignore"),
    write("notes.txt", "no manifest"),
)
ON_THE_BRANCH: tuple[Edit, ...] = (
    commit("README.md"),
    commit("clusters/east/shop/deployment.apps.web.yaml"),
    commit("clusters/east/shop/deployment.apps.web.yaml", amend=True),
    commit(amend=True),
    back,
)


def in_the_directory(name: str) -> Edit:
    """Somebody else's file in the output, or an edit of krender's."""

    def edit(root: Path) -> None:
        out = root.parent / "out"
        if out.is_dir():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text("theirs\n", encoding="utf-8")

    return edit


def lost(name: str) -> Edit:
    """A file of the output that somebody has removed."""
    return lambda root: (root.parent / "out" / name).unlink(missing_ok=True)


IN_THE_DIRECTORY: tuple[Edit, ...] = (
    in_the_directory("README.md"),
    in_the_directory("clusters/east/mine.yaml"),
    lost("clusters/east/mine.yaml"),
    in_the_directory("clusters/east/shop/deployment.apps.web.yaml"),
    lost("clusters/east/shop/deployment.apps.web.yaml"),
    in_the_directory(".krender/bindings/shop/mine.yaml"),
    lost(".krender/bindings/shop/mine.yaml"),
    lost(".krender/owned"),
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("command", ["publish", "render"])
def test_the_quick_answer_is_that_of_a_whole_run(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, command: str, seed: int
) -> None:
    dice = random.Random(seed)
    is_publish = command == "publish"
    arguments = (command, str(shop)) if is_publish else (command, str(shop), "-o", str(shop.parent / "out"))
    edits = EDITS + (ON_THE_BRANCH if is_publish else IN_THE_DIRECTORY)
    monkeypatch.setattr(main, "_answer", lambda _: None)
    monkeypatch.setattr(standing, "MARGIN", 0.02)
    answers = standing_ones = 0
    for _ in range(15):
        dice.choice(edits)(shop)
        for _ in range(dice.randrange(4)):
            run(*arguments)
        at_once = recall(arguments)
        time.sleep(0.04)
        quick = nothing_to_do(arguments)
        whole = run(*arguments)
        if at_once is not None:
            standing_ones += 1
            assert at_once == quick
        if quick is not None:
            answers += 1
            assert (whole.out, whole.code) == (f"{quick}\n", 0)
            assert recall(arguments) == quick
    assert answers
    assert standing_ones


def test_what_is_published_is_known_to_be_so(run: Run, shop: Path) -> None:
    assert nothing_to_do(["publish", str(shop)]) is None
    run("publish", shop)
    assert nothing_to_do(["publish", str(shop)]) == "rendered: nothing changed, no commit"
    told = run("publish", shop)
    assert (told.code, told.out, told.err) == (0, "rendered: nothing changed, no commit\n", "")
    (shop / "new.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n")
    assert nothing_to_do(["publish", str(shop)]) is None


def test_nothing_heavy_is_imported_to_find_it_out(run: Run, shop: Path) -> None:
    run("publish", shop)
    script = (
        "import sys; from renderer.cli.noop import nothing_to_do\n"
        "assert nothing_to_do(['publish', sys.argv[1]]); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(shop)], check=True, capture_output=True, text=True
    )
    assert not {"click", "yaml", "git", "jinja2", "json", "renderer.pipeline"} & set(done.stdout.split())


def test_what_a_directory_holds_is_known_once_a_run_had_nothing_to_do(run: Run, shop: Path) -> None:
    out = shop.parent / "out"
    run("render", shop, "-o", out)
    assert nothing_to_do(["render", str(shop), "-o", str(out)]) is None
    whole = run("render", shop, "-o", out)
    assert nothing_to_do(["render", str(shop), "-o", str(out)]) == whole.out.rstrip("\n")
    assert run("render", shop, "-o", out) == whole


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(["--fresh"], id="an-option-that-changes-the-result"),
        pytest.param(["--now", "2026-01-01T00:00:00Z"], id="a-time"),
        pytest.param(["--format", "json"], id="another-format"),
        pytest.param(["--metrics", "krender.prom"], id="numbers-to-write"),
        pytest.param(["--metrics=krender.prom"], id="numbers-to-write-in-one-word"),
        pytest.param(["--branch"], id="an-option-without-its-value"),
        pytest.param(["--branch", "--fresh"], id="an-option-in-the-place-of-a-value"),
        pytest.param(["--branch", "other"], id="another-branch"),
        pytest.param(["--branch="], id="a-branch-without-a-name"),
        pytest.param(["--branch", "main"], id="a-branch-that-krender-did-not-write"),
        pytest.param(["--repo", "https://example.com/a.git"], id="an-address"),
        pytest.param(["--repo", "nowhere"], id="a-repository-that-is-not-there"),
        pytest.param(["--allow", "deletions"], id="what-lets-a-guard-pass"),
        pytest.param(["more"], id="two-workspaces"),
    ],
)
def test_anything_out_of_the_ordinary_is_left_to_the_command(run: Run, shop: Path, more: list[str]) -> None:
    run("publish", shop)
    assert nothing_to_do(["publish", str(shop), *more]) is None


@pytest.mark.parametrize(
    "arguments", [[], ["--version"], ["check"], ["publish", "nowhere"], ["render"], ["render", "nowhere"]]
)
def test_other_command_lines_are_left_to_their_commands(
    shop: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(shop)
    assert nothing_to_do(arguments) is None


def test_ways_to_say_the_same_have_the_same_answer(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("publish", shop, "--branch", "live")
    expected = "live: nothing changed, no commit"
    monkeypatch.chdir(shop)
    for arguments in (["--branch=live"], ["--branch", "live", "."], ["--dry-run", "--branch", "live"]):
        assert nothing_to_do(["publish", *arguments]) == expected
    assert nothing_to_do(["publish", "--branch", "live", "--repo", str(shop), "--keep-going"]) == expected


def test_a_time_from_the_environment_is_left_to_the_command(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("publish", shop)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "tomorrow")
    assert nothing_to_do(["publish", str(shop)]) is None


def test_where_nothing_can_be_noted_down_a_run_is_as_good(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(shop.parent / "file"))
    for _ in range(3):
        assert run("render", shop, "-o", shop.parent / "out").code == 0
    assert nothing_to_do(["render", str(shop), "-o", str(shop.parent / "out")]) is None


def test_what_waits_for_a_time_is_looked_at_again(run: Run, shop: Path) -> None:
    write("krender.yaml", FAILOVER)(shop)
    run("publish", shop)
    assert nothing_to_do(["publish", str(shop)])
    write("fleet.yaml", TAINTED)(shop)
    told = run("publish", shop).out  # the work leaves a cluster, whose files stay for 600 seconds
    assert "changed" in told
    assert nothing_to_do(["publish", str(shop)]) is None
    later(shop)
    assert run("publish", shop).out == "rendered: nothing changed, no commit\n"
    later(shop)
    assert "removed" in run("publish", shop, "--allow", "deletions").out
    assert nothing_to_do(["publish", str(shop)])
