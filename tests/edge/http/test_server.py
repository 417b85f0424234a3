"""Limits hold whatever a client does."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from renderer.edge.http.server import Limits, listening
from tests.edge.http.serving import Echo, Served, certified, read_all, running, status_of

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
SHORT = Limits(connections=4, receive=0.5, send=2, linger=0.2)


@pytest.fixture
def served() -> Iterator[Served]:
    with running(SHORT) as found:
        yield found


def post(body: bytes, *fields: bytes) -> bytes:
    lines = [b"POST / HTTP/1.1", b"Host: a", *fields]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def test_an_answer_is_whole_and_the_connection_ends(served: Served) -> None:
    head, _, body = served.ask(post(b"hello", b"Content-Length: 5")).partition(b"\r\n\r\n")
    assert (head.split(b"\r\n")[0], body) == (b"HTTP/1.1 200 OK", b"hello")
    assert b"Connection: close" in head
    assert b"Content-Length: 5" in head


def test_a_large_answer_is_whole(served: Served) -> None:
    answer = served.ask(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    assert answer.partition(b"\r\n\r\n")[2] == Echo.large


def test_a_head_has_no_body(served: Served) -> None:
    answer = served.ask(b"HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (b"Content-Length: 3000000" in answer, answer[-4:]) == (True, b"\r\n\r\n")


def test_one_connection_is_one_request(served: Served) -> None:
    answer = served.ask(GET + GET)
    assert answer.count(b"HTTP/1.1") == 1
    smuggled = post(b"0\r\n\r\n" + GET, b"Content-Length: 5", b"Transfer-Encoding: chunked")
    assert served.ask(smuggled).count(b"HTTP/1.1") == 1


def test_who_waits_to_be_told_to_send_is_told(served: Served) -> None:
    with socket.create_connection(served.address, timeout=5) as connection:
        connection.sendall(post(b"", b"Content-Length: 5", b"Expect: 100-continue"))
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"hello")
        assert read_all(connection).endswith(b"hello")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        pytest.param(post(b"x" * 100), 411, id="a-body-of-no-length"),
        pytest.param(post(b"x" * 70_000, b"Content-Length: 70000"), 413, id="a-body-that-is-too-long"),
        pytest.param(post(b"x" * 900_000, b"Content-Length: 999999999999"), 413, id="one-that-never-ends"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"x" * 900_000, 431, id="a-head-that-is-too-large"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01" + b"\r\n\r\n", 400, id="another-protocol"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a", 408, id="a-head-that-does-not-end"),
        pytest.param(post(b"hell", b"Content-Length: 5"), 408, id="a-body-that-does-not-end"),
        pytest.param(
            post(b"", b"Content-Length: 5").replace(b"POST /", b"POST /forbidden"), 403, id="refused"
        ),
    ],
)
def test_what_is_not_a_request_is_answered_with_what_is_wrong(
    served: Served, data: bytes, status: int
) -> None:
    answer = served.ask(data)
    assert status_of(answer) == status
    assert b'{"message": ' in answer
    assert [exchange.status for exchange in served.log] == [status]


def test_a_client_that_leaves_early_is_no_request(served: Served) -> None:
    for data in (b"", b"GET / HT", post(b"h", b"Content-Length: 5")):
        with socket.create_connection(served.address, timeout=5) as connection:
            connection.sendall(data)
    assert status_of(served.ask(GET)) == 200


def test_a_slow_client_has_a_limit_for_the_whole_request(served: Served) -> None:
    began = time.monotonic()
    with socket.create_connection(served.address, timeout=5) as connection:
        for byte in b"GET / HTTP/1.1\r\nX: " + b"y" * 1000:
            connection.sendall(bytes([byte]))
            time.sleep(0.05)
            if time.monotonic() - began > 0.7:
                break
        assert status_of(read_all(connection)) == 408
    assert time.monotonic() - began < 3


def test_a_client_that_does_not_read_is_left(served: Served) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(served.address)
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(2.5)
        assert len(read_all(connection)) < len(Echo.large)
    assert status_of(served.ask(GET)) == 200


def test_slow_clients_hold_up_others_for_a_while_only(served: Served) -> None:
    slow = [socket.create_connection(served.address, timeout=5) for _ in range(3 * SHORT.connections)]
    began = time.monotonic()
    assert status_of(served.ask(GET, timeout=20)) == 200
    assert time.monotonic() - began < 10
    for connection in slow:
        connection.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted there")
def test_a_process_without_files_to_spare_serves_later(served: Served) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 8, limits[1]))
    spare: list[int] = []
    try:
        with contextlib.suppress(OSError):
            while True:
                spare.append(os.open(os.devnull, os.O_RDONLY))
        os.close(spare.pop())
        connection = socket.create_connection(served.address, timeout=10)
        connection.sendall(GET)
        time.sleep(0.3)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for descriptor in spare:
            os.close(descriptor)
    assert status_of(read_all(connection)) == 200
    connection.close()


def test_a_bug_ends_one_connection(served: Served) -> None:
    assert served.ask(b"GET /bug HTTP/1.1\r\nHost: a\r\n\r\n") == b"", (
        "nothing that could be taken for a list"
    )
    assert status_of(served.ask(GET)) == 200


def test_what_has_begun_comes_to_its_end() -> None:
    with running(Limits()) as served:
        connection = socket.create_connection(served.address, timeout=5)
        connection.sendall(post(b"he", b"Content-Length: 5"))
        time.sleep(0.2)
        threading.Timer(0.5, lambda: connection.sendall(b"llo")).start()
    assert read_all(connection).endswith(b"hello")
    connection.close()


def test_what_does_not_come_to_its_end_is_ended() -> None:
    with running(Limits(stop=0.2)) as served:
        idle = socket.create_connection(served.address, timeout=5)
        time.sleep(0.2)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    assert read_all(idle) == b""
    idle.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certified(tmp_path_factory.mktemp("tls"))


def test_tls(certificate: Path) -> None:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate / "tls.crt", certificate / "tls.key")
    client = ssl.create_default_context(cafile=str(certificate / "tls.crt"))
    with running(SHORT, server) as served:
        for path, body in ((b"/large", Echo.large), (b"/", b"ok")):
            with client.wrap_socket(
                socket.create_connection(served.address, timeout=10), server_hostname="127.0.0.1"
            ) as connection:
                connection.sendall(b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % path)
                assert read_all(connection).partition(b"\r\n\r\n")[2] == body
        assert served.ask(GET) == b"", "nothing is said in the clear"
        silent = socket.create_connection(served.address, timeout=10)
        assert read_all(silent) == b"", "a handshake has a limit, too"
        silent.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::", "0.0.0.0"])
def test_both_versions_of_ip_can_be_listened_at(host: str) -> None:
    try:
        found = listening(host, 0)
    except OSError:
        pytest.skip(f"{host} cannot be had here")
    with found:
        assert found.getsockname()[1] > 0
