"""What GitHub Actions tells a job, and where the job answers: outputs, summary, annotations.

The job's environment is the only interface: nothing of an event is ever part of a command line.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from renderer.document.values import Object, Value, dig, mapping, text
from renderer.edge.errors import OutsideError, telling

_BRANCH = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job: the event that started it, where it runs, and the files it may answer in."""

    event: str
    payload: Object
    repository: str
    ref: str
    api: str
    server: str
    run: str  # the address of its log
    scratch: Path
    outputs: Path | None
    summary: Path | None
    token: str = field(repr=False)

    @property
    def pull(self) -> int:
        """The number of the pull request; 0 where there is none."""
        number = dig(self.payload, "pull_request", "number")
        return number if isinstance(number, int) else 0

    @property
    def is_fork(self) -> bool:
        """Whether the pull request comes from another repository, whose runs may write nothing here."""
        return text(dig(self.payload, "pull_request", "head", "repo", "full_name")) != self.repository

    @property
    def head(self) -> str:
        """The commit that is looked at, as people know it: a pull request's own, not the merge of it."""
        return text(dig(self.payload, "pull_request", "head", "sha"))

    @property
    def branch(self) -> str:
        """The branch it runs on; empty for tags and pull requests."""
        return self.ref.removeprefix(_BRANCH) if self.ref.startswith(_BRANCH) else ""

    @property
    def default_branch(self) -> str:
        """The repository's default branch."""
        return text(dig(self.payload, "repository", "default_branch"))

    def answer(self, values: Mapping[str, str]) -> None:
        """Set outputs of the step."""
        if self.outputs is not None:
            with telling(f"write {self.outputs}"), self.outputs.open("a", encoding="utf-8") as file:
                for name, value in values.items():
                    end = _apart_from(value)
                    file.write(f"{name}<<{end}\n{value}\n{end}\n")

    def summarize(self, markdown: str) -> None:
        """Add to what the run's page shows."""
        if self.summary is not None:
            with telling(f"write {self.summary}"), self.summary.open("a", encoding="utf-8") as file:
                file.write(f"{markdown}\n")

    def variables(self) -> Mapping[str, str]:
        """What lets git reach the repository with the job's token, whatever the checkout has left behind."""
        if not self.token:
            return {}
        import base64

        secret = base64.b64encode(f"x-access-token:{self.token}".encode()).decode()
        print(f"::add-mask::{secret}")
        key = f"http.{self.server}/.extraheader"
        settings = ("", f"AUTHORIZATION: basic {secret}")  # the empty one takes back those before it
        count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
        variables = {"GIT_CONFIG_COUNT": str(count + len(settings))}
        for number, value in enumerate(settings, count):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return variables


def job() -> Job:
    """The job this process is part of. Raises OutsideError where it is none."""
    event = os.environ.get("GITHUB_EVENT_PATH", "")
    if not event:
        raise OutsideError(
            "this is no job of GitHub Actions: GITHUB_EVENT_PATH is not set",
            "`krender ci` answers to the event that started a job",
            "use `krender check`, `krender diff` and `krender publish` elsewhere",
        )
    with telling(f"read {event}"):
        data = Path(event).read_bytes()
    server, repository = _told("GITHUB_SERVER_URL", "https://github.com"), _told("GITHUB_REPOSITORY")
    return Job(
        event=_told("GITHUB_EVENT_NAME"),
        payload=_payload(data),
        repository=repository,
        ref=_told("GITHUB_REF"),
        api=_told("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
        server=server.rstrip("/"),
        run=f"{server}/{repository}/actions/runs/{_told('GITHUB_RUN_ID')}",
        scratch=Path(_told("RUNNER_TEMP", "/tmp")),  # noqa: S108 - where a runner names none
        outputs=_path("GITHUB_OUTPUT"),
        summary=_path("GITHUB_STEP_SUMMARY"),
        token=_told("KRENDER_TOKEN"),
    )


def guarded(lines: Sequence[str]) -> str:
    """Text for the log, in which the runner reads no commands, whoever wrote it."""
    body = "\n".join(lines)
    stop = _apart_from(body)
    return f"::stop-commands::{stop}\n{body}\n::{stop}::"


def _apart_from(body: str) -> str:
    """A word that nobody can have foreseen, and that does not occur in a text."""
    word = f"krender-{secrets.token_hex(16)}"
    return _apart_from(body) if word in body else word


def _payload(data: bytes) -> Object:
    try:
        payload: Value = json.loads(data)
    except ValueError as error:
        raise OutsideError(f"the event of this job is no JSON: {error}") from error
    return mapping(payload)


def _told(name: str, default: str = "") -> str:
    return os.environ.get(name) or default


def _path(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None
