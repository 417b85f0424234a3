"""`krender check`: every problem of a workspace, in one run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from renderer.check.failures import failures
from renderer.check.rules import findings
from renderer.cli.around import problems_around
from renderer.cli.forms import FORMS, shown
from renderer.cli.inputs import (
    clock,
    fresh_option,
    located,
    now_option,
    read,
    tracked_option,
    workspace_argument,
)
from renderer.cli.memory import published_tree
from renderer.cli.metering import Meter, metered
from renderer.cli.worktree import directory_of, note_answer, stale_problems
from renderer.document.problem import InputError, Problem, Severity
from renderer.edge.address import is_address
from renderer.edge.answers import question
from renderer.edge.progress import step
from renderer.model.plan import Plan
from renderer.model.previous import NOTHING
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.schedule.previous import read_previous

_ERRORS = (Severity.ERROR,)


@click.command(name="check")
@workspace_argument
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit code.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    help="For a person or a program; as annotations on GitHub, for its code scanning, for a comment there.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Take the memory of a rendered directory."
)
@click.option(
    "--stale", is_flag=True, help="Tell, too, where the rendered directory is not what a render would give."
)
@tracked_option
@fresh_option
@now_option
@metered("check")
def command(
    workspace: Path,
    *,
    strict: bool,
    form: str,
    output: Path | None,
    stale: bool,
    tracked: bool,
    fresh: bool,
    now: str | None,
    meter: Meter,
) -> int:
    """Tell everything that is wrong with WORKSPACE (default: here), and what is worth knowing.

    Each problem with its place, what it is, why it matters and how to fix it. Nothing is written. The answer
    is that of the next render: with the memory of the published branch, if it is in the repository.
    """
    problems, plan = _problems(workspace, output, meter, stale=stale, tracked=tracked, fresh=fresh, now=now)
    if problems or form != "github":
        told = shown(problems, form, workspace)
        click.echo(told)
        sound = not any(problem.severity in _ERRORS for problem in problems)
        if plan and sound and stale and tracked and not fresh and form == "text":
            target = directory_of(plan.workspace.config.output, workspace, output)
            note_answer(question("check", workspace, output), plan, workspace, target, told)
    heavy = (*_ERRORS, Severity.WARNING) if strict else _ERRORS
    return 1 if any(problem.severity in heavy for problem in problems) else 0


def _problems(
    workspace: Path,
    output: Path | None,
    meter: Meter,
    *,
    stale: bool,
    tracked: bool,
    fresh: bool,
    now: str | None,
) -> tuple[tuple[Problem, ...], Plan | None]:
    """What keeps it from being loaded and, from what can be loaded all the same, everything else."""
    try:
        loaded = read(workspace, [output] if output else (), lenient=True, tracked=tracked)
    except InputError as error:
        meter.problems(error.problems)
        return error.problems, None
    found, beside = list[Problem](), list[Problem]()
    directory = directory_of(loaded.config.output, workspace, output) if stale else output
    with _memory(loaded, workspace, directory, fresh=fresh) as tree:
        try:
            previous = read_previous(tree)
        except InputError as error:
            beside += error.problems
            previous = NOTHING
        step("rendering")
        plan = render(loaded, previous, clock(now, workspace))
        failed = failures(plan)
        found += failed
        # What was left out for an error makes others look lonely: tell first things first.
        if any(problem.severity is Severity.ERROR for problem in loaded.problems):
            found += loaded.problems
        else:
            found += findings(plan)
            beside += problems_around(plan, workspace, whole=not failed)
            if stale and not failed:
                beside += stale_problems(plan, workspace, output, tracked=tracked)
        meter.decided(plan, beside)
    problems = sorted(
        located(dict.fromkeys((*found, *beside)), workspace), key=lambda problem: problem.sort_key
    )
    return tuple(problems), plan


@contextmanager
def _memory(loaded: Workspace, root: Path, output: Path | None, *, fresh: bool) -> Iterator[Tree]:
    """What was published, as far as this machine has it: to check is no reason to ask another one."""
    elsewhere = bool(loaded.config.output.repo) and is_address(loaded.config.output.repo)
    if fresh or (elsewhere and output is None):
        yield EMPTY_TREE
    else:
        with published_tree(loaded, root, output) as tree:
            yield tree
