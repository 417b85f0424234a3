"""Plans end to end: made, shown, published exactly so, or stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import renderer.cli.publish
from renderer.edge.git import GitRepository
from tests.cli.conftest import FAILING, Run, git
from tests.workspaces import FLEET, POLICY, SHOP, WEB

NEWER = WEB.replace("web:1.2", "web:1.3")
BROKEN = POLICY.replace("clusterAffinity", "clusterAfinity")
IMAGE = "registry.example/team/web"


def put(root: Path, name: str, text: str) -> None:
    """Write one file of the workspace."""
    (root / name).write_text(text, encoding="utf-8")


@pytest.fixture
def reviewed(run: Run, shop: Path, tmp_path: Path) -> Path:
    """A plan to publish a newer image on what is published."""
    run("publish", shop)
    put(shop, "web.yaml", NEWER)
    file = tmp_path / "reviewed.plan"
    assert run("plan", shop, "-o", file).code == 0
    return file


# plan and publish --plan


def test_a_plan_is_published_as_it_was_reviewed(run: Run, shop: Path, reviewed: Path) -> None:
    ran = run("publish", shop, "--plan", reviewed)
    assert ran.code == 0
    assert ran.out.startswith("rendered: ")
    assert "web:1.3" in git(shop, "show", "rendered:clusters/east/shop/deployment.apps.web.yaml")
    assert run("publish", shop, "--plan", reviewed).out == "rendered: nothing changed, no commit\n"
    assert git(shop, "rev-list", "--count", "rendered") == "2"


def test_a_plan_tells_what_would_be_committed_and_commits_nothing(
    run: Run, shop: Path, tmp_path: Path
) -> None:
    ran = run("plan", shop, "-o", tmp_path / "p", "--format", "json")
    told = json.loads(ran.out)
    assert (told["commit"], told["dryRun"], told["counts"]["added"]) == (None, True, 6)
    assert ran.err == f"plan: {tmp_path / 'p'}\n"
    assert "rendered" not in git(shop, "for-each-ref")


def test_the_same_plan_is_the_same_file(run: Run, shop: Path, tmp_path: Path) -> None:
    run("plan", shop, "-o", tmp_path / "one")
    run("plan", shop, "-o", tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_plan_stops_when_the_branch_moved(run: Run, shop: Path, reviewed: Path) -> None:
    put(shop, "web.yaml", WEB.replace("web:1.2", "web:1.1"))
    run("publish", shop)
    put(shop, "web.yaml", NEWER)
    tip = git(shop, "rev-parse", "rendered")
    ran = run("publish", shop, "--plan", reviewed)
    assert ran.code == 4
    assert f"the branch rendered is at {tip[:12]}; it was at" in ran.err
    assert git(shop, "rev-parse", "rendered") == tip
    git(shop, "branch", "-qD", "rendered")
    assert "the branch rendered is gone; it was at" in run("publish", shop, "--plan", reviewed).err


def test_a_plan_stops_when_the_files_moved(run: Run, shop: Path, reviewed: Path) -> None:
    put(shop, "web.yaml", NEWER + "# a comment\n")
    ran = run("publish", shop, "--plan", reviewed)
    assert ran.code == 4
    assert "the files of the workspace are others" in ran.err
    assert "make a plan anew" in ran.err
    assert git(shop, "rev-list", "--count", "rendered") == "1"


def test_a_plan_stops_for_another_krender_or_branch(
    run: Run, shop: Path, reviewed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "it is for rendered, not for other"
        in run("publish", shop, "--plan", reviewed, "--branch", "other").err
    )
    monkeypatch.setattr(renderer.cli.publish, "__version__", "9.9")
    ran = run("publish", shop, "--plan", reviewed)
    assert (ran.code, "this is krender 9.9; the plan was made by" in ran.err) == (4, True)


def test_a_plan_is_published_with_its_own_clock_and_options(
    run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "p"
    run("plan", shop, "-o", file, "--now", "2030-01-01T00:00:00Z", "--fresh")
    ran = run("publish", shop, "--plan", file, "--now", "2031-01-01T00:00:00Z")
    assert (ran.code, "--plan says itself" in ran.err) == (2, True)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "5")
    assert run("publish", shop, "--plan", file).code == 0
    assert git(shop, "log", "-1", "--format=%ct", "rendered") == "1893456000"


def test_a_plan_of_what_can_be_rendered(run: Run, shop: Path, tmp_path: Path) -> None:
    put(shop, "o.yaml", FAILING)
    assert run("plan", shop, "-o", tmp_path / "p").code == 1
    assert not (tmp_path / "p").exists()
    assert run("plan", shop, "-o", tmp_path / "p", "--keep-going").code == 1
    assert run("publish", shop, "--plan", tmp_path / "p").code == 1
    assert "clusters/north/shop/deployment.apps.web.yaml" in git(
        shop, "ls-tree", "-r", "--name-only", "rendered"
    )


def test_what_a_guard_would_stop_is_told_and_may_be_allowed_in_the_plan(
    run: Run, shop: Path, tmp_path: Path
) -> None:
    run("publish", shop)
    put(shop, "fleet.yaml", FLEET.replace("  - {name: east, region: eu, labels: {stage: prod}}\n", ""))
    file = tmp_path / "p"
    ran = run("plan", shop, "-o", file)
    assert ran.code == 0
    assert "publish would stop at lost-clusters: the inventory no longer has 1 cluster of 3" in ran.err
    assert run("publish", shop, "--plan", file).code == 4
    assert "would stop" not in run("plan", shop, "-o", file, "--allow", "lost-clusters").err
    assert run("publish", shop, "--plan", file).code == 0


def test_a_branch_that_moves_meanwhile_stops_a_plan(
    run: Run, shop: Path, reviewed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = GitRepository.commit

    def overtaken(self: object, *arguments: object) -> object:
        git(shop, "update-ref", "refs/heads/rendered", git(shop, "commit-tree", "-m", "x", "rendered^{tree}"))
        return commit(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(GitRepository, "commit", overtaken)
    ran = run("publish", shop, "--plan", reviewed)
    assert (ran.code, "the branch rendered is at" in ran.err) == (4, True)


@pytest.mark.parametrize("content", [b"", b"no plan", b"\x1f\x8b\x08"])
def test_what_is_no_plan_is_one_clear_error(run: Run, shop: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p").write_bytes(content)
    ran = run("publish", shop, "--plan", tmp_path / "p")
    assert (ran.code, "this is no plan file" in ran.err) == (4, True)


def test_a_plan_that_is_not_there(run: Run, shop: Path, tmp_path: Path) -> None:
    assert "there is no plan file" in run("publish", shop, "--plan", tmp_path / "gone").err
    assert run("publish", shop, "--plan", tmp_path / "gone").code == 3
    assert run("plan", shop, "-o", tmp_path / "no/where").code == 3


def test_a_plan_for_a_remote(run: Run, shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    git(shop, "remote", "add", "origin", str(tmp_path / "remote.git"))
    file = tmp_path / "p"
    run("plan", shop, "-o", file, "--push")
    assert run("publish", shop, "--plan", file, "--push").code == 0
    assert git(tmp_path / "remote.git", "rev-list", "--count", "rendered") == "1"


# diff


def test_diff_tells_what_the_next_publish_changes(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "(nothing published)" in run("diff", shop).out
    run("publish", shop)
    assert run("diff", shop, "--exit-code").code == 0
    put(shop, "web.yaml", NEWER)
    monkeypatch.chdir(shop)
    ran = run("diff", "--exit-code")
    tip = git(shop, "rev-parse", "rendered")[:12]
    assert ran.code == 5
    assert ran.out.startswith(
        f"rendered ({tip}) -> .: files 2 changed in 2 clusters\n\nDeployment shop/web\n"
    )
    assert f"image: {IMAGE}:1.2 -> {IMAGE}:1.3 on 2 clusters: east, north, by web.yaml:10:32" in ran.out
    assert f"+        image: {IMAGE}:1.3" in ran.out
    assert f"+        image: {IMAGE}:1.3" not in run("diff", "--stat").out
    assert run("diff").code == 0
    assert json.loads(run("diff", "--format", "json").out)["changed"] is True
    assert run("diff", "--format", "markdown").out.startswith("**rendered")


def test_diff_against_a_revision(run: Run, shop: Path) -> None:
    run("publish", shop)
    put(shop, "web.yaml", NEWER)
    run("publish", shop)
    assert "nothing changes" in run("diff", shop).out
    assert "files 2 changed" in run("diff", shop, "--from", "rendered~").out
    ran = run("diff", shop, "--from", "nowhere")
    assert (ran.code, "has no revision 'nowhere'" in ran.err) == (3, True)
    assert run("diff", shop, "--from", "--all").code == 3


def test_foreign_files_make_no_difference(run: Run, shop: Path, tmp_path: Path) -> None:
    run("publish", shop)
    git(shop, "worktree", "add", "-q", "--detach", "../hand", "rendered")
    put(tmp_path / "hand", "clusters/east/notes.txt", "mine")
    git(tmp_path / "hand", "add", ".")
    git(tmp_path / "hand", "commit", "-qm", "notes")
    git(shop, "branch", "-qf", "rendered", git(tmp_path / "hand", "rev-parse", "HEAD"))
    assert "nothing changes" in run("diff", shop).out


def test_diff_against_a_directory(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    put(out, "clusters/east/notes.txt", "mine")
    assert run("diff", shop, "-o", out).out == f"{out} -> {shop}: nothing changes\n"
    put(shop, "web.yaml", NEWER)
    assert "files 2 changed" in run("diff", shop, "-o", out).out
    put(
        shop,
        "krender.yaml",
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {directory: ../out}}\n",
    )
    assert "files 2 changed" in run("diff", shop).out


def test_diff_between_two_workspaces(run: Run, shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name, text in SHOP.items():
        put(other, name, text)
    put(other, "web.yaml", NEWER)
    ran = run("diff", shop, other)
    assert ran.out.startswith(f"{shop} -> {other}: files 2 changed in 2 clusters\n")
    assert run("diff", shop, shop).out == f"{shop} -> {shop}: nothing changes\n"


def test_diff_of_plans(
    run: Run, shop: Path, tmp_path: Path, reviewed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    ran = run("diff", reviewed)
    assert ran.out.startswith("rendered (")
    assert f"-> {reviewed}: files 2 changed in 2 clusters" in ran.out
    assert f"image: {IMAGE}:1.2 -> {IMAGE}:1.3" in ran.out
    put(shop, "web.yaml", NEWER.replace("1.3", "1.4"))
    second = tmp_path / "second"
    run("plan", shop, "-o", second)
    monkeypatch.chdir(tmp_path)
    assert f"image: {IMAGE}:1.3 -> {IMAGE}:1.4" in run("diff", reviewed, second).out
    assert "nothing changes" in run("diff", second, second).out
    assert "files 2 changed" in run("diff", second, "--repo", shop).out


def test_diff_outside_a_repository(run: Run, tmp_path: Path) -> None:
    run("init", tmp_path / "fleet")
    ran = run("diff", tmp_path / "fleet", "--exit-code")
    assert (ran.code, ran.out.startswith("nothing published -> ")) == (5, True)


@pytest.mark.parametrize(
    "arguments",
    [("a", "b", "c"), ("a", "b", "--from", "x"), ("a", "b", "--output", "x"), ("--format", "xml")],
)
def test_what_cannot_be_compared_is_a_usage_error(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("diff", *arguments).code == 2


def test_a_workspace_and_a_plan_are_not_compared(run: Run, shop: Path, reviewed: Path) -> None:
    ran = run("diff", shop, reviewed)
    assert (ran.code, "two workspaces, or two plan files" in ran.err) == (2, True)


@pytest.mark.parametrize("wrong", [BROKEN, POLICY + "---\n" + FAILING])
def test_a_workspace_that_does_not_render_has_no_difference(run: Run, shop: Path, wrong: str) -> None:
    put(shop, "policy.yaml", wrong)
    ran = run("diff", shop)
    assert (ran.code, ran.out) == (1, "")
    assert str(shop) in ran.err


def test_plans_of_different_repositories_are_not_compared(run: Run, shop: Path, tmp_path: Path) -> None:
    run("plan", shop, "-o", tmp_path / "one")
    git(tmp_path, "init", "-q", "--object-format=sha256", "long")
    run("plan", shop, "-o", tmp_path / "two", "--repo", tmp_path / "long")
    for arguments in ((tmp_path / "one", tmp_path / "two"), (tmp_path / "one", "--repo", tmp_path / "long")):
        ran = run("diff", *arguments)
        assert (ran.code, "name objects in different ways" in ran.err) == (4, True)


# Races


def test_a_branch_that_moves_meanwhile_is_planned_on_again(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("publish", shop)
    put(shop, "web.yaml", NEWER)
    commit, moves = GitRepository.commit, iter(("once",))

    def overtaken(self: object, *arguments: object) -> object:
        for _ in moves:
            made = git(shop, "commit-tree", "-m", "x", "-p", "rendered", "rendered^{tree}")
            git(shop, "update-ref", "refs/heads/rendered", made)
        return commit(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(GitRepository, "commit", overtaken)
    assert run("publish", shop).code == 0
    assert git(shop, "rev-list", "--count", "rendered") == "3"
    assert "web:1.3" in git(shop, "show", "rendered:clusters/east/shop/deployment.apps.web.yaml")


def test_a_memory_that_is_damaged_meanwhile_is_one_clear_error(
    run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("publish", shop)
    put(shop, "web.yaml", NEWER)
    commit = GitRepository.commit

    def damaged(self: object, *arguments: object) -> object:
        git(shop, "worktree", "add", "-q", "--detach", "../hand", "rendered")
        put(tmp_path / "hand", ".krender/bindings/shop/deployment.apps.web.yaml", "kind: Nonsense\n")
        git(tmp_path / "hand", "commit", "-qam", "nonsense")
        git(shop, "update-ref", "refs/heads/rendered", git(tmp_path / "hand", "rev-parse", "HEAD"))
        monkeypatch.setattr(GitRepository, "commit", commit)
        return commit(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(GitRepository, "commit", damaged)
    ran = run("publish", shop)
    assert (ran.code, "what is published cannot be read" in ran.err) == (1, True)
    assert run("publish", shop).code == 1
    assert run("publish", shop, "--fresh").code == 0, "a fresh render needs no memory"


def test_publishers_of_several_clones_lose_nothing(shop: Path, tmp_path: Path) -> None:
    """Each publishes below a path of its own on one branch of one remote, all at once."""
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    git(shop, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(shop, "push", "-q", "origin", "main")
    running = []
    for number in range(4):
        clone = tmp_path / f"clone-{number}"
        git(tmp_path, "clone", "-q", "-b", "main", str(tmp_path / "remote.git"), str(clone))
        put(
            clone,
            "krender.yaml",
            f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {{output: {{path: team-{number}}}}}\n",
        )
        command = [sys.executable, "-m", "renderer", "publish", str(clone), "--push"]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    for process in running:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said
    paths = git(tmp_path / "remote.git", "ls-tree", "-r", "--name-only", "rendered").split("\n")
    for number in range(4):
        assert f"team-{number}/clusters/east/shop/deployment.apps.web.yaml" in paths
    assert git(tmp_path / "remote.git", "rev-list", "--count", "rendered") == "4"
    git(tmp_path / "remote.git", "fsck", "--full", "--strict")


def test_a_plan_lists_what_the_engines_apply(run: Run, shop: Path, tmp_path: Path) -> None:
    delivery = "{engine: argocd, repoURL: 'https://git.example/fleet.git'}"
    put(
        shop,
        "krender.yaml",
        f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {{delivery: {delivery}}}\n",
    )
    told = run("plan", shop, "-o", tmp_path / "p").out
    assert "Argo CD applies 3 Applications\n" in told
    assert "  east   east     2        clusters/east\n" in told
    listed = json.loads(run("plan", shop, "-o", tmp_path / "p", "--format", "json").out)["units"]
    assert [(item["kind"], item["name"], item["objects"]) for item in listed] == [
        ("Application", "east", 2),
        ("Application", "north", 2),
        ("Application", "west", 0),
    ]
