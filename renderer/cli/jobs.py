"""The steps of a job: krender's own commands, and the files that they leave for the next step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from renderer.document.problem import Problem
from renderer.document.values import Object, Value, mapping, sequence
from renderer.edge.actions import Job, guarded
from renderer.edge.command import Git
from renderer.edge.errors import OutsideError
from renderer.edge.files import peeked
from renderer.edge.own_runs import Ran, run_krender
from renderer.model.owned import OWNED_PATH
from renderer.view.problems import problem_of

_ERROR_CODES = (0, 1)
_DEFAULT_BRANCH = "rendered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the workflow says about a job."""

    workspace: Path
    branch: str | None = None
    allow: tuple[str, ...] = ()
    strict: bool = False
    comment: bool = True
    sarif: bool = False
    name: str = "fleet"
    author: str = ""


class Steps:
    """What a job can do, one step at a time; each tells in the log what it runs."""

    def __init__(self, here: Job, asked: Asked) -> None:
        """Know the job; nothing is run yet."""
        self.job = here
        self.asked = asked
        self.git = Git(asked.workspace if asked.workspace.is_dir() else Path(), here.variables())
        settings = peeked(asked.workspace.resolve()) if asked.workspace.is_dir() else None
        self.branch = asked.branch or (settings.branch if settings else "") or _DEFAULT_BRANCH
        self._is_elsewhere = bool(settings and settings.repo)
        self.folder = here.scratch / "krender" / asked.name
        self.folder.mkdir(parents=True, exist_ok=True)

    def fetch(self) -> None:
        """Have what is published in this repository. Raises OutsideError where the remote does not answer."""
        if self._is_elsewhere or not self._has_remote():
            return
        ref = f"refs/heads/{self.branch}"
        line = ("fetch", "--quiet", "--no-tags", *self._depth(), "origin", f"+{ref}:{ref}")
        code, _, said = self.git.attempt(*line)
        if code and "couldn't find remote ref" not in said:
            raise OutsideError(f"cannot fetch the branch {self.branch}", f"git said: {said}")

    def catch_up(self) -> None:
        """Have the newest commit of the branch that started the job: its own may be an old one by now."""
        branch = self.job.branch
        if not branch or not self._has_remote():
            return
        code, _, said = self.git.attempt(
            "fetch", "--quiet", "--no-tags", *self._depth(), "origin", f"refs/heads/{branch}"
        )
        if code:
            raise OutsideError(f"cannot fetch the branch {branch}", f"git said: {said}")
        newest = self.git.ask("rev-parse", "FETCH_HEAD")
        if newest != self.head():
            click.echo(f"{branch} is at {newest[:12]} by now, which is rendered")
            self.git.ask("checkout", "--quiet", "--detach", newest)

    @property
    def is_result(self) -> bool:
        """Whether what is checked out is what krender publishes, and no workspace."""
        return (self.asked.workspace / OWNED_PATH).is_file()

    def head(self) -> str:
        """The commit that is looked at."""
        return self.git.attempt("rev-parse", "--verify", "--quiet", "HEAD")[1]

    def published(self) -> str:
        """The commit that the branch is at here, once it was fetched or published to."""
        ref = f"refs/heads/{self.branch}"
        return "" if self._is_elsewhere else self.git.attempt("rev-parse", "--verify", "--quiet", ref)[1]

    def problems(self) -> tuple[Sequence[Problem], int]:
        """What `krender check` tells, and its exit code."""
        strict = ("--strict",) if self.asked.strict else ()
        ran = self._run("check", str(self.asked.workspace), *strict, "--format", "json")
        found = [problem_of(mapping(item)) for item in sequence(self._read(ran))]
        return found, ran.code

    def scanned(self) -> Path:
        """The problems as a file for code scanning."""
        place = self.folder / "krender.sarif"
        ran = self._run("check", str(self.asked.workspace), "--format", "sarif")
        if ran.code not in _ERROR_CODES:
            raise OutsideError("`krender check` failed", ran.said.strip())
        place.write_text(ran.printed, encoding="utf-8")
        return place

    def planned(self) -> tuple[Object, Ran, Path]:
        """What a publish would do: the facts, how that ended, and the plan file."""
        place = self.folder / "krender.plan"
        line = ("plan", str(self.asked.workspace), "-o", str(place), *self._target(), *self._allowed())
        ran = self._run(*line, "--format", "json")
        return (mapping(self._read(ran)) if not ran.code else {}), ran, place

    def compared(self) -> Object:
        """What would change, and why."""
        line = ("diff", str(self.asked.workspace), *self._target(), "--format", "json")
        return mapping(self._read(self._run(*line)))

    def committed(self) -> tuple[Object, Ran]:
        """Publish: the facts of the commit, or of what a guard stopped, and how that ended."""
        push = ("--push",) if self._has_remote() and not self._is_elsewhere else ()
        line = ("publish", str(self.asked.workspace), *self._target(), *push, *self._allowed())
        ran = self._run(*line, "--format", "json")
        return (mapping(self._read(ran)) if ran.code in (0, 4) and ran.printed else {}), ran

    def _run(self, *line: str) -> Ran:
        click.echo(f"krender {' '.join(line)}")
        ran = run_krender(*line, extra=self.git.variables)
        if ran.said.strip():
            click.echo(guarded(ran.said.strip().split("\n")))
        return ran

    def _read(self, ran: Ran) -> Value:
        """The JSON that a command printed. Raises OutsideError where it failed instead."""
        try:
            value: Value = json.loads(ran.printed)
        except ValueError:
            raise OutsideError("krender failed", ran.said.strip() or "it said nothing") from None
        return value

    def _target(self) -> tuple[str, ...]:
        return ("--branch", self.branch)  # named, so that no directory of krender.yaml is meant

    def _allowed(self) -> tuple[str, ...]:
        return tuple(part for guard in self.asked.allow for part in ("--allow", guard))

    def _has_remote(self) -> bool:
        return not self.git.attempt("remote", "get-url", "origin")[0]

    def _depth(self) -> tuple[str, ...]:
        shallow = self.git.attempt("rev-parse", "--is-shallow-repository")[1] == "true"
        return ("--depth=1",) if shallow else ()
