"""`render --stdout`: all that a cluster gets, or nothing and an exit code that says so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import FAILING as ON_EAST
from tests.cli.conftest import Run
from tests.workspaces import FLEET, POLICY, SHOP

FAILING = ON_EAST.replace("[east]", "[north]")
SUSPENDED = POLICY + "  suspension: {dispatchingOnClusters: {clusterNames: [east]}}\n"


def kinds(text: str) -> list[str]:
    return [document["kind"] for document in yaml.safe_load_all(text)]


def test_all_that_a_cluster_gets_is_printed(run: Run, shop: Path) -> None:
    ran = run("render", shop, "--cluster", "east", "--stdout")
    assert (ran.code, ran.err, kinds(ran.out)) == (0, "", ["Namespace", "Deployment"])
    assert not (shop / "clusters").exists()


def test_it_is_what_a_directory_would_hold(run: Run, shop: Path, tmp_path: Path) -> None:
    run("render", shop, "-o", tmp_path / "out")
    folder = tmp_path / "out" / "clusters" / "east"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    printed = run("render", shop, "--cluster", "east", "--stdout").out
    assert printed == "".join(f"---\n{path.read_text(encoding='utf-8')}" for path in files)


def test_files_for_an_engine_are_none_of_it(run: Run, shop: Path) -> None:
    (shop / "krender.yaml").write_text(
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
        "spec: {delivery: {engine: flux, unit: namespace, repoURL: 'https://git.example/fleet.git'}}\n",
        encoding="utf-8",
    )
    ran = run("render", shop, "--cluster", "east", "--stdout")
    assert (ran.code, kinds(ran.out)) == (0, ["Namespace", "Deployment"])


@pytest.mark.parametrize(
    ("files", "cluster", "options", "code", "said"),
    [
        pytest.param({}, "eastt", [], 2, "did you mean 'east'?", id="an-unknown-cluster"),
        pytest.param({}, "", [], 2, "is the variable set", id="an-empty-name"),
        pytest.param({}, "west", [], 4, "--allow-empty", id="a-cluster-that-gets-nothing"),
        pytest.param({"o.yaml": FAILING}, "north", [], 1, "nothing was printed", id="a-failed-override"),
        pytest.param({"o.yaml": FAILING}, "east", [], 1, "nothing was printed", id="a-failure-elsewhere"),
        pytest.param({"web.yaml": "kind: ["}, "east", [], 1, "web.yaml:1", id="a-file-that-is-no-yaml"),
        pytest.param({"policy.yaml": SUSPENDED}, "east", [], 4, "suspended", id="suspended-without-memory"),
        pytest.param(
            {"fleet.yaml": FLEET.replace("name: east", "frozen: true, name: east")},
            "east",
            ["--allow-empty"],
            4,
            "Cluster east is frozen",
            id="frozen-without-memory",
        ),
        pytest.param({}, "east", ["-o", "nowhere"], 2, "nowhere is no directory", id="a-memory-that-is-none"),
        pytest.param({}, "east", ["--keep-going"], 2, "all of a cluster or nothing", id="half-of-it"),
        pytest.param({}, "east", ["--format", "json"], 2, "go with it", id="another-form"),
        pytest.param({}, "east", ["--dry-run"], 2, "writes nothing", id="an-option-for-writing"),
    ],
)
def test_what_is_not_known_is_not_printed(
    run: Run, shop: Path, files: dict[str, str], cluster: str, options: list[str], code: int, said: str
) -> None:
    for name, text in files.items():
        (shop / name).write_text(text, encoding="utf-8")
    ran = run("render", shop, "--cluster", cluster, "--stdout", *options)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


@pytest.mark.parametrize(
    "options",
    [["--stdout"], ["--cluster", "east"], ["--allow-empty"]],
    ids=["no-cluster", "no-stdout", "alone"],
)
def test_the_options_go_together(run: Run, shop: Path, tmp_path: Path, options: list[str]) -> None:
    ran = run("render", shop, "-o", tmp_path / "out", *options)
    assert (ran.code, ran.out, (tmp_path / "out").exists()) == (2, "", False)


def test_nothing_is_printed_where_that_is_meant(run: Run, shop: Path) -> None:
    ran = run("render", shop, "--cluster", "west", "--stdout", "--allow-empty")
    assert (ran.code, ran.out) == (0, "")


def test_a_rendered_directory_is_a_memory_that_is_not_written(run: Run, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("render", shop, "-o", out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (shop / "policy.yaml").write_text(SUSPENDED, encoding="utf-8")
    (shop / "web.yaml").write_text(SHOP["web.yaml"].replace("web:1.2", "web:1.3"), encoding="utf-8")
    ran = run("render", shop, "--cluster", "east", "--stdout", "-o", out)
    assert (ran.code, "web:1.2" in ran.out) == (0, True), "what is suspended stays as it was published"
    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_settings_name_the_memory_as_well(run: Run, shop: Path) -> None:
    (shop / "krender.yaml").write_text(
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\nspec: {output: {path: out}}\n", encoding="utf-8"
    )
    assert run("render", shop).code == 0
    (shop / "policy.yaml").write_text(SUSPENDED, encoding="utf-8")
    assert run("render", shop, "--cluster", "east", "--stdout").code == 0, "what it has is known"


def test_a_run_that_could_say_there_is_nothing_to_do_prints_all_the_same(
    run: Run, shop: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for _ in range(3):
        run("render", shop, "-o", out)
    assert kinds(run("render", shop, "-o", out, "--cluster", "east", "--stdout").out) == [
        "Namespace",
        "Deployment",
    ]


def test_the_order_of_files_does_not_matter(run: Run, shop: Path, tmp_path: Path) -> None:
    printed = run("render", shop, "--cluster", "north", "--stdout").out
    other = tmp_path / "other"
    other.mkdir()
    names = list(SHOP)
    random.Random(7).shuffle(names)
    for number, name in enumerate(names):
        (other / f"{number}.yaml").write_text(SHOP[name], encoding="utf-8")
    assert run("render", other, "--cluster", "north", "--stdout").out == printed
