"""`--metrics FILE`: what a run tells in numbers, however it ends, and that the numbers are right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, git
from tests.docs.monitoring import code, rows
from tests.repositories import commit
from tests.view.metrics.reading import read, value
from tests.workspaces import FLEET, POLICY, WEB

WITHOUT_EAST = FLEET.replace("  - {name: east, region: eu, labels: {stage: prod}}\n", "")
LAST = "krender_cluster_last_publish_timestamp_seconds"


@pytest.fixture
def prom(tmp_path: Path) -> Path:
    return tmp_path / "krender.prom"


def put(root: Path, name: str, text: str) -> None:
    """Write one file of the workspace."""
    (root / name).write_text(text, encoding="utf-8")


def told(file: Path, name: str, **labels: str) -> float | None:
    """A number in the file."""
    return value(file.read_text(encoding="utf-8"), f"krender_{name}", **labels)


def changes(file: Path) -> list[float | None]:
    """Objects that were added, modified and deleted."""
    return [told(file, "objects_changed", change=change) for change in ("added", "modified", "deleted")]


def last(file: Path) -> dict[str, float]:
    """Cluster to the date of its last publish."""
    found = read(file.read_text(encoding="utf-8"))
    return {dict(labels)["member_cluster"]: date for (name, labels), date in found.items() if name == LAST}


def at(shop: Path, date: int) -> None:
    """Commit the workspace at that time, which is that of what is published from it."""
    git(shop, "add", ".")
    commit(shop, "Change", date)


def test_a_publish_tells_what_it_did(run: Run, shop: Path, prom: Path) -> None:
    at(shop, 2_000_000_000)
    assert run("publish", shop, "--metrics", prom).code == 0
    assert changes(prom) == [4, 0, 0]
    assert (told(prom, "run_exit_code"), told(prom, "run_wrote")) == (0, 1)
    assert (told(prom, "manifests"), told(prom, "replicas_moved")) == (4, 0)
    assert told(prom, "templates", state="placed") == 1
    assert told(prom, "guard_stops", guard="deletions") == 0
    assert told(prom, "last_publish_timestamp_seconds") == 2_000_000_000
    assert last(prom) == dict.fromkeys(("east", "north", "west"), 2_000_000_000)
    samples = read(prom.read_text(encoding="utf-8"))
    assert {(dict(labels)["command"], dict(labels)["workspace"]) for _, labels in samples} == {
        ("publish", "shop")
    }


def test_a_run_with_nothing_to_do_writes_a_right_file_too(run: Run, shop: Path, prom: Path) -> None:
    run("publish", shop)
    assert run("publish", shop, "--metrics", prom).out == "rendered: nothing changed, no commit\n"
    assert changes(prom) == [0, 0, 0]
    assert (told(prom, "run_wrote"), told(prom, "templates", state="placed")) == (0, 1)
    assert len(last(prom)) == 3


def test_the_last_publish_of_a_cluster_is_that_which_changed_it(run: Run, shop: Path, prom: Path) -> None:
    at(shop, 2_000_000_000)
    run("publish", shop)
    put(shop, "policy.yaml", POLICY.replace("stage: prod", "stage: test"))  # from east and north to west
    at(shop, 2_000_000_100)
    allowed = ("--allow", "emptied-clusters", "--allow", "deletions", "--allow", "moved-replicas")
    assert run("publish", shop, "--metrics", prom, *allowed).code == 0
    assert told(prom, "replicas_moved") == 4
    assert changes(prom) == [2, 0, 4]
    put(shop, "web.yaml", WEB.replace("web:1.2", "web:1.3"))
    at(shop, 2_000_000_200)
    assert run("publish", shop, "--metrics", prom).code == 0
    assert changes(prom) == [0, 1, 0]
    assert last(prom) == {"east": 2_000_000_100, "north": 2_000_000_100, "west": 2_000_000_200}
    assert told(prom, "last_publish_timestamp_seconds") == 2_000_000_200


def test_a_dry_run_tells_what_would_be(run: Run, shop: Path, prom: Path) -> None:
    run("publish", shop)
    put(shop, "web.yaml", WEB.replace("web:1.2", "web:1.3"))
    assert run("publish", shop, "--metrics", prom, "--dry-run").code == 0
    assert (changes(prom), told(prom, "run_wrote")) == ([0, 2, 0], 0)


def test_what_a_guard_stops_is_told_with_what_would_have_been(run: Run, shop: Path, prom: Path) -> None:
    run("publish", shop)
    put(shop, "fleet.yaml", WITHOUT_EAST)
    assert run("publish", shop, "--metrics", prom).code == 4
    assert (told(prom, "run_exit_code"), told(prom, "run_wrote")) == (4, 0)
    assert told(prom, "guard_stops", guard="lost-clusters") == 1
    assert told(prom, "guard_stops", guard="deletions") == 0
    assert (changes(prom), told(prom, "clusters")) == ([0, 1, 2], 2)
    assert set(last(prom)) == {"east", "north", "west"}  # as they still lie on the branch


def test_a_template_at_fault_is_told(run: Run, shop: Path, prom: Path) -> None:
    run("publish", shop)
    put(shop, "web.yaml", WEB.replace("replicas: 4", "replicas: four"))
    assert run("publish", shop, "--metrics", prom).code == 1
    assert told(prom, "run_exit_code") == 1
    assert told(prom, "findings", severity="error", rule="KR011") == 1
    assert told(prom, "templates", state="held") == 1
    assert len(last(prom)) == 3
    assert changes(prom) == [None, None, None]
    assert run("publish", shop, "--metrics", prom, "--keep-going").code == 1
    assert (told(prom, "run_exit_code"), changes(prom)) == (1, [0, 0, 0])


def test_files_that_cannot_be_read_are_told_and_nothing_else_is(run: Run, shop: Path, prom: Path) -> None:
    put(shop, "web.yaml", "kind: [")
    assert run("publish", shop, "--metrics", prom).code == 1
    assert told(prom, "findings", severity="error", rule="KR001") == 1
    assert (told(prom, "run_exit_code"), told(prom, "run_wrote")) == (1, 0)
    assert told(prom, "templates", state="placed") is None


def test_a_repository_that_cannot_be_used_is_told(run: Run, shop: Path, prom: Path) -> None:
    assert run("publish", shop, "--repo", shop.parent / "nowhere", "--metrics", prom).code == 3
    assert told(prom, "run_exit_code") == 3
    assert told(prom, "guard_stops", guard="deletions") is None


def test_a_plan_that_was_reviewed_is_measured_when_it_is_published_and_after(
    run: Run, shop: Path, prom: Path, tmp_path: Path
) -> None:
    run("plan", shop, "-o", tmp_path / "plan")
    assert run("publish", shop, "--plan", tmp_path / "plan", "--metrics", prom).code == 0
    assert (changes(prom), told(prom, "run_wrote")) == ([4, 0, 0], 1)
    assert run("publish", shop, "--plan", tmp_path / "plan", "--metrics", prom).code == 0
    assert (changes(prom), told(prom, "run_wrote")) == ([0, 0, 0], 0)
    assert told(prom, "templates", state="placed") == 1


def test_the_workspace_is_called_what_it_calls_itself(run: Run, shop: Path, prom: Path) -> None:
    name = "the-shop"
    settings = f"apiVersion: krender.io/v1alpha1\nkind: Workspace\nmetadata: {{name: {name}}}\n"
    put(shop, "krender.yaml", f"{settings}spec: {{output: {{path: live}}}}\n")
    assert run("publish", shop, "--metrics", prom).code == 0
    assert told(prom, "clusters", workspace=name) == 3
    assert len(last(prom)) == 3
    put(shop, "web.yaml", "kind: [")
    assert run("publish", shop, "--metrics", prom).code == 1
    assert told(prom, "run_exit_code", workspace=name) == 1


def test_a_file_that_cannot_be_written_is_told_before_anything_is_done(run: Run, shop: Path) -> None:
    ran = run("publish", shop, "--metrics", shop.parent / "nowhere" / "krender.prom")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("krender: there is no directory ")
    assert git(shop, "branch", "--list", "rendered") == ""


def test_a_run_that_fails_tells_its_own_error_too(run: Run, shop: Path, prom: Path) -> None:
    prom.symlink_to("nowhere/krender.prom")
    put(shop, "web.yaml", "kind: [")
    ran = run("publish", shop, "--metrics", prom)
    assert ran.code == 1
    assert "krender: cannot write the metrics" in ran.err
    assert "web.yaml:1:7: " in ran.err


def test_a_render_into_a_directory_tells_what_it_wrote(run: Run, shop: Path, prom: Path) -> None:
    out = shop.parent / "out"
    assert run("render", shop, "-o", out, "--metrics", prom).code == 0
    assert (changes(prom), told(prom, "run_wrote")) == ([4, 0, 0], 1)
    assert run("render", shop, "-o", out, "--metrics", prom).code == 0
    assert (changes(prom), told(prom, "run_wrote")) == ([0, 0, 0], 0)
    assert told(prom, "templates", state="placed", command="render") == 1
    assert last(prom) == {}
    put(shop, "fleet.yaml", WITHOUT_EAST)
    assert run("render", shop, "-o", out, "--metrics", prom).code == 4
    assert told(prom, "guard_stops", guard="lost-clusters") == 1
    assert changes(prom) == [None, None, None]
    assert (
        run("render", shop, "-o", out, "--metrics", prom, "--dry-run", "--allow", "lost-clusters").code == 0
    )
    assert (changes(prom), told(prom, "run_wrote")) == ([0, 1, 2], 0)
    put(shop, "web.yaml", WEB.replace("replicas: 4", "replicas: four"))
    assert run("render", shop, "-o", out, "--metrics", prom).code == 1
    assert told(prom, "templates", state="held") == 1


def test_a_check_tells_what_it_found(run: Run, shop: Path, prom: Path) -> None:
    assert run("check", shop, "--metrics", prom).code == 0
    assert (told(prom, "run_exit_code"), told(prom, "run_wrote")) == (0, 0)
    assert told(prom, "findings", rule="KR103") is None
    for number in range(30):
        put(shop, f"{number}.yaml", WEB.replace("name: web, namespace", f"name: w{number}, namespace"))
    assert run("check", shop, "--strict", "--metrics", prom).code == 1
    assert told(prom, "run_exit_code", command="check") == 1
    assert told(prom, "findings", rule="KR103", severity="warning") == 30
    assert told(prom, "templates_unscheduled", reason="unmatched") == 30
    put(shop, "web.yaml", "kind: [")
    assert run("check", shop, "--metrics", prom).code == 1
    assert told(prom, "findings", rule="KR001", severity="error") == 1
    assert run("check", shop / "nowhere", "--metrics", prom).code == 1
    assert told(prom, "run_exit_code", workspace="nowhere") == 1
    assert told(prom, "templates", state="placed") is None


def test_memory_that_cannot_be_read_is_told_beside_the_rest(run: Run, shop: Path, prom: Path) -> None:
    out = shop.parent / "out"
    run("render", shop, "-o", out)
    put(out, ".krender/bindings/shop/deployment.apps.web.yaml", "kind: Nonsense\n")
    assert run("check", shop, "-o", out, "--metrics", prom).code == 1
    samples = read(prom.read_text(encoding="utf-8"))
    counted = sum(number for (name, _), number in samples.items() if name == "krender_findings")
    problems = json.loads(run("check", shop, "-o", out, "--format", "json").out)
    assert counted == len(problems) > 0


def test_the_page_says_which_command_tells_what(run: Run, shop: Path, prom: Path) -> None:
    commands = {"check": (), "render": ("-o", shop.parent / "out"), "publish": ()}
    told_by: dict[str, set[str]] = {}
    for command, more in commands.items():
        assert run(command, shop, *more, "--metrics", prom).code == 0
        for name in re.findall("^# TYPE ([a-z_]+) ", prom.read_text(encoding="utf-8"), re.MULTILINE):
            told_by.setdefault(name, set()).add(command)
    page = {code(metric)[0]: by for metric, _, by, _ in rows("What there is")}
    assert told_by == {
        name: set(commands) if by == "all" else set(by.split(", ")) for name, by in page.items()
    }


def test_what_is_printed_has_no_metrics(run: Run, shop: Path, prom: Path) -> None:
    assert run("render", shop, "--cluster", "east", "--stdout", "--metrics", prom).code == 2
    assert not prom.exists()


def test_what_is_told_a_few_times_is_counted_once_by_check_and_wholly_by_metrics(
    run: Run, shop: Path, prom: Path
) -> None:
    for number in range(25):
        body = f"metadata: {{name: c{number}, namespace: shop, labels: {{a: }}}}\n"
        put(shop, f"c{number}.yaml", f"apiVersion: v1\nkind: ConfigMap\n{body}")
    listed = json.loads(run("check", shop, "--format", "json", "--metrics", prom).out)
    rules = [problem["rule"] for problem in listed]
    assert (rules.count("KR007"), rules.count("KR103")) == (20, 20)
    assert (told(prom, "findings", rule="KR007"), told(prom, "findings", rule="KR103")) == (25, 25)
