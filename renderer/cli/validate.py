"""`krender validate`: single files of a workspace, each on its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from renderer.document.problem import InputError, Problem, Severity
from renderer.edge.single import read_single
from renderer.load.workspace import load
from renderer.view.problems import as_github, as_json, as_text, summary

_OURS = (b"karmada.io/", b"krender.io/")
_VIEWS = {"text": as_text, "json": as_json, "github": as_github}


@click.command(name="validate")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(_VIEWS)),
    default="text",
    help="How to print: for a person, a program, or as annotations on GitHub.",
)
def command(files: tuple[Path, ...], form: str) -> int:
    """Tell what is wrong with FILES that hold policies, clusters or settings, each on its own.

    Settings are those of the krender.yaml above a file. Files that hold nothing of Karmada or krender, and
    what .krenderignore leaves out, are passed over. What files do together is for `krender check` to tell.
    """
    problems = tuple(problem for path in dict.fromkeys(files) for problem in _problems(path))
    if problems or form == "json":
        click.echo(_VIEWS[form](problems))
    if problems and form == "text":
        click.echo(summary(problems))
    return 1 if any(problem.severity is Severity.ERROR for problem in problems) else 0


def _problems(path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with one file."""
    try:
        single = read_single(path)
    except InputError as error:
        return _named(error.problems, path)
    file = single.file
    hidden = any(part.startswith(".") for part in file.path.split("/"))
    if hidden or not any(name in file.data for name in _OURS):
        return ()
    found = load((*single.settings, file), lenient=True).problems
    return _named((problem for problem in found if problem.where.file == file.path), path)


def _named(problems: Iterable[Problem], path: Path) -> tuple[Problem, ...]:
    """The problems of a file, which is named as the user has named it."""
    return tuple(replace(problem, where=replace(problem.where, file=str(path))) for problem in problems)
