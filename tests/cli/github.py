"""A runner and an API of GitHub, as far as a job can see of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import git

BOT: Final = "github-actions[bot]"
REPOSITORY: Final = "fleet/shop"


@dataclass(slots=True)
class GitHub:
    """What was asked of it, and the comments of pull request 7; `refuses` are answers to come first."""

    address: str
    comments: list[dict[str, object]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    refuses: list[int] = field(default_factory=list)

    def has(self, body: str, author: str = BOT) -> None:
        """A comment that is there already."""
        self.comments.append({"id": 100 + len(self.comments), "body": body, "user": {"login": author}})

    @property
    def bodies(self) -> list[str]:
        """What the comments say."""
        return [str(item["body"]) for item in self.comments]

    def answer(self, method: str, path: str, body: dict[str, object]) -> tuple[int, object]:
        """What the API says."""
        self.asked.append((method, path))
        if self.refuses:
            return self.refuses.pop(0), {"message": "no"}
        start, _, query = path.partition("?")
        if method == "GET" and start == f"/repos/{REPOSITORY}/issues/7/comments":
            page = int(query.rpartition("page=")[2]) - 1
            return 200, self.comments[100 * page : 100 * page + 100]
        if method == "POST" and start == f"/repos/{REPOSITORY}/issues/7/comments":
            if len(str(body["body"])) > 65_536:
                return 422, {"message": "body is too long"}
            self.has(str(body["body"]))
            return 201, self.comments[-1]
        for item in self.comments:
            if method == "PATCH" and start == f"/repos/{REPOSITORY}/issues/comments/{item['id']}":
                item["body"] = body["body"]
                return 200, item
        return 404, {"message": "Not Found"}


@contextmanager
def serving() -> Iterator[GitHub]:
    """GitHub, on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._do("GET")

        def do_POST(self) -> None:
            self._do("POST")

        def do_PATCH(self) -> None:
            self._do("PATCH")

        def _do(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            hub.tokens.update(self.headers.get_all("Authorization") or [])
            code, value = hub.answer(method, self.path, json.loads(body) if body else {})
            data = json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the library
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub = GitHub(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Runner:
    """A machine that has checked out the repository and runs one step of a job."""

    directory: Path
    patch: pytest.MonkeyPatch
    hub: GitHub

    def event(
        self, name: str, ref: str = "refs/heads/main", *, fork: bool = False, token: str = "t0"
    ) -> None:
        """Start a job for an event; pull requests have number 7."""
        payload: dict[str, object] = {"repository": {"default_branch": "main", "full_name": REPOSITORY}}
        if name.startswith("pull_request"):
            source = "stranger/shop" if fork else REPOSITORY
            head = {"sha": git(self.directory, "rev-parse", "HEAD"), "repo": {"full_name": source}}
            payload["pull_request"] = {"number": 7, "head": head}
            ref = "refs/pull/7/merge"
        scratch = self.directory.parent / "scratch"
        scratch.mkdir(exist_ok=True)
        for file in ("output", "summary"):
            (scratch / file).write_text("")
        (scratch / "event.json").write_text(json.dumps(payload))
        variables = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(scratch / "event.json"),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_REF": ref,
            "GITHUB_API_URL": self.hub.address,
            "GITHUB_SERVER_URL": self.hub.address,
            "GITHUB_RUN_ID": "42",
            "GITHUB_OUTPUT": str(scratch / "output"),
            "GITHUB_STEP_SUMMARY": str(scratch / "summary"),
            "RUNNER_TEMP": str(scratch),
            "KRENDER_TOKEN": token,
        }
        for key, value in variables.items():
            self.patch.setenv(key, value)
        self.patch.chdir(self.directory)

    def outputs(self) -> dict[str, str]:
        """What the step has set, as the runner reads it."""
        lines = (self.directory.parent / "scratch" / "output").read_text(encoding="utf-8").split("\n")
        found: dict[str, str] = {}
        while lines and lines[0]:
            name, _, end = lines.pop(0).partition("<<")
            value: list[str] = []
            while lines[0] != end:
                value.append(lines.pop(0))
            lines.pop(0)
            found[name] = "\n".join(value)
        return found

    def summary(self) -> str:
        """What the run's page shows."""
        return (self.directory.parent / "scratch" / "summary").read_text(encoding="utf-8")


def commands(log: str) -> Sequence[str]:
    """The lines of a log that a runner takes for commands."""
    found: list[str] = []
    stopped = ""
    for line in log.splitlines():
        if stopped:
            stopped = "" if line == f"::{stopped}::" else stopped
        elif line.startswith("::stop-commands::"):
            stopped = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            found.append(line)
    return found
