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
from renderer.cli.inputs import clock, fresh_option, located, now_option, read, workspace_argument
from renderer.cli.memory import published_tree
from renderer.cli.metering import Meter, metered
from renderer.document.problem import InputError, Problem, Severity
from renderer.edge.address import is_address
from renderer.model.previous import NOTHING
from renderer.model.tree import EMPTY_TREE, Tree
from renderer.model.workspace import Workspace
from renderer.pipeline import render
from renderer.schedule.previous import read_previous


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
@fresh_option
@now_option
@metered("check")
def command(
    workspace: Path,
    *,
    strict: bool,
    form: str,
    output: Path | None,
    fresh: bool,
    now: str | None,
    meter: Meter,
) -> int:
    """Tell everything that is wrong with WORKSPACE (default: here), and what is worth knowing.

    Each problem with its place, what it is, why it matters and how to fix it. Nothing is written. The answer
    is that of the next render: with the memory of the published branch, if it is in the repository.
    """
    problems = _problems(workspace, output, meter, fresh=fresh, now=now)
    if problems or form != "github":
        click.echo(shown(problems, form, workspace))
    heavy = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return 1 if any(problem.severity in heavy for problem in problems) else 0


def _problems(
    workspace: Path, output: Path | None, meter: Meter, *, fresh: bool, now: str | None
) -> tuple[Problem, ...]:
    """What keeps it from being loaded and, from what can be loaded all the same, everything else."""
    try:
        loaded = read(workspace, [output] if output else (), lenient=True)
    except InputError as error:
        meter.problems(error.problems)
        return error.problems
    found, beside = [*loaded.problems], list[Problem]()
    with _memory(loaded, workspace, output, fresh=fresh) as tree:
        try:
            previous = read_previous(tree)
        except InputError as error:
            beside += error.problems
            previous = NOTHING
        plan = render(loaded, previous, clock(now, workspace))
        failed = failures(plan)
        found += failed
        # What was left out for an error makes others look lonely: tell first things first.
        if not any(problem.severity is Severity.ERROR for problem in loaded.problems):
            found += findings(plan)
            beside += problems_around(plan, workspace, whole=not failed)
        meter.decided(plan, beside)
    found += beside
    return tuple(sorted(located(dict.fromkeys(found), workspace), key=lambda problem: problem.sort_key))


@contextmanager
def _memory(loaded: Workspace, root: Path, output: Path | None, *, fresh: bool) -> Iterator[Tree]:
    """What was published, as far as this machine has it: to check is no reason to ask another one."""
    elsewhere = bool(loaded.config.output.repo) and is_address(loaded.config.output.repo)
    if fresh or (elsewhere and output is None):
        yield EMPTY_TREE
    else:
        with published_tree(loaded, root, output) as tree:
            yield tree
