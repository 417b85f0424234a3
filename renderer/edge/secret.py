"""Tokens from a file that may be replaced at any time, or from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from renderer.edge.errors import OutsideError, telling


class SecretFile:
    """The tokens in a file, read again when it has changed; none while it cannot be read."""

    def __init__(self, path: Path, parse: Callable[[str], Sequence[bytes]]) -> None:
        """Read it once. Raises OutsideError where there is nothing good in it."""
        self._path = path
        self._parse = parse
        self._signature = self._sign()
        with telling(f"read the tokens in {path}"):
            self._tokens = self._read()

    def tokens(self) -> Sequence[bytes]:
        """What is in it now."""
        try:
            signature = self._sign()
            if signature != self._signature:
                self._tokens = ()
                self._tokens = self._read()
                self._signature = signature
        except (OSError, OutsideError):
            self._tokens, self._signature = (), None
        return self._tokens

    def _sign(self) -> tuple[int, ...] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def _read(self) -> Sequence[bytes]:
        return parsed(self._path.read_bytes().decode("utf-8", "replace"), f"in {self._path}", self._parse)


def variable(name: str, parse: Callable[[str], Sequence[bytes]]) -> Sequence[bytes] | None:
    """The tokens in an environment variable, which children do not inherit; None where it is not set.

    Raises OutsideError where there is nothing good in it.
    """
    text = os.environ.pop(name, None)
    return None if text is None else parsed(text, f"in the variable {name}", parse)


def parsed(text: str, where: str, parse: Callable[[str], Sequence[bytes]]) -> Sequence[bytes]:
    """The tokens in a text. Raises OutsideError."""
    try:
        return parse(text)
    except ValueError as error:
        raise OutsideError(
            f"the tokens {where} cannot be used: {error}",
            "nobody could be let in",
            "write one token a line, for example from `openssl rand -hex 32`",
        ) from error
