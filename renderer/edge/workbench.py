"""Replacing a directory as a whole, so that whoever looks sees the old state or the new one.

The new state is built in a workbench beside the target, `.krender-<name>`, and the two directories change
places in one system call. Where a file system cannot do that, the target is moved aside first; a run that
is killed between those two moves leaves it there, and the next run puts it back. Whatever else a killed
run left in its workbench, the next run clears away.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import sys
import time
from pathlib import Path
from types import TracebackType

from renderer.edge.errors import OutsideError

_PATIENCE = 120.0  # seconds to wait for another writer
_AT_FDCWD = -100
_SWAP = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_SYSCALLS = {"x86_64": 316, "aarch64": 276}  # renameat2, for C libraries without it
_UNSUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV)


class Workbench:
    """The place beside `target` where its next state is built; one writer at a time holds it.

    `next` is where to build. After `swap`, `left` is where the old state lies until the bench is cleared.
    """

    def __init__(self, target: Path) -> None:
        """Name the places; nothing is touched before the bench is entered."""
        self.target = target
        self.bench = target.parent / f".krender-{target.name[:200]}"
        self.next = self.bench / "next"
        self.aside = self.bench / "aside"
        self._lock = -1

    def __enter__(self) -> Workbench:
        """Wait for the bench, then put right what a killed run left behind."""
        self._lock = _locked(self.bench)
        try:
            if self.aside.exists() and not os.path.lexists(self.target):
                self.aside.rename(self.target)
            self._clear()
        except OSError:
            os.close(self._lock)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bench away."""
        with contextlib.suppress(OSError):  # a leftover is the next run's to clear, and no reason to fail
            self._clear()
            (self.bench / "lock").unlink()
            self.bench.rmdir()
        os.close(self._lock)

    def swap(self) -> Path | None:
        """Put `next` in the target's place. Returns where the old state lies now, if there was one."""
        flush(self.next)
        if not os.path.lexists(self.target):
            self.next.rename(self.target)
            left = None
        elif exchange(self.next, self.target):
            left = self.next
        else:
            self._dance()
            left = self.aside
        _sync_directory(self.target.parent)
        return left

    def _dance(self) -> None:
        """Two moves instead of one, where the file system cannot exchange directories."""
        self.target.rename(self.aside)
        try:
            self.next.rename(self.target)
        except OSError:
            self.aside.rename(self.target)
            raise

    def _clear(self) -> None:
        """Remove what lies on the bench."""
        for leftover in (self.next, self.aside):
            if os.path.lexists(leftover):
                _remove(leftover)


def exchange(one: Path, other: Path) -> bool:
    """Let two paths change places in one step; False where this system or file system cannot."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    names = (os.fsencode(one), os.fsencode(other))
    if sys.platform == "darwin":
        failed = libc.renamex_np(*names, _SWAP)
    elif hasattr(libc, "renameat2"):
        failed = libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _SWAP)
    elif os.uname().machine in _SYSCALLS:
        number = _SYSCALLS[os.uname().machine]
        failed = libc.syscall(number, _AT_FDCWD, names[0], _AT_FDCWD, names[1], _SWAP)
    else:
        return False
    if failed and ctypes.get_errno() not in _UNSUPPORTED:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))
    return not failed


def flush(directory: Path) -> None:
    """Have everything written below `directory` on the disk, so that a power cut cannot lose half of it.

    One call for the whole file system: a call for each of a hundred thousand files would take minutes.
    """
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syncfs"):
        os.sync()
        return
    opened = os.open(directory, os.O_RDONLY)
    try:
        if libc.syncfs(opened):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(directory))
    finally:
        os.close(opened)


def _sync_directory(directory: Path) -> None:
    """Have a rename inside `directory` on the disk."""
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _locked(bench: Path) -> int:
    """Take the bench's lock; returns the open file that holds it.

    The lock ends with the process, however that ends. The holder removes the file last, so whoever waited
    for it makes sure that the file it got is still the one that lies there.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        with contextlib.suppress(FileExistsError):  # not `exist_ok`, which fails if it goes away just then
            bench.mkdir()
        if bench.is_symlink():
            raise OutsideError(f"{bench} is a link", "krender would write where it leads", f"remove {bench}")
        with contextlib.suppress(FileNotFoundError):
            lock = os.open(bench / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if _taken(lock, bench / "lock"):
                return lock
            os.close(lock)
        if time.monotonic() > deadline:
            raise OutsideError(
                f"another krender is writing {bench.parent}",
                f"it has held {bench / 'lock'} for {_PATIENCE:.0f} seconds",
                "wait for it, or end it",
            )
        time.sleep(0.01)


def _taken(lock: int, path: Path) -> bool:
    """Whether this process now holds the lock, and the file is not one that its last holder removed."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(directory: Path) -> None:
    """Remove a directory and all below it, also where directories were kept read-only."""
    try:
        shutil.rmtree(directory)
    except PermissionError:
        _open_up(directory)
        shutil.rmtree(directory)


def _open_up(directory: Path) -> None:
    """Let the owner change every directory from here down."""
    directory.chmod(stat.S_IRWXU)
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            _open_up(Path(entry.path))
