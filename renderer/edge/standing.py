"""What a command line has to say, as long as nothing that it depends on is touched.

It is noted down in the user's cache by a run that has found out, in full, that there is nothing to do. The
next one looks only at whether the files are still those (see `stamps`) and, where a branch is concerned, at
what Git says of it. Whatever is not sure is left to a run that looks again.

A run that has nothing to do imports this, so it imports next to nothing.
"""

from __future__ import annotations

import os
import struct
import time
import zlib

from renderer import __version__
from renderer.edge.cache import cache_path
from renderer.edge.environment import command_line, variables
from renderer.edge.stamps import newest, stamps

TYPE_CHECKING = False  # to import typing would take longer than all else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Seconds for which a file counts as new: one more change might get the same time. Some systems count in twos.
MARGIN = 3.0
_FORMAT = "krender.io/standing/v1"
_MOST = 30  # notes that are kept
_ENOUGH = 1 << 20  # bytes of what git says


class Watched:
    """Files below a place as a user names it; what they depend on is that place and nothing above it."""

    __slots__ = ("names", "place", "root")

    def __init__(self, place: str, names: Sequence[str]) -> None:
        """Watch names below a place; the empty name is the place itself."""
        self.place = os.fsencode(place)
        self.root = os.path.realpath(self.place)
        self.names = [os.fsencode(name) or b"." for name in names]


def recall(arguments: Sequence[str]) -> str | None:
    """The answer to a command line, if it is sure that nothing has changed it; else None."""
    try:
        with open(_place(arguments), "rb") as file:
            key, answer, where, line, said, *watched = _unpacked(file.read())
        stands = iter(watched)
        if key != _key(arguments) or not all(map(_stands, stands, stands, stands, stands)):
            return None
        if where and _said(where, line.split(b"\0")) != said:
            return None
        return answer.decode()
    except (OSError, ValueError, struct.error):
        return None


def note(
    arguments: Sequence[str],
    answer: str,
    watched: Sequence[Watched],
    asked: Sequence[str],
    holds: Callable[[], bool],
) -> None:
    """Note down an answer that depends on files and, if git is `asked` something, on what it says.

    `asked` is a directory and the arguments of a git command in it. `holds` looks whether the answer is right
    after it was noted what the files are like, so that no change in between is missed. Where nothing can be
    noted, nothing is lost.
    """
    try:
        began = time.time()
        noted = [stamps(each.root, each.names) for each in watched]
        where, *line = map(os.fsencode, asked or [""])
        said = _said(where, line) if where else b""
        if max(map(newest, noted)) > began - MARGIN or not holds():
            return
        parts = [_key(arguments), answer.encode(), where, b"\0".join(line), said]
        for each, stamp in zip(watched, noted, strict=True):
            parts += [each.place, each.root, b"\0".join(each.names), stamp]
        _write(_place(arguments), _packed(parts))
    except (OSError, ValueError, struct.error):
        return


def _stands(place: bytes, root: bytes, names: bytes, noted: bytes) -> bool:
    """Whether a place leads where it led, and the files there are as noted."""
    return os.path.realpath(place) == root and stamps(root, names.split(b"\0")) == noted


def _said(where: bytes, arguments: Sequence[bytes]) -> bytes:
    """What git answers in a directory. Raises OSError where it cannot be run or refuses."""
    line = [*command_line("-C", os.fsdecode(where), *map(os.fsdecode, arguments))]
    answers, end = os.pipe()
    with open(answers, "rb") as file:
        actions = [
            (os.POSIX_SPAWN_DUP2, end, 1),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:  # not with subprocess, which takes long to import
            child = os.posix_spawnp("git", line, variables(), file_actions=actions)
        finally:
            os.close(end)
        said = file.read()
    if os.waitpid(child, 0)[1]:
        raise OSError
    return said


def _key(arguments: Sequence[str]) -> bytes:
    """All else that the answer depends on."""
    stated = (os.environ.get(name, "") for name in ("HOME", "SOURCE_DATE_EPOCH"))
    return os.fsencode("\0".join((_FORMAT, __version__, os.getcwd(), *stated, *arguments)))


def _place(arguments: Sequence[str]) -> str:
    """Where a note lies; should two command lines share a place, they take turns."""
    return f"{cache_path()}/standing/{zlib.crc32(_key(arguments)):08x}"


def _packed(parts: Sequence[bytes]) -> bytes:
    """The parts with their lengths before them."""
    return b"%b\n%b" % (b" ".join(b"%d" % len(part) for part in parts), b"".join(parts))


def _unpacked(data: bytes) -> Iterator[bytes]:
    """The parts again."""
    lengths, _, rest = data.partition(b"\n")
    position = 0
    for length in map(int, lengths.split()):
        yield rest[position : position + length]
        position += length


def _write(place: str, data: bytes) -> None:
    """Write a note, whole or not at all, and give up the oldest ones."""
    folder = os.path.dirname(place)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    draft = f"{place}.{os.getpid()}"
    with open(draft, "wb") as file:
        file.write(data)
    os.replace(draft, place)
    with os.scandir(folder) as listing:
        notes = sorted(listing, key=lambda entry: entry.stat().st_mtime)
    for old in notes[:-_MOST]:
        os.unlink(old)
