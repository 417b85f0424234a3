"""Unfinished objects that a git left behind because the disk was full, and which would keep it full.

Git clears them away itself, after two weeks. Those of other processes are left alone: only a file that came
since a point in time, that belongs to this user and that nobody has open, is taken away.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_NAMES = ("tmp_pack_*", "tmp_idx_*", "tmp_rev_*")
_PROCESSES = Path("/proc")


def clear_unfinished(objects: Path, since: float) -> None:
    """Remove them from an object directory; `since` is in seconds since 1970.

    Where it cannot be found out who has what open, nothing is removed.
    """
    found = [path for path in _unfinished(objects) if _is_ours(path, since)]
    opened = _opened() if found else frozenset()
    if opened is None:
        return
    for path in found:
        with contextlib.suppress(OSError):
            status = path.stat()
            if (status.st_dev, status.st_ino) not in opened:
                path.unlink()


def _unfinished(objects: Path) -> Iterator[Path]:
    """Files with the names that Git gives to what it is still writing."""
    for pattern in _NAMES:
        yield from sorted((objects / "pack").glob(pattern))
    yield from sorted(objects.glob("[0-9a-f][0-9a-f]/tmp_obj_*"))


def _is_ours(path: Path, since: float) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_ctime >= since


def _opened() -> frozenset[tuple[int, int]] | None:
    """Device and inode of every file that a process of this user has open; None where nobody can tell."""
    if not _PROCESSES.joinpath("self", "fd").is_dir():
        return None
    opened: list[tuple[int, int]] = []
    for process in _PROCESSES.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
            for link in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    status = link.stat()
                    opened.append((status.st_dev, status.st_ino))
    return frozenset(opened)
