"""`krender serve` in a process of its own, over a branch that tests write."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from renderer.edge.git import GitRepository
from tests.repositories import git
from tests.view.serve.fleets import published

TOKEN = "correct-horse-battery"
PARAMS = "/api/v1/getparams.execute"
INPUTS = "/api/v1/inputs"
QUESTION = b'{"applicationSetName": "fleet", "input": {"parameters": {}}}'
BEARER = {"Authorization": f"Bearer {TOKEN}"}
JSON = {**BEARER, "Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, with its headers by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        """The JSON object in it."""
        answer: dict[str, Any] = json.loads(self.body)
        return answer

    @property
    def names(self) -> list[str]:
        """The units in an answer to Argo CD."""
        return [unit["name"] for unit in self.told["output"]["parameters"]]


@dataclass(slots=True)
class Service:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    log: list[str] = field(default_factory=list)

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] = BEARER, sent: bytes | None = None
    ) -> Answer:
        """Send one request."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, body=sent, headers=dict(headers))
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, fields, response.read())

    def params(self, **parameters: object) -> Answer:
        """Ask as Argo CD does."""
        sent = {"applicationSetName": "fleet", "input": {"parameters": parameters}}
        return self.ask("POST", PARAMS, JSON, json.dumps(sent).encode())

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that a look at the branch brings."""
        deadline = time.monotonic() + 20
        while not holds():
            assert time.monotonic() < deadline, self.log
            time.sleep(0.05)

    def serves(self, commit: str) -> None:
        """Wait until a commit is served."""
        self.until(lambda: self.ask("GET", "/readyz").told.get("commit") == commit)

    def memory(self) -> int:
        """Resident kilobytes."""
        with Path(f"/proc/{self.process.pid}/status").open(encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def stop(self) -> int:
        """End it as Kubernetes does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)


@contextlib.contextmanager
def serving(repository: Path, *options: str, variables: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Serve the branch `rendered` of a repository, looking often."""
    line = [sys.executable, "-m", "renderer", "serve", "--repo", str(repository), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        [*line, "--interval", "0.1", *options],
        env={**os.environ, **({"KRENDER_TOKEN": TOKEN} if variables is None else variables)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    found = re.search(r"listening at http://127\.0\.0\.1:(\d+)", first)
    assert found, first + process.stderr.read()
    service = Service(process, int(found[1]), [first])
    reader = threading.Thread(target=lambda: service.log.extend(process.stderr or ()))
    reader.start()
    try:
        yield service
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stderr.close()


def publish(repository: Path, contents: Mapping[str, bytes]) -> str:
    """Commit parameter files to the branch, as krender would."""
    with GitRepository(repository) as opened:
        tip = opened.tip()
        made = opened.commit(tip, published(contents), "render\n", 1_700_000_000)
    assert made
    return made


def reset(repository: Path, commit: str) -> None:
    """Move the branch by force, as nobody should."""
    git(repository, "update-ref", "refs/heads/rendered", commit)
