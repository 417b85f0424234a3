"""`krender check`: every problem of a workspace, in one run."""

from __future__ import annotations

from pathlib import Path

import click

from renderer.check.failures import failures
from renderer.check.rules import findings
from renderer.cli.inputs import located, read, workspace_argument
from renderer.document.problem import InputError, Problem, Severity
from renderer.pipeline import render
from renderer.view.problems import as_github, as_json, as_text, summary


@click.command(name="check")
@workspace_argument
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit code.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How to print: for a person, a program, or as annotations on GitHub.",
)
def command(workspace: Path, *, strict: bool, form: str) -> int:
    """Tell everything that is wrong with WORKSPACE (default: here), and what is worth knowing.

    Each problem with its place, what it is, why it matters and how to fix it. Nothing is written.
    """
    problems = _problems(workspace)
    if form == "text":
        click.echo(as_text(problems) + ("\n" if problems else "") + (summary(problems) or "no problems"))
    elif problems or form == "json":
        click.echo(as_json(problems) if form == "json" else as_github(problems))
    heavy = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return 1 if any(problem.severity in heavy for problem in problems) else 0


def _problems(workspace: Path) -> tuple[Problem, ...]:
    """What keeps it from being loaded and, from what can be loaded all the same, everything else."""
    try:
        loaded = read(workspace, lenient=True)
    except InputError as error:
        return error.problems
    plan = render(loaded)
    found = [*loaded.problems, *failures(plan)]
    # What was left out for an error makes others look lonely: tell first things first.
    if not any(problem.severity is Severity.ERROR for problem in loaded.problems):
        found += findings(plan)
    return tuple(sorted(located(dict.fromkeys(found), workspace), key=lambda problem: problem.sort_key))
