"""What the operating system refuses, told in words a user can act on."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from renderer.model.errors import OutsideError, StoppedError, ToldError

__all__ = ["OutsideError", "StoppedError", "ToldError", "telling"]

# errno: what it means, what to do about it
_MEANINGS = {
    errno.ENOSPC: ("the disk is full", "free some space and run it again"),
    errno.EDQUOT: ("the disk quota is used up", "free some space and run it again"),
    errno.EACCES: ("permission denied", "check who may write there"),
    errno.EPERM: ("operation not permitted", "check who may write there"),
    errno.EROFS: ("the file system is read-only", "name a place that can be written"),
    errno.ENAMETOOLONG: ("a file name is too long there", "name a place with a shorter path"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n)"),
    errno.EIO: ("the disk reports an error", "check the disk"),
}


@contextmanager
def telling(doing: str) -> Iterator[None]:
    """Turn an OSError inside the block into an OutsideError: `cannot <doing>: the disk is full`."""
    try:
        yield
    except OSError as error:
        meaning, fix = _MEANINGS.get(error.errno or 0, (error.strerror or str(error), ""))
        where = f" ({error.filename})" if error.filename else ""
        what = f"cannot {doing}: {meaning}{where}"
        raise OutsideError(what, "nothing was changed", fix) from error
