"""action.yml and the workflows, held against GitHub's schemas and against what keeps them safe."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from renderer.cli.ci import command
from renderer.document.values import Object, mapping, sequence, text

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FILES = [ACTION, *WORKFLOWS]


def read(path: Path) -> Object:
    """A file as GitHub reads it; `on` is a text there."""
    return mapping(yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader))


def steps(path: Path) -> Iterator[Object]:
    """Every step of a file."""
    document = read(path)
    jobs = [mapping(job) for job in mapping(document.get("jobs")).values()] or [mapping(document.get("runs"))]
    for job in jobs:
        yield from map(mapping, sequence(job.get("steps")))


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        pytest.param("vendor.github-actions", [ACTION], id="action"),
        pytest.param("vendor.github-workflows", WORKFLOWS, id="workflows"),
        pytest.param("custom.github-workflows-require-timeout", WORKFLOWS, id="timeouts"),
    ],
)
def test_github_takes_them(schema: str, files: list[Path]) -> None:
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_others_wrote_is_pinned_and_says_its_version(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        if "uses:" in line and "uses: ./" not in line:
            assert re.fullmatch(r"\s*(- )?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_expression_is_part_of_a_script(path: Path) -> None:
    for step in steps(path):
        assert "${{" not in text(step.get("run")), step


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_has_the_least_permissions(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    allowed = {
        "review": {"contents": "read", "pull-requests": "write"},
        "publish": {"contents": "write"},
        "sarif": {"actions": "read", "contents": "read", "security-events": "write"},
        "test": {"contents": "read"},
    }
    for name, job in mapping(workflow["jobs"]).items():
        assert mapping(job)["permissions"] == allowed[name]
    for step in steps(path):
        if text(step.get("uses")).startswith("actions/checkout@"):
            assert mapping(step["with"])["persist-credentials"] == "false"


def test_the_action_hands_every_input_on_and_krender_knows_each_variable() -> None:
    action = read(ACTION)
    whole = ACTION.read_text(encoding="utf-8")
    for name in mapping(action["inputs"]):
        assert f"inputs.{name} " in whole, name
    (step,) = [step for step in steps(ACTION) if step.get("id") == "krender"]
    known = {
        option.envvar for option in command.params if isinstance(option, click.Option | click.Argument)
    } - {None}
    assert {*mapping(step["env"])} == {*known, "KRENDER_TOKEN"}


def test_the_reusable_workflow_hands_every_output_on() -> None:
    outputs = mapping(mapping(mapping(read(WORKFLOWS[-1])["on"])["workflow_call"])["outputs"])
    assert [*outputs] == ["changed", "clusters", "added", "modified", "deleted", "rendered-sha", "blocked"]
    given = mapping(read(ACTION)["outputs"])
    assert {*outputs} <= {*given}
    for name, job in mapping(read(WORKFLOWS[-1])["jobs"]).items():
        if name != "sarif":
            assert {*outputs} <= {*mapping(mapping(job)["outputs"])}
