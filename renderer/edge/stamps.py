"""Whether files are what they were when somebody looked into them, by what the system notes of each.

As Git's index has it: whatever is done to a file changes its inode, its size or the time of its last change,
which nobody can set. That of a directory is when an entry last came or went.

A run that has nothing to do imports this, so it imports next to nothing.
"""

from __future__ import annotations

import os
import struct

TYPE_CHECKING = False  # to import typing would take longer than all else here
if TYPE_CHECKING:
    from collections.abc import Iterable

_INODE, _SIZE = 1, 6  # in what the system says; by number, which is quicker than by name


def stamps(root: bytes, names: Iterable[bytes]) -> bytes:
    """What the system notes of names below a directory, links not followed; the same if nothing changed.

    Raises OSError where one is not there.
    """
    stat = os.stat
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        numbers = [
            number
            for name in names
            for found in (stat(name, dir_fd=folder, follow_symlinks=False),)
            for number in (found.st_ctime_ns, found[_INODE], found[_SIZE])
        ]
    finally:
        os.close(folder)
    return struct.pack(f"{len(numbers)}Q", *numbers)


def newest(noted: bytes) -> float:
    """When the last of these files changed, in seconds since 1970."""
    return max(struct.unpack(f"{len(noted) // 8}Q", noted)[::3], default=0) / 1e9
