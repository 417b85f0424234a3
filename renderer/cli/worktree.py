"""The result in the worktree, beside its source: where it lies, and what a commit of it would lack."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path

import click

from renderer import __version__
from renderer.check.rules import findings
from renderer.check.stale import stale_findings
from renderer.cli.settling import settles
from renderer.document.problem import Problem
from renderer.edge.answers import Answer, note
from renderer.edge.directory import write_directory
from renderer.edge.places import in_worktree, without_detours
from renderer.edge.rested import Rested, remember
from renderer.edge.tracked import state, unstaged
from renderer.model.config import Output
from renderer.model.instant import NO_CLOCK, ClockError
from renderer.model.owned import OWNED_PATH, contents_of
from renderer.model.plan import Plan
from renderer.model.tree import Blob, Tree, placed
from renderer.view.written import total_of


def directory_of(settings: Output, root: Path, stated: Path | None = None) -> Path:
    """The directory that the command line or `krender.yaml` names. Raises UsageError where neither does."""
    if stated is not None:
        return without_detours(stated)
    found = in_worktree(root, directory=settings.directory, path=settings.path, repo=settings.repo)
    if found is None:
        raise click.UsageError("name the directory to write: -o DIR (or output.directory in krender.yaml)")
    return without_detours(found)


def not_staged(target: Path, tree: Tree) -> tuple[str, ...]:
    """Files of a tree at a directory that Git does not have as they are, and what it has beyond them."""
    return tuple(
        path
        for path in unstaged(target)
        if path == OWNED_PATH or tree.at(path) is not None or not os.path.lexists(target / path)
    )


def stale_problems(plan: Plan, root: Path, output: Path | None, *, tracked: bool) -> tuple[Problem, ...]:
    """What to tell of a directory that is not what a render would make of it, or of what Git has of it."""
    target = directory_of(plan.workspace.config.output, root, output)
    due = write_directory(target, plan.tree, apart_from=[root], adopt=True, overwrite=True, dry_run=True)
    is_due = bool(due.added or due.changed or due.removed)
    missing = () if is_due or not tracked else not_staged(target, plan.tree)
    steps = [_to_render(root, output, tracked=tracked)] if is_due else []
    fix = " && ".join((*steps, command_to_add(target)) if tracked else steps)
    return tuple(stale_findings(str(target), due, missing, fix))


def command_to_add(target: Path) -> str:
    """What to type so that the next commit has what lies in a directory."""
    return shlex.join(("git", "add", "--all", "--", str(target)))


def _to_render(root: Path, output: Path | None, *, tracked: bool) -> str:
    """What to type so that a directory holds what the workspace gives now."""
    place = () if root == Path() else (str(root),)
    stated = () if output is None else ("-o", str(output))
    return shlex.join(("krender", "render", *place, *stated, *(("--tracked",) if tracked else ())))


def note_rendered(target: Path, plan: Plan) -> None:
    """Have the next render know that there is nothing to do, if that is sure."""
    if _rests(plan):
        inputs = plan.workspace.digest
        remember(target, Rested(version=__version__, inputs=inputs, total=total_of(plan)))


def note_answer(asked: str, plan: Plan, root: Path, target: Path, told: str) -> None:
    """Have the next run that asks this of what Git tracks know the answer, if that is sure to be the same.

    Nothing was due in this run.
    """
    if _rests(plan) and _is_timeless(plan):
        known = state(root, target)
        if known:
            note(asked, Answer(version=__version__, target=str(target), state=known, text=told))


def _is_timeless(plan: Plan) -> bool:
    """Whether the findings are the same at any time."""
    try:
        return findings(replace(plan, now=NO_CLOCK)) == findings(plan)
    except ClockError:
        return False


def _rests(plan: Plan) -> bool:
    """Whether a render on this plan's result gives that result, whatever the time."""
    return settles(plan, placed(plan.tree, OWNED_PATH, Blob(contents_of(plan.tree))), "sha256")
