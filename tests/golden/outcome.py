"""What a workspace comes to, as the files that a golden directory holds."""

from __future__ import annotations

from pathlib import Path

from renderer.check.failures import failures
from renderer.check.rules import findings
from renderer.document.problem import InputError, Problem
from renderer.edge.files import read_workspace
from renderer.load.workspace import load
from renderer.model.plan import Plan
from renderer.model.tree import EMPTY_TREE, walk
from renderer.pipeline import render
from renderer.schedule.previous import read_previous
from renderer.view.problems import as_text

TREE = "out"
PROBLEMS = "problems.txt"


def outcome(workspace: Path, before: Path | None = None) -> dict[str, bytes]:
    """Golden files by path: the tree below `out/`, and `problems.txt` where there is something to tell.

    What fails leaves no tree, as on the command line; a finding leaves both. `before` is the workspace as it
    was: what it renders to is what was last published.
    """
    try:
        published = render(load(read_workspace(before))).tree if before else EMPTY_TREE
        plan = render(load(read_workspace(workspace)), read_previous(published))
    except InputError as error:
        return _told(error.problems)
    problems = problems_of(plan)
    files = _told(problems)
    if not failures(plan):
        files |= {f"{TREE}/{path}": blob.data for path, blob in walk(plan.tree)}
    return files


def problems_of(plan: Plan) -> tuple[Problem, ...]:
    """Everything a user is told about a plan, in the order of a report."""
    return InputError(*plan.workspace.problems, *failures(plan), *findings(plan)).problems


def _told(problems: tuple[Problem, ...]) -> dict[str, bytes]:
    return {PROBLEMS: (as_text(problems) + "\n").encode()} if problems else {}


def stored(golden: Path) -> dict[str, bytes]:
    """The golden files that lie in a directory, by path."""
    tree = (path for path in (golden / TREE).rglob("*") if path.is_file())
    files = {path.relative_to(golden).as_posix(): path.read_bytes() for path in sorted(tree)}
    problems = golden / PROBLEMS
    return files | ({PROBLEMS: problems.read_bytes()} if problems.is_file() else {})
