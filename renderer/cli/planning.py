"""From a loaded workspace to a plan, and its problems told."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from renderer.check.failures import failures
from renderer.check.rules import findings
from renderer.check.strict import refused as strictly_refused
from renderer.cli.around import reading_problems
from renderer.cli.inputs import located
from renderer.document.problem import Severity
from renderer.model.plan import Plan
from renderer.view.problems import as_text, summary


def report(
    plan: Plan,
    root: Path,
    *,
    keep_going: bool,
    output: Path | None = None,
    stopped: str = "nothing was written; --keep-going renders the rest",
) -> bool:
    """Print what failed to stderr, and a line on what else there is to know. True if anything failed.

    `output` is where the memory of the plan lies, if the command line says so; `stopped` says what comes of
    a failure.
    """
    refused = [problem for problem in plan.workspace.problems if problem.severity is Severity.ERROR]
    reading = reading_problems(plan, root)
    told = [*refused, *failures(plan), *strictly_refused(reading, plan.workspace.config.strict)]
    failed = located(told, root)
    if failed:
        click.echo(as_text(failed), err=True)
        click.echo(f"{summary(failed)}: {'the rest was rendered' if keep_going else stopped}", err=True)
    known = summary([problem for problem in (*findings(plan), *reading) if problem not in told])
    if known:
        memory = ("-o", str(output)) if output else ()
        line = shlex.join(("krender", "check", str(root), *memory))
        click.echo(f"{known}: `{line}` tells more", err=True)
    return bool(failed)
