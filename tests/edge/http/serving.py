"""A server in a thread of the test, and a client that sends what it likes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from renderer.edge.http.server import Exchange, Limits, Server, listening
from renderer.model.exchange import Head, Response, said


class Echo:
    """Answers with what it was sent; `/large` is large, and `/forbidden` nobody may see."""

    large = b"x" * 3_000_000

    def admit(self, head: Head) -> Response | None:
        """Refuse one path."""
        return said(403, "no") if head.path == "/forbidden" else None

    def answer(self, head: Head, body: bytes) -> Response:
        """Send it back."""
        if head.path == "/bug":
            raise ZeroDivisionError
        return Response(status=200, body=self.large if head.path == "/large" else body or b"ok")


@dataclass(slots=True)
class Served:
    """Where a server listens, and what it has logged."""

    address: tuple[str, int]
    log: list[Exchange] = field(default_factory=list)

    def ask(self, data: bytes, *, timeout: float = 5) -> bytes:
        """Send bytes and read until the server closes."""
        with socket.create_connection(self.address, timeout=timeout) as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(data)
            return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    """Everything that comes until the end."""
    parts: list[bytes] = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def status_of(answer: bytes) -> int:
    """The status of a response; 0 for none."""
    return int(answer.split(b" ", 2)[1]) if answer else 0


def certified(folder: Path) -> Path:
    """Make `tls.crt` and `tls.key` for this machine in a folder."""
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
        "-keyout tls.key -out tls.crt -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return folder


@contextlib.contextmanager
def running(limits: Limits | None = None, tls: ssl.SSLContext | None = None) -> Iterator[Served]:
    """Serve `Echo` in a thread."""
    listener = listening("127.0.0.1", 0)
    served = Served(listener.getsockname())
    started = threading.Event()
    stop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        event = asyncio.Event()
        stop.append((asyncio.get_running_loop(), event))
        started.set()
        await Server(Echo(), served.log.append, limits, tls).run(listener, event)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    started.wait()
    try:
        yield served
    finally:
        loop, event = stop[0]
        loop.call_soon_threadsafe(event.set)
        thread.join(timeout=20)
        assert not thread.is_alive()
