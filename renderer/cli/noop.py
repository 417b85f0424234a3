"""Finding out that there is nothing to do, before anything is imported that takes long.

A run is answered here only if a whole run is sure to give the same answer: the same krender has made the
result from the same input, it said then that the result is settled (see `settling`), and nobody has changed
the result since. In all other cases, and for all but the plainest command lines, the command itself is run.

To find that out, all files are read. So the answer is noted down with what the system says of them (see
`edge.standing`): as long as it says the same, no file needs to be read again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from renderer import __version__
from renderer.document.problem import InputError
from renderer.edge.standing import note
from renderer.model.errors import ToldError

if TYPE_CHECKING:
    from renderer.load.peek import Peeked

# Options with a value, by command, and flags; most make no difference where nothing is to do.
_OUTPUT = {"-o": "output", "--output": "output"}
_VALUES = {"publish": {"--branch": "branch", "--repo": "repo"}, "render": _OUTPUT, "check": _OUTPUT}
_FLAGS = {
    "publish": ("--keep-going", "--dry-run"),
    "render": ("--keep-going", "--dry-run", "--tracked", "--exit-code"),
    "check": ("--tracked", "--stale"),
}
_DEFAULT_BRANCH = "rendered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A command line that can be answered here."""

    command: str
    workspace: Path = Path()
    values: dict[str, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What there is to say, and what it depends on beside the workspace: a directory, or what git says."""

    text: str
    outputs: tuple[Path, ...] = ()
    target: Path | None = None
    question: tuple[str, ...] = ()


def nothing_to_do(arguments: Sequence[str]) -> str | None:
    """What the command would print, if it is sure to have nothing to do; else None."""
    asked = _asked(arguments)
    if asked is None or "SOURCE_DATE_EPOCH" in os.environ:  # which may be no time
        return None
    if "--tracked" in asked.flags:
        return _tracked(asked)
    answer = _answer(asked)
    if answer is None:
        return None
    _note(arguments, asked, answer)
    return answer.text


def _answer(asked: Asked) -> Answer | None:
    try:
        return _published(asked) if asked.command == "publish" else _written(asked)
    except (InputError, ToldError, OSError, ValueError):
        return None  # whatever it is, the command tells it better


def _note(arguments: Sequence[str], asked: Asked, answer: Answer) -> None:
    """Note the answer down with all that it depends on, if that can be told."""
    from renderer.edge.files import watched

    with suppress(InputError, OSError, ValueError):  # somebody is at work here: another time
        files = watched(asked.workspace, answer.outputs)
        if answer.target:
            from renderer.edge import rested

            files = (*files, rested.watched(answer.target)) if files else ()
        note(arguments, answer.text, files, answer.question, lambda: _answer(asked) == answer)


def _asked(arguments: Sequence[str]) -> Asked | None:
    """Read the command line; None where there is more to it than can be understood here."""
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    known = _VALUES.get(command)
    if known is None:
        return None
    values: dict[str, str] = {}
    places: list[str] = []
    flags: list[str] = []
    while rest:
        argument = rest.pop(0)
        name, is_joined, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        if name in known:
            if not is_joined:
                value = rest.pop(0) if rest else "-"
            if value.startswith("-"):
                return None
            values[known[name]] = value
        elif argument.startswith("-"):
            if argument not in _FLAGS[command]:
                return None
            flags.append(argument)
        else:
            places.append(argument)
    if len(places) > 1 or (command == "check" and len({*flags}) != len(_FLAGS[command])):
        return None
    return Asked(command=command, workspace=Path(*places), values=values, flags=frozenset(flags))


def _published(asked: Asked) -> Answer | None:
    """The answer of `krender publish`."""
    from renderer.edge.tip import asking, said_at_tip
    from renderer.publish.trailers import is_settled
    from renderer.view.unchanged import not_committed

    root = asked.workspace
    inputs, settings = _input(root, ())
    named = asked.values.get("repo", "")
    branch = asked.values.get("branch", settings.branch or _DEFAULT_BRANCH)
    if ":" in (named or settings.repo):
        return None  # an address, which is fetched first
    home = Path(named) if named else root / settings.repo
    if not home.exists():
        return None
    said = said_at_tip(home, branch, settings.path)
    if said is None or not is_settled(
        said.message, said.tree, version=__version__, inputs=inputs, path=settings.path
    ):
        return None
    text = not_committed(f"{branch}:{settings.path}" if settings.path else branch)
    return Answer(text=text, question=asking(home, branch))


def _written(asked: Asked) -> Answer | None:
    """The answer of `krender render`."""
    from renderer.edge.places import checked, in_worktree, without_detours
    from renderer.edge.rested import recall
    from renderer.view.unchanged import not_written

    root, stated = asked.workspace, asked.values.get("output")
    output = None if stated is None else Path(stated)
    outputs = () if output is None else (output,)
    inputs, settings = _input(root, outputs)
    target = output or in_worktree(root, directory=settings.directory, path=settings.path, repo=settings.repo)
    if target is None:
        return None
    target = without_detours(target)
    rested = recall(checked(target, [root]), version=__version__, inputs=inputs)
    if rested is None:
        return None
    return Answer(text=not_written(str(target), rested.total), outputs=outputs, target=target)


def _tracked(asked: Asked) -> str | None:
    """The answer of a run that looks only at what Git tracks."""
    from renderer.edge.answers import noted, question
    from renderer.edge.tracked import state

    root, stated = asked.workspace, asked.values.get("output")
    try:
        answer = noted(question(asked.command, root, None if stated is None else Path(stated)))
        if answer is None or answer.version != __version__:
            return None
        return answer.text if state(root, Path(answer.target)) == answer.state else None
    except (ToldError, OSError, ValueError):
        return None


def _input(root: Path, outputs: Sequence[Path]) -> tuple[str, Peeked]:
    """The digest of all input, and what the settings in it say of the result. Raises InputError."""
    from renderer.edge.files import read_workspace
    from renderer.load.digest import digest
    from renderer.load.peek import CONFIG_FILE, Peeked, peek

    files = read_workspace(root, outputs=outputs)
    config = next((file for file in files if file.path == CONFIG_FILE), None)
    return digest(files), peek(config.data) if config else Peeked()
