"""The commands end to end: what they write, print, and exit with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from renderer import __version__
from renderer.cli.commands import COMMANDS
from renderer.model.instant import instant, written
from tests.cli.conftest import FAILING, Run, git
from tests.workspaces import POLICY

BROKEN = POLICY.replace("clusterAffinity", "clusterAfinity")


def test_version(run: Run) -> None:
    assert run("--version").out == f"krender {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: krender {command}")


def test_an_unknown_command_is_a_usage_error(run: Run) -> None:
    ran = run("rendr")
    assert (ran.code, ran.out) == (2, "")
    assert "rendr" in ran.err


def test_render_writes_and_then_rests(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("render", shop, "-o", out).out == f"{out}: 4 manifests on 3 clusters, 6 added\n"
    assert (out / "clusters/east/shop/deployment.apps.web.yaml").is_file()
    assert (out / "clusters/west/.keep").is_file()
    assert run("render", shop, "-o", out).out == f"{out}: 4 manifests on 3 clusters, nothing changed\n"


def test_a_dry_run_writes_nothing(run: Run, shop: Path, tmp_path: Path) -> None:
    ran = run("render", shop, "-o", tmp_path / "out", "--dry-run", "--format", "json")
    assert len(json.loads(ran.out)["added"]) == 6
    assert not (tmp_path / "out").exists()


def test_without_an_output_render_asks_for_one(run: Run, shop: Path) -> None:
    ran = run("render", shop)
    assert ran.code == 2
    assert "-o DIR" in ran.err


def test_a_typo_stops_render_with_its_place(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "policy.yaml").write_text(BROKEN, encoding="utf-8")
    ran = run("render", shop, "-o", tmp_path / "out")
    assert ran.code == 1
    assert f'{shop}/policy.yaml:7:5: PropagationPolicy shop/web has no field "clusterAfinity"' in ran.err
    assert 'fix: write "clusterAffinity"' in ran.err
    assert not (tmp_path / "out").exists()


def test_a_failing_override_stops_everything_unless_told_otherwise(
    run: Run, shop: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    web = "shop/deployment.apps.web.yaml"
    before = (out / "clusters/east" / web).read_bytes()
    (shop / "o.yaml").write_text(FAILING, encoding="utf-8")
    (shop / "web.yaml").write_text(
        (shop / "web.yaml").read_text(encoding="utf-8").replace("web:1.2", "web:1.3"), encoding="utf-8"
    )
    stopped = run("render", shop, "-o", out)
    assert stopped.code == 1
    assert "o.yaml:7:" in stopped.err
    assert b"web:1.2" in (out / "clusters/north" / web).read_bytes()
    going = run("render", shop, "-o", out, "--keep-going")
    assert going.code == 1
    assert (out / "clusters/east" / web).read_bytes() == before, "the failed pair keeps its file"
    assert b"web:1.3" in (out / "clusters/north" / web).read_bytes()


def test_check_tells_all_and_exits_by_weight(run: Run, shop: Path) -> None:
    assert run("check", shop).out == "no problems\n"
    (shop / "policy.yaml").write_text(POLICY.replace("name: web}]", "name: wbe}]"), encoding="utf-8")
    warned = run("check", shop)
    assert warned.code == 0
    assert "[KR101]" in warned.out
    assert run("check", shop, "--strict").code == 1
    (shop / "policy.yaml").write_text(BROKEN, encoding="utf-8")
    (found,) = json.loads(run("check", shop, "--format", "json").out)
    assert (found["severity"], found["line"], found["column"]) == ("error", 7, 5)
    assert run("check", shop, "--format", "github").out.startswith("::error file=")


def test_explain_tells_who_where_and_why_not(run: Run, shop: Path) -> None:
    ran = run("explain", "deploy/web", "-n", "shop", shop)
    assert ran.code == 0
    assert "PropagationPolicy shop/web" in ran.out
    assert "west" in ran.out
    assert "stage" in ran.out


def test_explain_of_an_unknown_object_names_the_nearest(run: Run, shop: Path) -> None:
    ran = run("explain", "deployment/wbe", "-n", "shop", shop)
    assert ran.code == 1
    assert "deployment/web -n shop" in ran.err


def test_publish_makes_one_commit_and_then_none(run: Run, shop: Path) -> None:
    before = git(shop, "status", "--porcelain=v2", "--branch")
    first = run("publish", shop)
    assert first.code == 0
    assert first.out.startswith("rendered: ")
    assert run("publish", shop).out == "rendered: nothing changed, no commit\n"
    assert git(shop, "rev-list", "--count", "rendered") == "1"
    assert git(shop, "rev-list", "--count", "--max-parents=0", "rendered") == "1", "an orphan branch"
    assert git(shop, "status", "--porcelain=v2", "--branch") == before
    trailers = git(shop, "log", "-1", "--format=%(trailers:only)", "rendered")
    assert f"Krender-Source-Commit: {git(shop, 'rev-parse', 'HEAD')}" in trailers
    assert f"Krender-Version: {__version__}" in trailers
    assert "Krender-Input-Digest: " in trailers


def test_publish_remembers_what_it_published(run: Run, shop: Path) -> None:
    run("publish", shop)
    (shop / "policy.yaml").unlink()
    ran = run("publish", shop)
    assert ran.code == 0
    kept = git(shop, "ls-tree", "-r", "--name-only", "rendered", "clusters/")
    assert "clusters/east/shop/deployment.apps.web.yaml" in kept, "deleting a policy deletes no workload"


def test_publish_outside_a_repository_says_so(run: Run, tmp_path: Path) -> None:
    run("init", tmp_path / "fleet")
    ran = run("publish", tmp_path / "fleet")
    assert ran.code == 3
    assert "fix:" in ran.err


def test_init_makes_a_workspace_that_renders(run: Run, tmp_path: Path) -> None:
    assert run("init", tmp_path / "fleet").code == 0
    assert run("check", tmp_path / "fleet").out == "no problems\n"
    assert run("render", tmp_path / "fleet", "-o", tmp_path / "out").code == 0


@pytest.mark.parametrize("shown", [pytest.param(".", id="here"), pytest.param("link", id="through-a-link")])
def test_init_fills_an_empty_directory_and_leaves_it_the_same(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: str
) -> None:
    here = tmp_path / "fleet"
    here.mkdir()
    (tmp_path / "link").symlink_to("fleet")
    before = here.stat().st_ino
    monkeypatch.chdir(here if shown == "." else tmp_path)
    assert run("init", shown).code == 0
    assert here.stat().st_ino == before
    assert run("render", here, "-o", tmp_path / "out").code == 0


def test_init_fills_a_new_repository(run: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "fleet")
    assert run("init", tmp_path / "fleet").code == 0
    assert run("render", tmp_path / "fleet", "-o", tmp_path / "out").code == 0
    assert (tmp_path / "fleet" / ".git" / "HEAD").exists()


def test_init_mixes_nothing(run: Run, shop: Path) -> None:
    ran = run("init", shop)
    assert ran.code == 4
    assert not (shop / "clusters").exists()


@pytest.mark.parametrize("now", ["yesterday", "2026-01-01", "2026-01-01T00:00:00"])
def test_nonsense_for_a_time_is_a_usage_error(run: Run, shop: Path, tmp_path: Path, now: str) -> None:
    ran = run("render", shop, "-o", tmp_path / "out", "--now", now)
    assert ran.code == 2
    assert "--now" in ran.err


@pytest.mark.parametrize(("typed", "meant"), [("rendr", "render"), ("chekc", "check"), ("xyz", "")])
def test_a_command_that_is_misspelt_is_answered_with_the_one_that_was_meant(
    run: Run, typed: str, meant: str
) -> None:
    assert (f"Did you mean '{meant}'" in run(typed).err) is bool(meant)


@pytest.mark.parametrize(
    "time",
    [
        "",
        "now",
        "2026-13-01T00:00:00Z",
        "2026-01-31",
        "2026-01-31T08:00:00+25:00",
        "0001-01-01T00:00:00+23:00",
    ],
)
def test_a_clock_that_tells_no_time_is_a_usage_error(run: Run, shop: Path, tmp_path: Path, time: str) -> None:
    ran = run("render", shop, "-o", tmp_path / "out", "--now", time)
    assert ran.code == 2
    assert f'--now: "{time}"' in ran.err


@pytest.mark.parametrize("seconds", ["-1", "soon", "1e9", "¹", "9" * 20])
def test_seconds_that_are_none_are_a_usage_error(
    run: Run, shop: Path, tmp_path: Path, seconds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    ran = run("render", shop, "-o", tmp_path / "out")
    assert ran.code == 2
    assert "SOURCE_DATE_EPOCH" in ran.err


def test_a_year_has_four_digits(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("render", shop, "-o", tmp_path / "out", "--now", "0005-01-01T00:00:00Z").code == 0
    assert written(instant("0005-01-01T00:00:00Z")) == "0005-01-01T00:00:00Z"


def test_no_git_is_needed_where_there_is_no_repository(
    run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    told = run("render", shop, "-o", tmp_path / "out")
    assert (told.code, "git is not found" in told.err) == (3, True), "the clock is the source commit's"
    (shop / ".git").rename(tmp_path / "kept")
    assert run("render", shop, "-o", tmp_path / "out").code == 0


def test_the_output_may_lie_in_the_workspace(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    assert run("render", "-o", "out").out == "out: 4 manifests on 3 clusters, 6 added\n"
    assert run("render", "-o", "out").out == "out: 4 manifests on 3 clusters, nothing changed\n"
    told = run("check")
    assert (told.code, "a tree that krender has written" in told.out) == (1, True), (
        "it is never read as input"
    )


def test_warnings_are_told_beside_errors(run: Run, shop: Path) -> None:
    (shop / "policy.yaml").write_text(BROKEN, encoding="utf-8")
    (shop / "ns.yaml").write_text(
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: x, namespace: z}\n", encoding="utf-8"
    )
    told = run("check", shop).out
    assert "clusterAfinity" in told
    assert "warning: Namespace z/x has a namespace" in told


@pytest.mark.parametrize("command", [["check"], ["explain", "deployment/web"]])
def test_a_reader_that_is_gone_or_full_is_no_traceback(shop: Path, command: list[str]) -> None:
    line = f"{sys.executable} -m renderer {' '.join(command)} {shop}"
    for redirection, code in ((">&-", 0), (">/dev/full", 3), ("| true", 0)):
        done = subprocess.run(
            f"{line} {redirection}", shell=True, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr
        assert done.returncode == code, redirection


def test_check_remembers_what_was_published(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    run("publish", shop)
    (shop / "policy.yaml").unlink()
    for command in (["check", shop], ["check", shop, "-o", out]):
        told = run(*command)
        assert told.code == 0
        assert "is published on east, north, and no policy claims it [KR104]" in told.out
    assert "Deployment shop/web is claimed by no policy [KR103]" in run("check", shop, "--fresh").out


def test_check_asks_no_other_machine(run: Run, shop: Path) -> None:
    (shop / "krender.yaml").write_text(
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {name: w}\n"
        "spec: {output: {repo: 'https://git.invalid/fleet.git'}}\n",
        encoding="utf-8",
    )
    assert run("check", shop).out == "no problems\n"


def test_check_tells_of_a_memory_that_cannot_be_read(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    binding = next((out / ".krender/bindings").rglob("deployment*.yaml"))
    binding.write_text("kind: [", encoding="utf-8")
    told = run("check", shop, "-o", out)
    assert told.code == 1
    assert ".krender/bindings/shop/deployment.apps.web.yaml:1:7" in told.out


def test_render_names_the_check_that_has_its_memory(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "my out"
    run("render", shop, "-o", out)
    (shop / "policy.yaml").unlink()
    assert f"1 warning: `krender check {shop} -o '{out}'` tells more" in run("render", shop, "-o", out).err
    assert "[KR104]" in run("check", shop, "-o", out).out


def test_what_init_says_can_be_typed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init", "my fleet").out.endswith("next: krender render 'my fleet' -o out\n")
    assert "krender check  'my fleet' " in (tmp_path / "my fleet/README.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path / "my fleet")
    assert run("render", "-o", "out").code == 0
    assert run("check").out == "no problems\n", "the output is named in .krenderignore"


def test_init_makes_no_workspace_of_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    ran = run("init", tmp_path / "x")
    assert (ran.code, "is a file" in ran.err) == (4, True)
