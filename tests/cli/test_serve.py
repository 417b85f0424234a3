"""`krender serve` as those who ask it see it, and those who should not be able to."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.conftest import Run, git
from tests.cli.serving import (
    BEARER,
    INPUTS,
    JSON,
    PARAMS,
    QUESTION,
    TOKEN,
    Service,
    publish,
    reset,
    serving,
)
from tests.edge.http.serving import certified
from tests.repositories import new_repository
from tests.view.serve.fleets import files

TEN = files("abcdefghij")
OPEN = ("--gone-percent", "100", "--gone-most", "1000000")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "fleet")


def test_what_was_published_is_served(run: Run, shop: Path) -> None:
    (shop / "krender.yaml").write_text(
        "apiVersion: krender.io/v1alpha1\nkind: Workspace\n"
        "spec: {delivery: {engine: argocd, repoURL: 'https://git.example/fleet.git'}}\n",
        encoding="utf-8",
    )
    assert run("publish", shop).code == 0
    commit = git(shop, "rev-parse", "rendered")
    with serving(shop) as service:
        service.serves(commit)
        answer = service.params()
        assert (answer.status, answer.headers["krender-commit"]) == (200, commit)
        assert answer.told["commit"] == commit
        names = answer.names
        for unit in answer.told["output"]["parameters"]:
            path = f"rendered:delivery/argocd/parameters/{unit['name']}/krender.app.json"
            assert json.loads(git(shop, "show", path)) == unit
        listed = git(shop, "ls-tree", "--name-only", "rendered:delivery/argocd/parameters").split()
        assert names == listed == sorted(names)


@pytest.mark.parametrize(
    ("method", "path", "headers", "sent", "status"),
    [
        pytest.param("POST", PARAMS, JSON, QUESTION, 200, id="argocd"),
        pytest.param("GET", f"{INPUTS}?engine=argocd&wave=0", BEARER, None, 200, id="flux"),
        pytest.param("HEAD", f"{INPUTS}?engine=argocd", BEARER, None, 200, id="a-head"),
        pytest.param("GET", "/healthz", {}, None, 200, id="health"),
        pytest.param("GET", "/readyz", {}, None, 200, id="readiness"),
        pytest.param("GET", "/metrics", {}, None, 200, id="metrics"),
        pytest.param("POST", PARAMS, JSON, b"{", 400, id="no-json"),
        pytest.param("GET", f"{INPUTS}?zone=a", BEARER, None, 400, id="an-unknown-parameter"),
        pytest.param("GET", INPUTS, {}, None, 401, id="no-token"),
        pytest.param("GET", INPUTS, {"Authorization": "Bearer wrong"}, None, 403, id="a-wrong-token"),
        pytest.param("GET", INPUTS, BEARER, None, 404, id="nothing-matches"),
        pytest.param("GET", "/api/v1/../../etc/passwd", BEARER, None, 404, id="another-path"),
        pytest.param("GET", PARAMS, BEARER, None, 405, id="another-method"),
        pytest.param(
            "POST", PARAMS, {**JSON, "Transfer-Encoding": "chunked"}, b"0\r\n\r\n", 411, id="no-length"
        ),
        pytest.param("POST", PARAMS, JSON, b" " * 70_000, 413, id="a-large-body"),
        pytest.param("GET", f"{INPUTS}?cluster={'a' * 5000}", BEARER, None, 414, id="a-long-target"),
        pytest.param("POST", PARAMS, BEARER, QUESTION, 415, id="another-type"),
        pytest.param("GET", INPUTS, {**BEARER, "X": "y" * 20_000}, None, 431, id="a-large-head"),
    ],
)
def test_the_contract(
    ten: Service, method: str, path: str, headers: dict[str, str], sent: bytes | None, status: int
) -> None:
    answer = ten.ask(method, path, headers, sent)
    assert answer.status == status
    assert answer.headers["connection"] == "close"
    if status >= 400:
        assert answer.told["message"]
    elif method == "HEAD":
        assert (int(answer.headers["content-length"]) > 1000, answer.body) == (True, b"")


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    repository = new_repository(tmp_path_factory.mktemp("ten") / "fleet")
    commit = publish(repository, TEN)
    with serving(repository) as service:
        service.serves(commit)
        yield service


def test_nothing_is_served_before_there_is_something(repository: Path) -> None:
    with serving(repository) as service:
        assert service.params().status == 503
        assert (service.ask("GET", "/readyz").status, service.ask("GET", "/healthz").status) == (503, 200)
        service.until(lambda: "there is no branch rendered" in service.params().told["message"])
        service.serves(publish(repository, TEN))
        assert len(service.params().names) == 10
    assert any("there is no branch rendered yet" in line for line in service.log)


def test_a_repository_may_come_later(tmp_path: Path) -> None:
    with serving(tmp_path / "later") as service:
        service.until(lambda: "does not exist" in service.params().told["message"])
        service.serves(publish(new_repository(tmp_path / "later"), TEN))


def test_a_corrupt_commit_is_never_served(repository: Path) -> None:
    good = publish(repository, TEN)
    with serving(repository, "--max-age", "2") as service:
        service.serves(good)
        bad = dict(TEN)
        bad["delivery/argocd/parameters/a/krender.app.json"] = b'{"name": "a"'
        publish(repository, bad)
        service.until(lambda: service.ask("GET", "/readyz").told["state"] == "degraded")
        answer = service.params()
        assert (answer.status, answer.headers["krender-commit"], len(answer.names)) == (200, good, 10)
        service.until(lambda: service.params().status == 503)
        assert "krender.app.json is no JSON" in service.params().told["message"]
        assert (service.ask("GET", "/readyz").status, service.ask("GET", "/healthz").status) == (503, 200)
        service.serves(publish(repository, files("abcdefghijk")))
        assert service.params().status == 200


def test_a_branch_that_was_reset_is_not_served_until_it_is_allowed(repository: Path, tmp_path: Path) -> None:
    few = publish(repository, files("ab"))
    all_of_them = publish(repository, TEN)
    state = str(tmp_path / "state")
    with serving(repository, "--state", state) as service:
        service.serves(all_of_them)
        assert service.params().status == 200
        assert service.params(cluster="a").status == 200
        reset(repository, few)
        service.serves(few)
        refused = service.params()
        assert (refused.status, "8 of 10 units" in refused.told["message"]) == (503, True)
        assert service.params(cluster="a").status == 200, "nothing of this list is gone"
        metrics = service.ask("GET", "/metrics").body.decode()
        assert 'krender_serve_refusals_total{reason="shrunk"} 1' in metrics
        assert service.stop() == 0
    with serving(repository, "--state", state) as service:
        service.serves(few)
        assert service.params().status == 503, "a new start does not forget"
    with serving(repository, "--state", state, "--allow", few[:12]) as service:
        service.serves(few)
        assert service.params().names == ["a", "b"]
        service.until(lambda: len(json.loads(Path(state).read_text())["served"][0]["names"]) == 2)
    with serving(repository, "--state", state) as service:
        service.serves(few)
        assert service.params().status == 200, "what was allowed is what is compared with"


def test_a_first_question_is_compared_with_the_commit_before(repository: Path) -> None:
    publish(repository, TEN)
    with serving(repository) as service:
        service.serves(publish(repository, files("abc")))
        assert service.params().status == 503
    publish(repository, files("abcd"))
    with serving(repository) as service:
        service.until(lambda: service.params().status == 200)


def test_every_answer_is_of_one_commit_while_the_branch_moves(repository: Path) -> None:
    made: dict[str, int] = {}
    stop = threading.Event()

    def move() -> None:
        for size in [40, 7, 60, 1, 25] * 100:
            if stop.is_set():
                return
            number = len(made)
            names = [f"{number}-{index}" for index in range(size)]
            made[publish(repository, files(names, mark=f"{number} of {size}"))] = number

    made[publish(repository, files(["0-0"], mark="0 of 1"))] = 0
    seen: set[str] = set()
    with serving(repository, *OPEN) as service, ThreadPoolExecutor(5) as pool:
        service.until(lambda: service.params().status == 200)
        moving = pool.submit(move)
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            for asked in [pool.submit(service.params) for _ in range(4)]:
                answer = asked.result()
                units = answer.told["output"]["parameters"]
                (mark,) = {unit["mark"] for unit in units}
                number, _, size = mark.split()
                assert (answer.status, len(units)) == (200, int(size))
                assert answer.told["commit"] == answer.headers["krender-commit"]
                seen.add(f"{answer.told['commit']} {number}")
        stop.set()
        moving.result()
    assert len(seen) > 2
    assert all(made[entry.split()[0]] == int(entry.split()[1]) for entry in seen)


def test_tokens_are_replaced_without_a_start(repository: Path, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    commit = publish(repository, TEN)
    with serving(repository, "--token-file", str(token), variables={}) as service:
        service.serves(commit)
        assert service.params().status == 200
        token.write_text("another-token-altogether\n")
        assert service.params().status == 403
        token.write_text(f"another-token-altogether\n{TOKEN}\n")
        assert service.params().status == 200
        token.unlink()
        assert service.params().status == 503
        service.stop()
    assert TOKEN not in "".join(service.log)


def test_the_log_tells_what_was_asked_and_no_secret(repository: Path) -> None:
    commit = publish(repository, TEN)
    with serving(repository) as service:
        service.serves(commit)
        service.params(wave="0")
        service.ask("GET", f"{INPUTS}?token={TOKEN}", {"Authorization": "Bearer a-wrong-token"})
        assert service.stop() == 0
    log = "".join(service.log)
    assert f'"POST {PARAMS}" 200' in log
    assert f"engine=argocd syncMode=Push wave=0 units=10 commit={commit[:12]} applicationset='fleet'" in log
    assert f'"GET {INPUTS}" 403' in log
    assert (TOKEN in log, "a-wrong-token" in log) == (False, False)


def test_it_ends_when_it_is_told(repository: Path) -> None:
    commit = publish(repository, TEN)
    with serving(repository) as service:
        service.serves(commit)
        idle = socket.create_connection(("127.0.0.1", service.port))
        began = time.monotonic()
        assert service.stop() == 0
        assert time.monotonic() - began < 10
        idle.close()


def test_certificates_are_renewed_without_a_start(run: Run, repository: Path, tmp_path: Path) -> None:
    """In this process, which is told to end by a thread."""
    publish(repository, TEN)
    certified(tmp_path)
    token = tmp_path / "token"
    token.write_text(TOKEN)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    seen: list[str] = []

    def look() -> None:
        try:
            for _ in range(2):
                deadline = time.monotonic() + 20
                while (shown := _certificate(port)) in ("", *seen) and time.monotonic() < deadline:
                    time.sleep(0.05)
                seen.append(shown)
                for name in ("tls.crt", "tls.key"):  # what does not fit yet is tried again
                    (tmp_path / name).write_text("no certificate")
                time.sleep(0.3)
                certified(tmp_path)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    watcher = threading.Thread(target=look)
    watcher.start()
    tls = ("--tls-cert", tmp_path / "tls.crt", "--tls-key", tmp_path / "tls.key")
    where = ("--repo", repository, "--listen", f"127.0.0.1:{port}", "--interval", "0.1")
    ran = run("serve", *where, "--token-file", token, "--state", tmp_path / "state", *tls)
    watcher.join()
    assert (ran.code, ran.out, f"listening at https://127.0.0.1:{port}" in ran.err) == (0, "", True)
    assert (len(set(seen)), "" in seen) == (2, False)


def _certificate(port: int) -> str:
    try:
        return ssl.get_server_certificate(("127.0.0.1", port), timeout=5)
    except OSError:
        return ""


def test_a_certificate_that_is_none_is_told(run: Run, tmp_path: Path) -> None:
    for name in ("c", "k", "token"):
        (tmp_path / name).write_text("nothing of that kind, but long")
    (tmp_path / "token").write_text(TOKEN)
    ran = run(
        "serve", "--token-file", tmp_path / "token", "--tls-cert", tmp_path / "c", "--tls-key", tmp_path / "k"
    )
    assert (ran.code, "cannot be used" in ran.err) == (3, True)


def test_an_address_that_is_taken_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRENDER_TOKEN", TOKEN)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run("serve", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    assert (ran.code, "in use" in ran.err) == (3, True)


@pytest.mark.parametrize(
    ("options", "variables", "code", "said"),
    [
        pytest.param([], {}, 2, "--token-file", id="no-token"),
        pytest.param([], {"KRENDER_TOKEN": "short"}, 3, "shorter than 16", id="a-short-token"),
        pytest.param(["--token-file", "nowhere"], {}, 3, "nowhere", id="a-file-that-is-not-there"),
        pytest.param(["--listen", "8080"], None, 2, "HOST:PORT", id="no-address"),
        pytest.param(["--listen", "203.0.113.1:1"], None, 3, "cannot listen", id="an-address-of-others"),
        pytest.param(["--interval", "60", "--max-age", "30"], None, 2, "--max-age", id="always-stale"),
        pytest.param(["--allow", "latest"], None, 2, "no commit id", id="no-commit"),
        pytest.param(["--tls-cert", "x"], None, 2, "--tls-key", id="half-of-tls"),
        pytest.param(["--tls-cert", "x", "--tls-key", "y"], None, 3, "certificate x", id="no-certificate"),
        pytest.param(
            ["--state", "/dev/null/x"], None, 3, "cannot write /dev/null/x", id="no-place-to-remember"
        ),
    ],
)
def test_what_cannot_be_served_is_told_at_once(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    variables: dict[str, str] | None,
    code: int,
    said: str,
) -> None:
    for name, value in ({"KRENDER_TOKEN": TOKEN} if variables is None else variables).items():
        monkeypatch.setenv(name, value)
    ran = run("serve", *options)
    assert (ran.code, ran.out, said in ran.err) == (code, "", True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_a_thousand_requests_of_the_hostile_get_nothing(repository: Path) -> None:
    """Wrong tokens, huge bodies and slow clients, many at once, beside one who may ask."""
    commit = publish(repository, files([f"cluster-{number:04}" for number in range(1000)]))
    with serving(repository, "--connections", "300") as service:
        service.serves(commit)
        for _ in range(20):
            assert service.params().status == 200
        slow = [_slow(service, number) for number in range(250)]
        sizes: list[int] = []
        for _ in range(4):
            with ThreadPoolExecutor(16) as pool:
                attacks = pool.map(lambda number: _attack(service, number), range(250))
                friendly = service.params()
            assert {status // 100 for status in attacks} == {4}
            assert (friendly.status, len(friendly.names)) == (200, 1000)
            sizes.append(service.memory())
        got = [_received(connection) for connection in slow]
        assert service.params().status == 200
    assert not any(b"HTTP/1.1 2" in answer or b"cluster-" in answer for answer in got)
    assert max(sizes) < 100_000, "kilobytes, of everything"
    assert sizes[3] - sizes[1] < 3_000, "it is no more after many requests than after some"


def _slow(service: Service, number: int) -> socket.socket:
    """A client that begins a request and never ends it."""
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=20)
    head = f"POST {PARAMS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
    body = "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"
    connection.sendall((head + (body if number % 2 else "")).encode())
    return connection


def _received(connection: socket.socket) -> bytes:
    with connection:
        connection.setblocking(False)
        try:
            return connection.recv(1 << 16)
        except BlockingIOError:
            return b""


def _attack(service: Service, number: int) -> int:
    """One request that must not be answered."""
    wrong = [
        "Bearer " + TOKEN[: number % len(TOKEN)],
        "Bearer " + TOKEN + "\t" + TOKEN,
        "Basic " + "A" * 4000,
        "Bearer " + "x" * 8000,
        "Negotiate " + TOKEN,
    ][number % 5]
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        lines = [f"POST {PARAMS} HTTP/1.1", "Host: a", "Content-Type: application/json"]
        if number % 3 == 0:  # the right token, and more than anybody has to say
            lines += [f"Authorization: Bearer {TOKEN}", f"Content-Length: {1 << 33}"]
        else:
            lines += [f"Authorization: {wrong}", f"Content-Length: {len(QUESTION)}"]
        try:
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            for _ in range(8 if number % 3 == 0 else 0):
                connection.sendall(b"x" * 100_000)
            if number % 3:
                connection.sendall(QUESTION)
        except ConnectionError:
            pass  # it has heard enough
        try:
            return int(connection.recv(100).split()[1])
        except ConnectionError:
            return 499
