"""What the commands have in common: where the workspace is, what time it is, how to print problems."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from renderer.document.problem import InputError, Position, Problem
from renderer.edge.files import read_workspace
from renderer.edge.progress import step
from renderer.load.workspace import load
from renderer.model.instant import EPOCH, instant, written
from renderer.model.published import Source
from renderer.model.workspace import Workspace

_LONGEST_EPOCH = len("99999999999")  # the year 5138: what a machine of today can mean

workspace_argument = click.argument(
    "workspace", type=click.Path(path_type=Path), default=Path(), metavar="[WORKSPACE]"
)
now_option = click.option(
    "--now", metavar="TIME", help="The clock, as RFC 3339. Default: the source commit's date."
)
fresh_option = click.option(
    "--fresh", is_flag=True, help="Forget earlier placements; decide everything anew."
)
keep_going_option = click.option(
    "--keep-going",
    is_flag=True,
    help="Render what can be rendered; what fails keeps its published files.",
)
format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the result."
)


tracked_option = click.option(
    "--tracked", is_flag=True, help="Look only at files that Git tracks: what a commit would have."
)


def read(
    root: Path, outputs: Sequence[Path] = (), *, lenient: bool = False, tracked: bool = False
) -> Workspace:
    """Load the workspace at a path. Raises InputError with positions as seen from here."""
    step("reading the workspace")
    only = None
    if tracked:
        from renderer.edge.tracked import tracked as listed

        only = listed(root)
    try:
        return load(read_workspace(root, outputs=outputs, only=only), lenient=lenient)
    except InputError as error:
        raise InputError(*located(error.problems, root)) from None


def located(problems: Iterable[Problem], root: Path) -> tuple[Problem, ...]:
    """The problems with paths that a terminal can open from where the user stands."""
    return tuple(_located(problem, root) for problem in problems)


def shown_path(root: Path) -> Callable[[str], str]:
    """What turns a path of the workspace into one that a terminal can open from where the user stands."""
    base = root if root.is_dir() else root.parent
    return lambda path: os.path.normpath(base / path)


def _located(problem: Problem, root: Path) -> Problem:
    base = root if root.is_dir() else root.parent
    path = base / problem.where.file
    if not problem.where.file or not path.exists():
        return problem
    where = Position(os.path.normpath(path), problem.where.line, problem.where.column)
    return replace(problem, where=where)


def clock(given: str | None, root: Path, source: Callable[[], Source | None] | None = None) -> str:
    """The time of this render: as given, else SOURCE_DATE_EPOCH, else the source commit's date.

    Outside a repository time stands still, so that the same files give the same bytes. `source` is for
    those who know the commit already.
    """
    if given is not None:
        try:
            return written(instant(given))
        except ValueError as error:
            raise click.BadParameter(
                f"{error}; write e.g. 2026-01-31T08:00:00Z", param_hint="--now"
            ) from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch:
        if not (epoch.isascii() and epoch.isdecimal()) or len(epoch) > _LONGEST_EPOCH:
            raise click.UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}: write seconds since 1970")
        return written(datetime.fromtimestamp(int(epoch), UTC))
    from renderer.edge.place import source_of

    commit = source() if source else source_of(root)
    return written(datetime.fromtimestamp(commit.date, UTC)) if commit else EPOCH
