"""Serving a handler: connections, time, memory and the end are limited here.

One thread waits for all connections, so a slow client costs a few kilobytes and no thread. Every connection
carries one request and is closed, which leaves nothing that could be taken for a second one.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import formatdate
from typing import Final, cast

from renderer.edge.http.head import BadRequestError, Read, read_head
from renderer.model.exchange import Handler, Head, Response, said

_CHUNK: Final = 1 << 16
_END: Final = b"\r\n\r\n"
_PHRASES: Final = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    411: "Length Required",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one client may take. Times are in seconds, sizes in bytes."""

    connections: int = 128  # at once; more wait in the kernel
    head: int = 16 << 10
    body: int = 64 << 10
    receive: float = 10  # for all of a request, TLS included
    send: float = 30  # for all of a response
    stop: float = 3  # for what has begun when the server is told to end
    linger: float = 1  # for what a client still sends while it is told that it is not wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request that was answered, for the log. Without what it said of itself in fields or in a query."""

    peer: str
    method: str
    path: str
    status: int
    size: int
    seconds: float
    note: str


class Server:
    """Serves a handler until it is stopped."""

    def __init__(
        self,
        handler: Handler,
        log: Callable[[Exchange], None],
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Serve nothing yet."""
        self._handler = handler
        self._log = log
        self._limits = limits or Limits()
        self._tls = tls

    async def run(self, listener: socket.socket, stop: asyncio.Event) -> None:
        """Answer what comes in at a listening socket; then let what has begun come to its end."""
        listener.setblocking(False)
        running: set[asyncio.Task[None]] = set()
        accepting = asyncio.create_task(self._accept(listener, running))
        await stop.wait()
        accepting.cancel()
        listener.close()
        if running:
            await asyncio.wait(running, timeout=self._limits.stop)
        for connection in running:
            connection.cancel()

    async def _accept(self, listener: socket.socket, running: set[asyncio.Task[None]]) -> None:
        loop = asyncio.get_running_loop()
        slots = asyncio.Semaphore(self._limits.connections)

        def ended(task: asyncio.Task[None]) -> None:
            running.discard(task)
            slots.release()

        while True:
            await slots.acquire()
            try:
                connection, address = await loop.sock_accept(listener)
            except OSError:  # the client has left, or the process has no more files: others will leave
                slots.release()
                await asyncio.sleep(0.05)
                continue
            peer = str(address[0]) if isinstance(address, tuple) else "-"
            task = asyncio.create_task(self._connected(connection, peer))
            running.add(task)
            task.add_done_callback(ended)

    async def _connected(self, connection: socket.socket, peer: str) -> None:
        began = time.monotonic()
        connection.setblocking(False)
        with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
            async with _Opened(connection, self._tls, self._limits) as (reader, writer):
                received = await self._receive(reader, writer)
                if received is None:
                    return  # it said nothing
                head, response = received
                try:
                    await self._send(writer, head, response)
                finally:
                    self._log(_exchange(peer, head, response, time.monotonic() - began))
                await self._linger(reader, writer)

    async def _receive(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[Head | None, Response] | None:
        """The request and the response to it; None where the client left without a word."""
        head: Head | None = None
        try:
            async with asyncio.timeout(self._limits.receive):
                data = await reader.readuntil(_END)
                read = read_head(data.removesuffix(_END))
                head = read.head
                refusal = self._handler.admit(head) or self._measure(read)
                if refusal is not None:
                    return head, refusal
                if read.expects_word and read.length:
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                body = await reader.readexactly(read.length or 0) if head.method == "POST" else b""
            return head, self._handler.answer(head, body)
        except BadRequestError as error:
            return head, error.response
        except asyncio.LimitOverrunError:
            return head, said(431, f"the head is larger than {self._limits.head} bytes")
        except TimeoutError:
            return head, said(408, f"the request did not come within {self._limits.receive:g} seconds")
        except asyncio.IncompleteReadError as error:
            return (head, said(400, "the request ends too early")) if error.partial or head else None

    def _measure(self, read: Read) -> Response | None:
        """Refuse a body that is of no length, or too long."""
        if read.head.method == "POST" and read.length is None:
            return said(411, "the length of the body must be said: send Content-Length")
        if (read.length or 0) > self._limits.body:
            return said(413, f"the body is larger than {self._limits.body} bytes")
        return None

    async def _send(self, writer: asyncio.StreamWriter, head: Head | None, response: Response) -> None:
        async with asyncio.timeout(self._limits.send):
            if writer.can_write_eof():
                writer.transport.set_write_buffer_limits(high=0)  # so that `drain` waits until all has left
            writer.write(_header(response))
            if head is None or head.method != "HEAD":
                for start in range(0, len(response.body), _CHUNK):
                    writer.write(response.body[start : start + _CHUNK])
                    await writer.drain()
            await writer.drain()

    async def _linger(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take what still comes for a moment: to close at once would take the response from the client."""
        if not writer.can_write_eof():  # TLS ends by a word from both sides, after all that was sent
            writer.close()
            async with asyncio.timeout(self._limits.send):
                await writer.wait_closed()
            return
        async with asyncio.timeout(self._limits.linger):
            writer.write_eof()
            while await reader.read(_CHUNK):
                pass


class _Opened:
    """A connection as a pair of streams, TLS and all, that is closed whatever happens."""

    def __init__(self, connection: socket.socket, tls: ssl.SSLContext | None, limits: Limits) -> None:
        self._connection = connection
        self._tls = tls
        self._limits = limits
        self._transport: asyncio.WriteTransport

    async def __aenter__(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=self._limits.head)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            handshake = {"ssl_handshake_timeout": self._limits.receive} if self._tls else {}
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, self._connection, ssl=self._tls, **handshake
            )
        except BaseException:
            self._connection.close()
            raise
        self._transport = cast("asyncio.WriteTransport", transport)  # of a socket, which can be written
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def __aexit__(self, *failure: object) -> None:
        self._transport.abort()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; `::` takes both versions of IP. Raises OSError."""
    is_six = ":" in host
    both = host == "::" and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if is_six else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=256, dualstack_ipv6=both)


def _exchange(peer: str, head: Head | None, response: Response, seconds: float) -> Exchange:
    return Exchange(
        peer=peer,
        method=head.method if head else "-",
        path=head.path if head else "-",
        status=response.status,
        size=len(response.body),
        seconds=seconds,
        note=response.note,
    )


def _header(response: Response) -> bytes:
    return "".join(f"{line}\r\n" for line in (*_lines(response), "")).encode("latin-1")


def _lines(response: Response) -> Iterator[str]:
    yield f"HTTP/1.1 {response.status} {_PHRASES[response.status]}"
    yield f"Date: {formatdate(usegmt=True)}"
    yield f"Content-Type: {response.content_type}"
    yield f"Content-Length: {len(response.body)}"
    yield "Cache-Control: no-store"
    yield "X-Content-Type-Options: nosniff"
    yield "Connection: close"
    yield from (f"{name}: {value}" for name, value in response.headers)
