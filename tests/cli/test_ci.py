"""A job of GitHub Actions with a real repository, a remote, an event and an API on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run, git
from tests.cli.github import BOT, GitHub, Runner, commands, serving
from tests.repositories import is_sound
from tests.workspaces import WEB

MARK = "<!-- krender:fleet -->"


@pytest.fixture
def hub() -> Iterator[GitHub]:
    """GitHub."""
    with serving() as hub:
        yield hub


@pytest.fixture
def runner(shop: Path, hub: GitHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Runner:
    """A shallow checkout of the shop, whose result is published at the remote."""
    remote = shop.parent / "remote.git"
    git(shop, "init", "-q", "--bare", "-b", "main", str(remote))
    git(shop, "remote", "add", "origin", str(remote))
    git(shop, "push", "-q", "origin", "main")
    subprocess.run([sys.executable, "-m", "renderer", "publish", str(shop), "--push"], check=True)
    checkout = tmp_path / "work" / "shop"
    checkout.parent.mkdir()
    git(shop, "clone", "-q", "--depth=1", f"file://{remote}", str(checkout))
    return Runner(checkout, monkeypatch, hub)


def change(runner: Runner, old: str = "team/web:1.2", new: str = "team/web:1.3") -> None:
    """Commit an edit of the template."""
    place = runner.directory / "web.yaml"
    place.write_text(place.read_text().replace(old, new))
    git(runner.directory, "commit", "-qam", "Change")


def tip(runner: Runner, branch: str = "rendered") -> str:
    """Where a branch of the remote is."""
    return git(runner.directory, "ls-remote", "origin", f"refs/heads/{branch}").split("\t")[0]


def test_a_pull_request_gets_one_comment_that_is_kept_up_to_date(run: Run, runner: Runner) -> None:
    hub = runner.hub
    for number in range(120):
        hub.has(f"comment {number}", "ada")
    hub.has(f"{MARK}\nnot mine", "mallory")
    change(runner)
    runner.event("pull_request")
    told = run("ci")
    assert told.code == 0, told.out + told.err
    body = hub.bodies[-1]
    assert body.startswith(f"{MARK}\n### krender review\n\n**files 2 changed in 2 clusters")
    assert "| 2: east, north | 0 | 1 | 0 |" in body
    assert "```diff" in body
    assert runner.outputs() == {
        "changed": "true",
        "clusters": '["east", "north"]',
        "added": "0",
        "modified": "2",
        "deleted": "0",
        "blocked": "false",
        "rendered-sha": tip(runner),
        "dry-sha": git(runner.directory, "rev-parse", "HEAD"),
        "summary-file": str(runner.directory.parent / "scratch/krender/fleet/summary.md"),
        "sarif-file": "",
        "commented": "true",
        "plan-file": str(runner.directory.parent / "scratch/krender/fleet/krender.plan"),
    }
    assert runner.summary().startswith("### krender review")
    change(runner, "web:1.3", "web:1.2")
    runner.event("pull_request")
    assert run("ci").code == 0
    assert (len(hub.comments), "nothing changes" in hub.bodies[-1]) == (122, True)
    assert hub.bodies[120] == f"{MARK}\nnot mine"
    assert runner.outputs()["changed"] == "false"


def test_nothing_is_said_where_nothing_changes(run: Run, runner: Runner) -> None:
    runner.event("pull_request")
    assert run("ci").code == 0
    assert (runner.hub.comments, runner.outputs()["commented"]) == ([], "false")


@pytest.mark.parametrize("reason", ["fork", "forbidden", "no-token", "failing"])
def test_where_nothing_can_be_commented_the_summary_says_it(run: Run, runner: Runner, reason: str) -> None:
    change(runner)
    runner.event("pull_request", fork=reason == "fork", token="" if reason == "no-token" else "t0")
    runner.hub.refuses = {"forbidden": [403], "failing": [400]}.get(reason, [])
    told = run("ci")
    assert (told.code, runner.hub.comments) == (0, []), told.out
    assert runner.outputs()["commented"] == "false"
    assert "| 2: east, north | 0 | 1 | 0 |" in runner.summary()
    assert bool(runner.hub.asked) == (reason in ("forbidden", "failing"))


def test_an_error_of_the_api_that_passes_is_tried_again(run: Run, runner: Runner) -> None:
    change(runner)
    runner.event("pull_request")
    runner.hub.refuses = [502]
    assert run("ci").code == 0
    assert (len(runner.hub.comments), runner.hub.tokens) == (1, {"Bearer t0"})


def test_what_a_guard_would_stop_stands_first_and_fails_the_review(run: Run, runner: Runner) -> None:
    (runner.directory / "web.yaml").unlink()
    git(runner.directory, "commit", "-qam", "Delete")
    runner.event("pull_request")
    assert run("ci").code == 4
    body = runner.hub.bodies[0]
    assert "publishing is blocked by emptied-clusters, deletions" in body
    assert 0 < body.index("> [!CAUTION]") < body.index("**Deleted: ") < body.index("| clusters |")
    assert (runner.outputs()["blocked"], runner.outputs()["deleted"]) == ("true", "4")
    runner.patch.setenv("KRENDER_ALLOW", "emptied-clusters deletions")
    runner.event("pull_request")
    assert run("ci").code == 0
    assert runner.outputs()["blocked"] == "false"


def test_errors_are_annotations_and_no_text_of_a_file_is_a_command(run: Run, runner: Runner) -> None:
    place = runner.directory / "policy.yaml"
    place.write_text(place.read_text().replace("placement", "plcement"))
    (runner.directory / "::error::x.yaml").write_text("a: [\n")
    git(runner.directory, "add", ".")
    git(runner.directory, "commit", "-qm", "Break")
    runner.patch.setenv("KRENDER_SARIF", "true")
    runner.event("pull_request")
    told = run("ci")
    assert told.code == 1
    found = commands(told.out)
    assert [line.split(" ")[0] for line in found if not line.startswith("::add-mask")] == ["::error"] * 2
    assert any(line.startswith("::error file=policy.yaml,line=6,col=3,title=KR008::") for line in found)
    assert "2 errors" in runner.hub.bodies[0]
    assert "plan-file" in runner.outputs()
    assert not runner.outputs()["plan-file"]
    sarif = json.loads(Path(runner.outputs()["sarif-file"]).read_text())
    assert len(sarif["runs"][0]["results"]) == 2


def test_a_push_to_the_default_branch_is_published(run: Run, runner: Runner) -> None:
    change(runner)
    git(runner.directory, "push", "-q", "origin", "HEAD:main")
    before = tip(runner)
    runner.event("push")
    told = run("ci")
    assert told.code == 0, told.out
    after = tip(runner)
    assert after != before
    outputs = runner.outputs()
    assert (outputs["changed"], outputs["rendered-sha"], outputs["modified"]) == ("true", after, "2")
    assert f"**published as {after[:12]}**\n\n```text\nrender: 2 changed in 2 clusters" in runner.summary()
    runner.event("push")
    assert run("ci").code == 0
    assert (runner.outputs()["changed"], runner.outputs()["rendered-sha"], tip(runner)) == (
        "false",
        after,
        after,
    )
    assert "**nothing changed, no commit**" in runner.summary()
    assert "-dirty" not in git(runner.directory, "log", "-1", "--format=%B", after)
    assert not runner.hub.asked


def test_the_actions_own_script_runs_it(runner: Runner) -> None:
    change(runner)
    runner.event("pull_request")
    programs = runner.directory.parent / "scratch" / "krender-venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "krender").symlink_to(Path(sys.executable).parent / "krender")
    action = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8"))
    (script,) = [step["run"] for step in action["runs"]["steps"] if step.get("id") == "krender"]
    assert subprocess.run(["bash", "-e", "-c", script], check=False).returncode == 0
    assert (len(runner.hub.comments), runner.outputs()["modified"]) == (1, "2")


def test_an_old_event_publishes_the_newest_commit(run: Run, runner: Runner, shop: Path) -> None:
    (shop / "web.yaml").write_text(WEB.replace("1.2", "2.0"))
    git(shop, "commit", "-qam", "Newer")
    git(shop, "push", "-q", "origin", "main")
    runner.event("push")
    told = run("ci")
    assert (told.code, "which is rendered" in told.out) == (0, True)
    assert runner.outputs()["dry-sha"] == git(shop, "rev-parse", "HEAD")
    file = "clusters/east/shop/deployment.apps.web.yaml"
    assert "web:2.0" in git(runner.directory, "show", f"{tip(runner)}:{file}")


def test_a_stopped_publish_moves_nothing(run: Run, runner: Runner) -> None:
    (runner.directory / "web.yaml").unlink()
    git(runner.directory, "commit", "-qam", "Delete")
    git(runner.directory, "push", "-q", "origin", "HEAD:main")
    before = tip(runner)
    runner.event("push")
    assert run("ci").code == 4
    assert (tip(runner), runner.outputs()["blocked"], runner.outputs()["changed"]) == (
        before,
        "true",
        "false",
    )
    assert "[!CAUTION]" in runner.summary()


def test_publishers_that_race_all_succeed(runner: Runner, tmp_path: Path) -> None:
    change(runner)
    git(runner.directory, "push", "-q", "origin", "HEAD:main")
    runner.event("push")
    others = [tmp_path / f"other-{number}" for number in range(2)]
    remote = git(runner.directory, "remote", "get-url", "origin")
    for other in others:
        git(tmp_path, "clone", "-q", "--depth=1", remote, str(other))
    line = [sys.executable, "-m", "renderer", "ci"]
    running = [subprocess.Popen(line, cwd=place, stdout=subprocess.DEVNULL) for place in others]
    assert [process.wait() for process in running] == [0, 0]
    git(runner.directory, "fetch", "-q", "--unshallow", "origin", "rendered:rendered")
    assert git(runner.directory, "rev-list", "--count", "rendered") == "2"
    assert is_sound(Path(remote.removeprefix("file://")))


def test_what_krender_published_starts_nothing(run: Run, runner: Runner) -> None:
    git(runner.directory, "fetch", "-q", "origin", "rendered")
    git(runner.directory, "checkout", "-q", "FETCH_HEAD")
    runner.event("push", "refs/heads/rendered")
    told = run("ci")
    assert (told.code, "there is nothing to do" in told.out) == (0, True)
    assert runner.outputs()["changed"] == "false"


@pytest.mark.parametrize(
    ("event", "ref", "publishes"),
    [
        pytest.param("push", "refs/heads/topic", False, id="another-branch"),
        pytest.param("push", "refs/tags/v1", False, id="a-tag"),
        pytest.param("merge_group", "refs/heads/main", False, id="a-merge-queue"),
        pytest.param("schedule", "refs/heads/main", True, id="the-clock"),
        pytest.param("workflow_dispatch", "refs/heads/main", True, id="by-hand"),
    ],
)
def test_other_events_publish_on_the_default_branch_only(
    run: Run, runner: Runner, event: str, ref: str, publishes: bool
) -> None:
    change(runner)
    git(runner.directory, "push", "-q", "origin", "HEAD:main", "HEAD:topic")
    before = tip(runner)
    runner.event(event, ref)
    assert run("ci").code == 0
    assert (tip(runner) != before) == publishes
    assert (runner.outputs()["changed"], runner.outputs()["commented"]) == ("true", "false")


def test_strangers_files_are_never_looked_at_with_a_token_that_can_write(run: Run, runner: Runner) -> None:
    runner.event("pull_request_target", fork=True)
    told = run("ci")
    assert (told.code, "use pull_request" in told.err) == (2, True)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("KRENDER_MODE", "all"),
        ("KRENDER_STRICT", "perhaps"),
        ("KRENDER_ALLOW", "x"),
        ("KRENDER_ID", "a --> b"),
    ],
)
def test_inputs_that_cannot_be_meant_are_refused(run: Run, runner: Runner, variable: str, value: str) -> None:
    runner.event("pull_request")
    runner.patch.setenv(variable, value)
    assert run("ci").code == 2


def test_elsewhere_it_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_EVENT_PATH", raising=False)
    told = run("ci")
    assert (told.code, "this is no job of GitHub Actions" in told.err) == (3, True)


def test_git_reaches_the_remote_with_the_token_alone(run: Run, runner: Runner) -> None:
    address = f"{runner.hub.address}/fleet/shop.git"
    git(runner.directory, "remote", "set-url", "origin", address)
    key = f"http.{runner.hub.address}/.extraheader"
    git(runner.directory, "config", key, "AUTHORIZATION: basic c3RhbGU=")
    runner.event("pull_request", token="secret")
    told = run("ci")
    assert (told.code, "cannot fetch the branch rendered" in told.err) == (3, True)
    assert runner.hub.tokens == {"basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0"}
    assert "::add-mask::eC1hY2Nlc3MtdG9rZW46c2VjcmV0" in told.out
    assert "secret" not in told.out.replace("x-access-token", "")


def test_a_workspace_that_publishes_elsewhere_is_reviewed_against_that(
    run: Run, runner: Runner, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "elsewhere.git")
    settings = (
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {repo: ../../elsewhere.git}}\n"
    )
    (runner.directory / "krender.yaml").write_text(settings)
    git(runner.directory, "add", ".")
    git(runner.directory, "commit", "-qm", "Elsewhere")
    runner.event("pull_request")
    told = run("ci")
    assert told.code == 0, told.out + told.err
    assert (runner.outputs()["added"], runner.outputs()["rendered-sha"]) == ("5", "")
    assert BOT in str(runner.hub.comments[0])
