"""The forms in which `krender check` tells problems, and what explains their rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from renderer.document.values import Object, Value, dig, mapping, sequence
from tests.check.loops import WORKFLOW, application, read
from tests.check.traps import SETTINGS
from tests.cli.conftest import Run, git
from tests.workspaces import POLICY, WEB

TYPO = POLICY.replace("name: web}]", "name: wbe}]")


def said(text: str) -> tuple[Object, list[Object]]:
    """The run of a SARIF file, and its results."""
    run = mapping(sequence(json.loads(text)["runs"])[0])
    return run, [mapping(item) for item in sequence(run["results"])]


def uri(result: Object) -> Value:
    location = mapping(sequence(result["locations"])[0])
    return dig(location, "physicalLocation", "artifactLocation", "uri")


@pytest.fixture
def mistaken(shop: Path) -> Path:
    """A workspace below the top of its repository, with a policy that selects nothing."""
    inner = shop / "apps" / "shop"
    inner.mkdir(parents=True)
    for path in shop.glob("*.yaml"):
        path.rename(inner / path.name)
    (inner / "policy.yaml").write_text(TYPO, encoding="utf-8")
    return inner


def test_sarif_names_files_from_the_top_of_the_repository(
    run: Run, shop: Path, mistaken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (mistaken, shop, shop.parent):
        monkeypatch.chdir(place)
        found, results = said(run("check", mistaken, "--format", "sarif").out)
        assert [(result["ruleId"], uri(result)) for result in results] == [
            ("KR101", "apps/shop/policy.yaml"),
            ("KR103", "apps/shop/web.yaml"),
        ]
        assert dig(found, "automationDetails", "id") == "krender/apps/shop/"


def test_sarif_outside_of_a_repository_names_files_of_the_workspace(
    run: Run, mistaken: Path, tmp_path: Path
) -> None:
    elsewhere = mistaken.rename(tmp_path / "elsewhere")
    found, results = said(run("check", elsewhere, "--format", "sarif").out)
    assert [uri(result) for result in results] == ["policy.yaml", "web.yaml"]
    assert dig(found, "automationDetails", "id") == "krender/"


def test_sarif_of_a_clean_workspace_has_no_results(run: Run, shop: Path) -> None:
    ran = run("check", shop, "--format", "sarif")
    assert (ran.code, said(ran.out)[1]) == (0, [])


def test_what_stands_in_no_file_stands_in_the_settings(run: Run, shop: Path) -> None:
    (shop / "fleet.yaml").unlink()
    (shop / "krender.yaml").write_text("apiVersion: krender.io/v1alpha1\nkind: Workspace\n", encoding="utf-8")
    results = said(run("check", shop, "--format", "sarif").out)[1]
    assert "krender.yaml" in [uri(result) for result in results]


def test_sarif_of_no_workspace_is_a_result_too(run: Run, tmp_path: Path) -> None:
    ran = run("check", tmp_path / "nowhere", "--format", "sarif")
    assert ran.code == 1
    assert [result["ruleId"] for result in said(ran.out)[1]] == ["KR002"]


def test_markdown_is_for_a_summary(run: Run, shop: Path) -> None:
    assert run("check", shop, "--format", "markdown").out == "**no problems**\n"


def test_what_lies_around_a_workspace_is_looked_at(run: Run, shop: Path, mistaken: Path) -> None:
    (mistaken / "policy.yaml").write_text(POLICY, encoding="utf-8")
    git(shop, "remote", "add", "origin", "https://git.example/fleet.git")
    (mistaken / "raw.yaml").write_text(application("raw", read("apps/shop")), encoding="utf-8")
    workflows = shop / ".github" / "workflows"
    workflows.mkdir(parents=True)
    (workflows / "render.yml").write_text(WORKFLOW, encoding="utf-8")
    ran = run("check", mistaken, "--format", "sarif")
    assert ran.code == 1
    told = [(result["ruleId"], uri(result)) for result in said(ran.out)[1]]
    assert ("KR811", "apps/shop/raw.yaml") in told
    assert ("KR821", ".github/workflows/render.yml") in told


def test_who_is_strict_about_writers_publishes_nothing_that_has_two(run: Run, shop: Path) -> None:
    git(shop, "remote", "add", "origin", "https://git.example/fleet.git")
    (shop / "raw.yaml").write_text(application("raw", read(".")), encoding="utf-8")
    ran = run("publish", shop)
    assert ran.code == 0
    assert "1 error, 1 warning: `krender check" in ran.err
    (shop / "krender.yaml").write_text(f"{SETTINGS}strict: {{writers: true}}\n", encoding="utf-8")
    (shop / "web.yaml").write_text(WEB.replace("replicas: 4", "replicas: 6"), encoding="utf-8")
    ran = run("publish", shop)
    assert ran.code == 1
    assert "Application argocd/raw applies what stands in the top" in ran.err


def test_a_rule_is_explained_by_its_id(run: Run) -> None:
    ran = run("explain", "KR801")
    assert ran.out.startswith(
        "KR801 An object is managed by a live Karmada\n\nIt has what only Karmada writes"
    )
    assert run("explain", "KR999").code == 2
