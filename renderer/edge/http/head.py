"""Reading the head of a request strictly: what could be understood in two ways is refused.

Source: RFC 9110 and 9112.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from renderer.model.exchange import Head, Response, said

MOST_FIELDS: Final = 64
LONGEST_TARGET: Final = 4096
# How a request may say that it has a body.
_BODY_FIELDS: Final = ("content-length", "transfer-encoding")
# Fields that a request must not have twice: what follows from them would be anybody's guess.
_ONCE: Final = (*_BODY_FIELDS, "host", "authorization", "content-type", "expect")

_REQUEST: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e]+) HTTP/(\d)\.(\d)")
_NAME: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE: Final = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
_ABSOLUTE: Final = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_LENGTH: Final = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A head that could be read. `length` is that of the body, None where none is said to follow."""

    head: Head
    length: int | None
    expects_word: bool  # whether the client waits to be told to send the body


class BadRequestError(Exception):
    """The head is not one that can be answered; the connection ends with this response."""

    def __init__(self, status: int, message: str) -> None:
        """Keep the response."""
        self.response: Response = said(status, message)
        super().__init__(status, message)


def read_head(data: bytes) -> Read:
    """Read a head, without the empty line that ends it. Raises BadRequestError."""
    first, *rest = data.split(b"\r\n")
    head, version = _request(first)
    fields = _fields(rest)
    if version >= (1, 1) and "host" not in fields:
        raise BadRequestError(400, "there is no Host field")
    length = _length(fields)
    expected = fields.get("expect", "").lower()
    if expected not in ("", "100-continue"):
        raise BadRequestError(417, "what is expected cannot be done")
    path, _, query = head.partition("?")
    method = first.partition(b" ")[0].decode("ascii")
    read = Head(method=method, path=path, query=query, headers=fields)
    return Read(head=read, length=length, expects_word=bool(expected) and version >= (1, 1))


def _request(line: bytes) -> tuple[str, tuple[int, int]]:
    """The target, as a path with its query, and the version."""
    found = _REQUEST.fullmatch(line)
    if found is None:
        raise BadRequestError(400, "the request line cannot be read")
    version = int(found[3]), int(found[4])
    if version[0] != 1:
        raise BadRequestError(505, "only HTTP/1.0 and HTTP/1.1 are spoken here")
    target = found[2].decode("ascii")
    if len(target) > LONGEST_TARGET:
        raise BadRequestError(414, f"the target is longer than {LONGEST_TARGET} characters")
    absolute = _ABSOLUTE.match(target)
    if absolute:
        target = target[absolute.end() :] or "/"
    if not target.startswith("/") or "#" in target:
        raise BadRequestError(400, "the target is no path")
    return target, version


def _fields(lines: list[bytes]) -> dict[str, str]:
    if len(lines) > MOST_FIELDS:
        raise BadRequestError(431, f"there are more than {MOST_FIELDS} header fields")
    fields: dict[str, str] = {}
    for line in lines:
        label, colon, content = line.partition(b":")
        # Neither a folded line nor one with a space before the colon is a field.
        if not (colon and _NAME.fullmatch(label) and _VALUE.fullmatch(content)):
            raise BadRequestError(400, "a header field cannot be read")
        name, value = label.decode("ascii").lower(), content.strip(b" \t").decode("latin-1")
        if name in fields and name in _ONCE:
            raise BadRequestError(400, f"the header field {name} is there twice")
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    return fields


def _length(fields: dict[str, str]) -> int | None:
    """The length of the body."""
    length = fields.get("content-length")
    if "transfer-encoding" in fields:
        if length is not None:
            raise BadRequestError(400, "there are both Content-Length and Transfer-Encoding")
        raise BadRequestError(411, "the length of the body must be said: send Content-Length")
    if length is None:
        return None
    if not _LENGTH.fullmatch(length):
        raise BadRequestError(400, "Content-Length is no number")
    return int(length)
