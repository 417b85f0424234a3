"""Workflows of GitHub that run krender, and that its own commits start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderer.check.rules import findings_around
from renderer.document.problem import Problem
from renderer.document.read import read_stream
from tests.check.loops import OWN
from tests.check.traps import SETTINGS
from tests.workspaces import SHOP, plan

JOBS = "jobs: {publish: {steps: [{run: krender publish --push}]}}"


def found(workflow: str, settings: str = "", branch: str = "main") -> list[Problem]:
    """What is told of a workflow."""
    documents = read_stream(workflow.encode(), "../.github/workflows/render.yml")
    around = replace(OWN, workflows=documents, branch=branch)
    files = {**SHOP, "krender.yaml": f"{SETTINGS}{settings or 'claims: afresh'}\n"}
    return [problem for problem in findings_around(plan(files), around) if problem.rule == "KR821"]


@pytest.mark.parametrize(
    ("on", "is_told"),
    [
        pytest.param("push", True, id="any-push"),
        pytest.param("[pull_request, push]", True, id="any-push-among-others"),
        pytest.param("{push: }", True, id="no-filter"),
        pytest.param("pull_request", False, id="no-push"),
        pytest.param("{workflow_dispatch: , schedule: []}", False, id="by-hand"),
        pytest.param("{push: {branches: [main]}}", False, id="the-source-branch"),
        pytest.param("{push: {branches: main}}", False, id="one-as-text"),
        pytest.param("{push: {branches: ['**']}}", True, id="all-branches"),
        pytest.param("{push: {branches: ['*', '!rendered']}}", False, id="all-but-one"),
        pytest.param("{push: {branches: ['!rendered', '*']}}", True, id="the-last-counts"),
        pytest.param("{push: {branches: ['rel/*', 'r?endere[a-e]']}}", True, id="a-pattern"),
        pytest.param("{push: {branches: ['[z-a]', '+', '" + "**/" * 30 + "x']}}", False, id="nonsense"),
        pytest.param("{push: {branches-ignore: [rendered]}}", False, id="ignored"),
        pytest.param("{push: {branches-ignore: [other]}}", True, id="another-ignored"),
        pytest.param("{push: {tags: ['v*']}}", False, id="tags-alone"),
        pytest.param("{push: {tags: ['v*'], branches: [rendered]}}", True, id="tags-too"),
        pytest.param("{push: {paths: ['shop/**']}}", False, id="paths-of-the-source"),
        pytest.param("{push: {paths: ['**.yaml']}}", True, id="paths-of-the-result"),
        pytest.param("{push: {paths-ignore: ['clusters/**', '.krender/**']}}", False, id="paths-left-out"),
        pytest.param("{push: {paths-ignore: ['clusters/**']}}", True, id="not-all-left-out"),
    ],
)
@pytest.mark.parametrize("key", ["on", '"on"'])
def test_pushes_that_start_it(key: str, on: str, is_told: bool) -> None:
    assert bool(found(f"{key}: {on}\n{JOBS}\n")) is is_told


@pytest.mark.parametrize(
    ("jobs", "is_told"),
    [
        pytest.param("{a: {steps: [{run: krender publish shop --push}]}}", True, id="published"),
        pytest.param("{a: {steps: [{run: 'python -m renderer publish'}]}}", True, id="as-a-module"),
        pytest.param("{a: {steps: [{run: krender check && make publish}]}}", False, id="something-else"),
        pytest.param("{a: {steps: [{run: krender diff}]}}", False, id="looked-at"),
        pytest.param("{a: {steps: [{uses: some/krender@v1}]}}", True, id="the-action"),
        pytest.param("{a: {uses: some/krender/.github/workflows/render.yml@v1}}", True, id="the-workflow"),
        pytest.param("{a: {steps: [{uses: actions/checkout@v4}]}}", False, id="another-action"),
        pytest.param(
            "{a: {if: \"github.ref == 'refs/heads/main'\", steps: [{run: krender publish}]}}",
            False,
            id="a-job-that-looks",
        ),
        pytest.param(
            "{a: {steps: [{if: \"github.ref_name == 'main'\", run: krender publish}]}}",
            False,
            id="a-step-that-looks",
        ),
        pytest.param("3", False, id="nonsense"),
    ],
)
def test_jobs_that_publish(jobs: str, is_told: bool) -> None:
    assert bool(found(f"on: push\njobs: {jobs}\n")) is is_told


def test_what_saves_it_is_told() -> None:
    (problem,) = found(f"name: x\non:\n  push:\n{JOBS}\n")
    assert str(problem.where) == "../.github/workflows/render.yml:3:3"
    assert problem.what == (
        "the workflow render.yml publishes to the branch rendered, and runs when something is pushed there"
    )
    assert problem.why == (
        "all that keeps it from starting itself, again and again, is that the branch does not have this "
        "file, and a push with the job's own GITHUB_TOKEN starts nothing"
    )


@pytest.mark.parametrize(
    ("paths", "is_told"), [("", True), (", paths-ignore: ['out/**']", False), (", paths: ['shop/**']", False)]
)
def test_a_result_beside_its_source_is_left_out_by_its_path(paths: str, is_told: bool) -> None:
    problems = found(
        f"on: {{push: {{branches: [main]{paths}}}}}\n{JOBS}\n", "output: {branch: main, path: out}"
    )
    assert bool(problems) is is_told
    for problem in problems:
        assert problem.why.endswith("is that a push with the job's own GITHUB_TOKEN starts nothing")
        assert problem.fix.startswith("write paths-ignore below push")


@pytest.mark.parametrize("output", ["{repo: https://git.example/other.git}", "{directory: out}"])
def test_a_result_elsewhere_starts_nothing(output: str) -> None:
    assert found(f"on: push\n{JOBS}\n", f"output: {output}") == []
