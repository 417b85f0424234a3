"""Running a server in this process until it is told to end."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from renderer.edge.errors import OutsideError, telling
from renderer.edge.http.server import Exchange, Limits, Server, listening
from renderer.model.exchange import Handler


class Listening:
    """A socket that listens; use it in a with statement."""

    def __init__(self, host: str, port: int) -> None:
        """Take the address. Raises OutsideError where it cannot be had."""
        try:
            self.socket = listening(host, port)
        except OSError as error:
            raise OutsideError(
                f"cannot listen at {host} port {port}: {error.strerror or error}",
                "nothing is served",
                "name another address with --listen, or stop what uses it",
            ) from error
        bound, taken = self.socket.getsockname()[:2]
        self.shown = f"[{bound}]:{taken}" if ":" in bound else f"{bound}:{taken}"

    def __enter__(self) -> Listening:
        """Use it in a with statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the address back."""
        self.socket.close()


class Certificates:
    """A certificate and its key, taken anew when the files change: those who renew them restart nobody."""

    def __init__(self, chain: Path, key: Path) -> None:
        """Read them. Raises OutsideError where they cannot be used."""
        self._chain = chain
        self._key = key
        self._changed: tuple[int, int] | None = None
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        with telling(f"read the certificate {chain} and its key"):
            self._load()

    def renew(self) -> None:
        """Read them again if they have changed; what cannot be used yet is tried again later."""
        try:
            if self._changed != self._stamps():
                self._load()
        except (OSError, OutsideError):
            return

    def _load(self) -> None:
        stamps = self._stamps()
        try:
            self.context.load_cert_chain(self._chain, self._key)
        except ssl.SSLError as error:
            raise OutsideError(
                f"the certificate {self._chain} and the key {self._key} cannot be used: {error.reason}",
                "clients could not connect",
                "see that both are PEM files, without a password, and belong together",
            ) from error
        self._changed = stamps

    def _stamps(self) -> tuple[int, int]:
        return self._chain.stat().st_mtime_ns, self._key.stat().st_mtime_ns


def serve(
    handler: Handler,
    place: Listening,
    log: Callable[[Exchange], None],
    limits: Limits,
    tls: Certificates | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; then end what has begun."""
    gc.set_threshold(1_000, 10, 10)  # every connection leaves cycles behind, which a short run may leave be
    server = Server(handler, log, limits, tls.context if tls else None)
    asyncio.run(_until_told(server, place.socket))


async def _until_told(server: Server, place: socket.socket) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await server.run(place, stop)
