"""Problems in the form that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from renderer import __version__
from renderer.document.problem import Position, Problem
from renderer.load.peek import CONFIG_FILE
from renderer.view.problems import as_github, as_json, as_text, summary

FORMS: Final = ("text", "json", "github", "sarif", "markdown")


def shown(problems: Sequence[Problem], form: str, root: Path) -> str:
    """The problems of the workspace at `root`, whose files are named as seen from here; one of FORMS."""
    match form:
        case "json":
            return as_json(problems)
        case "github":
            return as_github(problems)
        case "markdown":
            from renderer.view.markdown import as_markdown

            return as_markdown(problems).rstrip("\n")
        case "sarif":
            return _sarif(problems, root)
    return as_text(problems) + ("\n" if problems else "") + (summary(problems) or "no problems")


def _sarif(problems: Sequence[Problem], root: Path) -> str:
    """With paths from the top of the repository; outside of one, from the workspace's own."""
    from renderer.check.errors import ERRORS
    from renderer.check.rules import RULES
    from renderer.edge.place import is_in_repository, top_of
    from renderer.view.sarif import as_sarif

    base = root if root.is_dir() else root.parent
    top = top_of(base) if base.exists() and is_in_repository(base) else None
    folder = os.path.relpath(base.resolve(), top) if top else "."
    category = "krender" if folder == "." else f"krender/{Path(folder).as_posix()}"
    placed = _placed(problems, base, top or base.resolve())
    return as_sarif(tuple(placed), (*ERRORS, *RULES), version=__version__, category=category)


def _placed(problems: Iterable[Problem], base: Path, top: Path) -> Iterable[Problem]:
    """What stands in no file here (on the branch, or nowhere) stands in the settings, or the workspace."""
    settings = base / CONFIG_FILE
    for problem in problems:
        path = Path(problem.where.file)
        if problem.where.file and path.is_file():
            at = Position(_below(path, top), problem.where.line, problem.where.column)
            yield replace(problem, where=at)
        else:
            somewhere = settings if settings.is_file() else base
            yield replace(problem, where=Position(_below(somewhere, top)), excerpt="")


def _below(path: Path, top: Path) -> str:
    return Path(os.path.relpath(path.resolve(), top.resolve())).as_posix()
